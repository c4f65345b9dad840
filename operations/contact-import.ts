import { guessColumns } from '../app/operator/csv-rows';
import { importContacts, type ImportCounts } from '../app/operator/import-contacts';
import { CsvFile } from '../lib/csv/csv-file';
import type { CsvRecord } from '../lib/csv/csv-reader';
import { withoutGuard } from '../lib/csv/csv-text';
import { printable } from '../lib/printable';
import { CONTACT_COLUMNS } from '../schemas/contacts/contact-row';
import { csvOptions, formatOf, type CsvInput } from './csv-columns';
import { bytesOf, fileName, sizeOf, withCsvFile, type RefusedLine } from './csv-file';
import {
  audience,
  consent,
  type FileContent,
  operation,
  type Piece,
  type Session,
  streamedArgument,
  UsageError,
  workspace,
} from './spec';

const file = streamedArgument('CSV file; - is standard input');
/** Throws UsageError when the file cannot be read. */
const checkFile = (given: { file: string | FileContent }): unknown => sizeOf(given.file);

interface Imported {
  counts: object;
  words: string;
  /** How the file was read. */
  format: Piece;
  /** Null: they were listed as they came. */
  errors: readonly RefusedLine[] | null;
}

const SHOWN = {
  json: ({ counts, format, errors }: Imported) => ({ ...(errors && { errors }), ...counts, ...format.json }),
  text: ({ words, format }: Imported) => `${format.text}${words}\n`,
};

const NOTES = `The file is CSV with a header line, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or
Windows-1252 (Latin-1). The report says how it was read. Columns: email, and if there are any name (or first_name and
last_name) and status (subscribed, unsubscribed, bounced or complained). Names such as "E-Mail", "Surel", "Nama" and
those of the exports of Mailchimp, Brevo and listmonk are known; a contact that such an export shows as unsubscribed,
blocklisted or cleaned is not subscribed. Name and status of contacts that exist stay as they are. A refused line
stops nothing: the report gives its number and reason. Run it again after a fault or a crash: what was imported
stays, the rest follows.`;

const CONTACT_OPTIONS = {
  consent: consent('each of them has agreed to get mail from this workspace; required'),
  ...csvOptions(CONTACT_COLUMNS),
};

const contactWords = ({ lines, created, existing, refused }: ImportCounts): string =>
  `${lines} lines, ${created} created, ${existing} existing, ${refused} refused`;

type ContactInput = CsvInput<keyof typeof CONTACT_COLUMNS> & { file: string | FileContent };

async function importInto(
  session: Session,
  input: ContactInput,
  action: string,
  target: { workspaceId: number; audienceId: number | null },
) {
  const { stores, clock } = session;
  const into = target.audienceId === null ? '' : `, into audience ${target.audienceId}`;
  const name = fileName(input.file);
  await session.note(action, `${name}${into}, with consent: begun`, target.workspaceId);
  const keyring = await session.keyring();
  const given = { file: input.file, size: sizeOf(input.file), format: formatOf(input) };
  const {
    result: counts,
    format,
    errors,
  } = await withCsvFile(session, given, (opened) =>
    importContacts({ stores, keyring, clock }, { ...target, columns: input.map, ...opened }),
  );
  const words = contactWords(counts);
  await session.note(action, `${name}${into}: ${words}`, target.workspaceId);
  return { counts, words, format, errors };
}

/** `contact.import`. */
export const importToWorkspace = operation('contact.import', 'editor', {
  summary: 'add contacts from a CSV file',
  arguments: { workspace, file },
  options: CONTACT_OPTIONS,
  examples: [
    ['contact import "Toko Melati" kontak.csv --consent', 'columns email, name, status'],
    [
      'contact import "Toko Melati" kontak.csv --consent --map email=Kontak --map "name=Nama pelanggan"',
      'columns with other names',
    ],
  ],
  notes: NOTES,
  check: checkFile,
  handler: (input, session) =>
    importInto(session, input, 'contact import', { workspaceId: input.workspace.id, audienceId: null }),
  ...SHOWN,
});

/** `audience.import`. */
export const importMembers = operation('audience.import', 'editor', {
  summary: 'add members from a CSV file',
  arguments: { workspace, audience, file },
  options: CONTACT_OPTIONS,
  examples: [
    ['audience import "Toko Melati" Pelanggan kontak.csv --consent', 'columns email, name, status'],
    [
      'audience import "Toko Melati" Pelanggan kontak.csv --consent --map email=Kontak --map "name=Nama pelanggan"',
      'columns with other names',
    ],
  ],
  notes: `${NOTES}
In an audience of double opt-in each new member gets the confirmation mail, one coin each, and counts once it has confirmed.`,
  check: checkFile,
  handler: ({ audience: { id: audienceId, workspaceId }, ...input }, session) =>
    importInto(session, input, 'audience import', { workspaceId, audienceId }),
  ...SHOWN,
});

/** Lines behind the header that are shown. */
const SAMPLE = 5;

/** `contact.columns`. */
export const columns = operation('contact.columns', 'editor', {
  summary: 'the first lines of a CSV file, and what its columns are taken for; nothing is stored',
  arguments: { workspace, file },
  options: { delimiter: CONTACT_OPTIONS.delimiter, encoding: CONTACT_OPTIONS.encoding },
  examples: [['contact columns "Toko Melati" kontak.csv', 'before contact import']],
  check: checkFile,
  handler: async (input, session) => {
    const opened = new CsvFile(bytesOf(session, input.file), formatOf(input));
    const records: CsvRecord[] = [];
    for await (const some of opened.records()) {
      records.push(...some);
      if (records.length > SAMPLE) break;
    }
    const [first, ...rest] = records.slice(0, SAMPLE + 1);
    if (!first || 'fault' in first) {
      throw new UsageError(`${fileName(input.file)} has no header line that can be read.`, NEEDS_HEADER, '<file>');
    }
    const header = first.cells.map((name) => withoutGuard(name).trim());
    return {
      header,
      columns: guessColumns(header, CONTACT_COLUMNS),
      sample: rest.map((record) => ('fault' in record ? [] : record.cells.map(withoutGuard))),
    };
  },
  text: ({ header, columns: found, sample }) =>
    `${[header, ...sample].map((cells) => cells.map(printable).join(' | ')).join('\n')}\n\n${Object.entries(found)
      .map(([field, column]) => `${field} from ${JSON.stringify(column)}\n`)
      .join('')}`,
});

const NEEDS_HEADER = 'It needs a header line, such as email,name.';
