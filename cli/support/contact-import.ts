import { importContacts, type ContactImport, type ImportCounts } from '../../app/operator/import-contacts';
import { CONTACT_COLUMNS } from '../../schemas/contacts/contact-row';
import type { Session, VerbSpec } from './command';
import { csvOptions, readColumns, readFormat } from './csv-columns';
import { fileName, type GivenFile, sizeOf, withCsvFile } from './csv-file';
import { UsageError } from './errors';
import { reference, text, type Input } from './input';
import { findAudience, findWorkspace } from './lookups';
import type { Answer, Piece } from './output';

const NOTES = `The file is CSV with a header line, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or
Windows-1252 (Latin-1). The report says how it was read. Columns: email, and if there are any name (or first_name and
last_name) and status (subscribed, unsubscribed, bounced or complained). Names such as "E-Mail", "Surel", "Nama" and
those of the exports of Mailchimp, Brevo and listmonk are known; a contact that such an export shows as unsubscribed,
blocklisted or cleaned is not subscribed. Name and status of contacts that exist stay as they are. A refused line
stops nothing: the report gives its number and reason. Run it again after a fault or a crash: what was imported
stays, the rest follows.`;
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
      ...csvOptions(CONTACT_COLUMNS),
    ],
    examples: [
      [`${group} import ${into} kontak.csv --consent`, 'columns email, name, status'],
      [
        `${group} import ${into} kontak.csv --consent --map email=Kontak --map "name=Nama pelanggan"`,
        'columns with other names',
      ],
    ],
    notes: group === 'audience' ? NOTES + OPT_IN : NOTES,
    run: (input) => {
      const ref = input.arg('workspace', reference);
      const audience = group === 'audience' ? input.arg('audience', reference) : null;
      const path = input.arg('file', text(4_096));
      const columns = readColumns(input, CONTACT_COLUMNS);
      const format = readFormat(input);
      needConsent(input);
      const given = { path, size: sizeOf(path), format };
      return async (session) => {
        const { id: workspaceId } = await findWorkspace(session.stores, ref);
        const audienceId = audience === null ? null : (await findAudience(session.stores, workspaceId, audience)).id;
        const name = fileName(path);
        const action = `${group} import`;
        const into = audienceId === null ? '' : `, into audience ${audienceId}`;
        await session.note(action, `${name}${into}, with consent: begun`, workspaceId);
        const { result: counts, format: read } = await run(session, given, { workspaceId, audienceId, columns });
        await session.note(action, `${name}${into}: ${inWords(counts)}`, workspaceId);
        return answer(counts, read);
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

type Target = Pick<ContactImport, 'workspaceId' | 'audienceId' | 'columns'>;

async function run(
  session: Session,
  given: GivenFile,
  target: Target,
): Promise<{ result: ImportCounts; format: Piece }> {
  const { stores, clock } = session;
  const keyring = await session.keyring();
  return withCsvFile(session, given, (opened) => importContacts({ stores, keyring, clock }, { ...target, ...opened }));
}

const inWords = ({ lines, created, existing, refused }: ImportCounts): string =>
  `${lines} lines, ${created} created, ${existing} existing, ${refused} refused`;

const answer = (counts: ImportCounts, format: Piece): Answer => ({
  text: `${format.text}${inWords(counts)}\n`,
  json: { ...counts, ...format.json },
});
