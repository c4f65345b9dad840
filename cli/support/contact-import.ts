import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  ContactFileError,
  importContacts,
  type ColumnNames,
  type ImportCounts,
} from '../../app/operator/import-contacts';
import { UnavailableError } from '../../lib/errors';
import { CONTACT_COLUMNS, type ContactColumn } from '../../schemas/contact-row';
import type { Session, VerbSpec } from './command';
import { CommandError, UsageError } from './errors';
import { reference, text, type Input, type Read } from './input';
import { findAudience, findWorkspace } from './lookups';
import type { Answer } from './output';
import type { Progress } from './progress';
import { printable } from './text';

const NOTES = `The file is CSV (RFC 4180) in UTF-8 with a header line; columns: email, and if there are any name and status
(subscribed, unsubscribed, bounced or complained). Name and status of contacts that exist stay as they are. A
refused line stops nothing: the report gives its number and reason. Run it again after a fault or a crash: what was
imported stays, the rest follows.`;
const OPT_IN =
  '\nIn an audience of double opt-in a member counts once it has confirmed by email; --consent is no confirmation.';

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
      const columns = readColumns(input);
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

const readColumn: Read<[ContactColumn, string]> = (raw) => {
  const [, name = '', column = ''] = /^([^=]*)=(.*)$/s.exec(raw) ?? [];
  const field = CONTACT_COLUMNS.find((known) => known === name.trim());
  if (field === undefined || column.trim() === '') {
    throw new RangeError(`must be <field>=<column>, with a field of ${CONTACT_COLUMNS.join(', ')}`);
  }
  return [field, column.trim()];
};

function readColumns(input: Input): ColumnNames {
  const given = input.every('map', readColumn);
  const columns = Object.fromEntries(given) as ColumnNames;
  if (Object.keys(columns).length < given.length) {
    throw new UsageError('--map names a field twice.', 'Give each field one column.', '--map');
  }
  return columns;
}

/** Bytes of the file; null when it cannot be known. Throws UsageError. */
function sizeOf(file: string): number | null {
  if (file === '-') return null;
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) throw unreadable('it is a folder');
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable((error as Error).message);
  }
}

const unreadable = (why: string): UsageError =>
  new UsageError(`<file> cannot be read: ${why}`, 'Give a CSV file, or - for standard input.', '<file>');

interface Run {
  file: string;
  size: number | null;
  workspaceId: number;
  audienceId: number | null;
  columns: ColumnNames;
}

async function run(session: Session, { file, size, ...target }: Run): Promise<ImportCounts> {
  const { host, stores, clock } = session;
  const keyring = await session.keyring();
  const refused = session.listing('errors');
  const bar = session.progress('read', size, (bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  const bytes = file === '-' ? host.stdin : createReadStream(file);
  try {
    return await importContacts(
      { stores, keyring, clock },
      {
        ...target,
        file: watched(bytes, bar),
        onRefused: (line, reason) => {
          bar.done();
          refused({ text: `line ${line}: ${printable(reason)}\n`, json: { line, reason } });
        },
      },
    );
  } catch (error) {
    throw asCommandError(error);
  } finally {
    bar.done();
  }
}

async function* watched(chunks: AsyncIterable<Buffer | string>, bar: Progress): AsyncGenerator<Buffer | string> {
  for await (const chunk of chunks) {
    yield chunk;
    bar.step(chunk.length);
  }
}

function asCommandError(error: unknown): unknown {
  if (error instanceof ContactFileError) return new UsageError(`<file>: ${error.message}`, error.fix, '<file>');
  if (error instanceof UnavailableError) {
    return new CommandError(error.message, 'Run it again: what was imported stays, the rest follows.');
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable((error as Error).message);
}

const inWords = ({ lines, created, existing, refused }: ImportCounts): string =>
  `${lines} lines, ${created} created, ${existing} existing, ${refused} refused`;

const answer = (counts: ImportCounts): Answer => ({ text: `${inWords(counts)}\n`, json: { ...counts } });
