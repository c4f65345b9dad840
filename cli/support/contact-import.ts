import { basename } from 'node:path';
import type { ColumnNames } from '../../app/operator/csv-rows';
import { importContacts, type ImportCounts } from '../../app/operator/import-contacts';
import { CONTACT_COLUMNS, type ContactColumn } from '../../schemas/contact-row';
import type { Session, VerbSpec } from './command';
import { readColumns } from './csv-columns';
import { sizeOf, withCsvFile } from './csv-file';
import { UsageError } from './errors';
import { reference, text, type Input } from './input';
import { findAudience, findWorkspace } from './lookups';
import type { Answer } from './output';

const NOTES = `The file is CSV (RFC 4180) in UTF-8 with a header line; columns: email, and if there are any name and status
(subscribed, unsubscribed, bounced or complained). Name and status of contacts that exist stay as they are. A
refused line stops nothing: the report gives its number and reason. Run it again after a fault or a crash: what was
imported stays, the rest follows.`;
const OPT_IN =
  '\nIn an audience of double opt-in each new member gets the confirmation mail, one coin each, and counts once it has confirmed.';

/** `import` of `kurir contact` or `kurir audience`. */
export function importVerb(group: 'contact' | 'audience'): VerbSpec {
  const into = group === 'audience' ? '"Toko Melati" Pelanggan' : '"Toko Melati"';
  return {
    name: 'import',
    summary: group === 'audience' ? 'add members from a CSV file' : 'add contacts from a CSV file',
    args: [
      ['<workspace>', 'id or name'],
      ...(group === 'audience' ? [['<audience>', 'id or name'] as const] : []),
      ['<file>', 'CSV file; - is standard input'],
    ],
    options: [
      ['--consent', 'each of them has agreed to get mail from this workspace; required'],
      ['--map <field=column>', `the column of a field (${CONTACT_COLUMNS.join(', ')})`, 'repeatable'],
    ],
    examples: [
      [`${group} import ${into} kontak.csv --consent`, 'columns email, name, status'],
      [
        `${group} import ${into} kontak.csv --consent --map email=Surel --map "name=Nama lengkap"`,
        'columns with other names',
      ],
    ],
    notes: group === 'audience' ? NOTES + OPT_IN : NOTES,
    run: (input) => {
      const ref = input.arg('workspace', reference);
      const audience = group === 'audience' ? input.arg('audience', reference) : null;
      const file = input.arg('file', text(4_096));
      const columns = readColumns(input, CONTACT_COLUMNS);
      needConsent(input);
      const size = sizeOf(file);
      return async (session) => {
        const { id: workspaceId } = await findWorkspace(session.stores, ref);
        const audienceId = audience === null ? null : (await findAudience(session.stores, workspaceId, audience)).id;
        const name = file === '-' ? 'standard input' : basename(file);
        const action = `${group} import`;
        const into = audienceId === null ? '' : `, into audience ${audienceId}`;
        await session.note(action, `${name}${into}, with consent: begun`, workspaceId);
        const counts = await run(session, { file, size, workspaceId, audienceId, columns });
        await session.note(action, `${name}${into}: ${inWords(counts)}`, workspaceId);
        return answer(counts);
      };
    },
  };
}

/** The operator says by `--consent` that the contact agreed. Throws UsageError without it. */
export function needConsent(input: Input): void {
  if (input.has('consent')) return;
  throw new UsageError(
    '--consent is missing.',
    'Give it to say that they have agreed to get mail from this workspace.',
    '--consent',
  );
}

interface Run {
  file: string;
  size: number | null;
  workspaceId: number;
  audienceId: number | null;
  columns: ColumnNames<ContactColumn>;
}

async function run(session: Session, { file, size, ...target }: Run): Promise<ImportCounts> {
  const { stores, clock } = session;
  const keyring = await session.keyring();
  return withCsvFile(session, { file, size }, ({ bytes, onRefused }) =>
    importContacts({ stores, keyring, clock }, { ...target, file: bytes, onRefused }),
  );
}

const inWords = ({ lines, created, existing, refused }: ImportCounts): string =>
  `${lines} lines, ${created} created, ${existing} existing, ${refused} refused`;

const answer = (counts: ImportCounts): Answer => ({ text: `${inWords(counts)}\n`, json: { ...counts } });
