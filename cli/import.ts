import { importContacts, type ImportCounts } from '../app/operator/import-contacts';
import { importSuppressions, type SuppressionCounts } from '../app/operator/import-suppressions';
import { CONTACT_COLUMNS } from '../schemas/contacts/contact-row';
import { SUPPRESSION_COLUMNS } from '../schemas/contacts/suppression-row';
import { checkList, LIST_OF, listOf } from '../operations/suppression-list';
import { terminalCommand, type Terminal } from './support/command';
import { csvOptions, formatOf, type CsvInput } from './support/csv-columns';
import { fileName, sizeOf, withCsvFile } from './support/csv-file';
import type { Piece } from './support/output';
import { argument, audience, consent, type Session, text, workspace } from '../operations/spec';

const file = argument('CSV file; - is standard input', text(4_096));
/** Throws UsageError when the file cannot be read. */
const checkFile = (given: { file: string }): unknown => sizeOf(given.file);

interface Imported {
  counts: object;
  words: string;
  /** How the file was read. */
  format: Piece;
}

const SHOWN = {
  json: ({ counts, format }: Imported) => ({ ...counts, ...format.json }),
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

type ContactInput = CsvInput<keyof typeof CONTACT_COLUMNS> & { file: string };

async function importInto(
  session: Session & Terminal,
  input: ContactInput,
  action: string,
  target: { workspaceId: number; audienceId: number | null },
) {
  const { stores, clock } = session;
  const into = target.audienceId === null ? '' : `, into audience ${target.audienceId}`;
  const name = fileName(input.file);
  await session.note(action, `${name}${into}, with consent: begun`, target.workspaceId);
  const keyring = await session.keyring();
  const given = { path: input.file, size: sizeOf(input.file), format: formatOf(input) };
  const { result: counts, format } = await withCsvFile(session, given, (opened) =>
    importContacts({ stores, keyring, clock }, { ...target, columns: input.map, ...opened }),
  );
  const words = contactWords(counts);
  await session.note(action, `${name}${into}: ${words}`, target.workspaceId);
  return { counts, words, format };
}

/** `kurir contact import`. */
export const importToWorkspace = terminalCommand('contact.import', {
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

/** `kurir audience import`. */
export const importMembers = terminalCommand('audience.import', {
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

const suppressionWords = ({ lines, blocked, refused }: SuppressionCounts): string =>
  `${lines} lines, ${blocked} blocked, ${refused} refused`;

/** `kurir suppress import`. */
export const importToList = terminalCommand('suppress.import', {
  summary: 'block addresses from a CSV file',
  arguments: { file },
  options: { ...LIST_OF, ...csvOptions(SUPPRESSION_COLUMNS) },
  examples: [
    ['suppress import diblokir.csv --workspace "Toko Melati"', 'columns email and reason'],
    ['suppress import bounces.csv --workspace 3 --map email=Kontak', 'a column with another name'],
    ['suppress import - --global < traps.csv', 'for all senders'],
  ],
  notes: `The file is CSV with a header line, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or
Windows-1252 (Latin-1). Columns: email, and if there is one reason (manual, hard_bounce or complaint; default: manual;
global in the global list). A line of an export that has no email is read by its address_hash. A refused line stops
nothing: the report gives its number and reason. To run it again changes nothing.`,
  check: (given) => {
    checkList(given);
    checkFile(given);
  },
  handler: async (input, session) => {
    const { stores, clock } = session;
    const { workspaceId } = listOf(input);
    const name = fileName(input.file);
    await session.note('suppress import', `${name}: begun`, workspaceId);
    const keyring = await session.keyring();
    const given = { path: input.file, size: sizeOf(input.file), format: formatOf(input) };
    const { result: counts, format } = await withCsvFile(session, given, (opened) =>
      importSuppressions({ stores, keyring, clock }, { workspaceId, columns: input.map, ...opened }),
    );
    const words = suppressionWords(counts);
    await session.note('suppress import', `${name}: ${words}`, workspaceId);
    return { counts, words, format };
  },
  ...SHOWN,
});
