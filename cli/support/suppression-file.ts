import { importSuppressions, type SuppressionCounts } from '../../app/operator/import-suppressions';
import { csvLine } from '../../lib/csv/csv-text';
import { SUPPRESSION_COLUMNS } from '../../schemas/contacts/suppression-row';
import { withAddresses, type KnownEntry } from '../../commands/suppressions/with-addresses';
import type { Session, VerbSpec } from './command';
import { csvOptions, readColumns, readFormat } from './csv-columns';
import { fileName, sizeOf, withCsvFile } from './csv-file';
import { text } from './input';
import { LIST_OF, readList } from './suppression-list';
import { printable } from './text';
import { jsonTime } from './times';

/** Entries read at once. */
const PAGE = 1_000;

const inWords = ({ lines, blocked, refused }: SuppressionCounts): string =>
  `${lines} lines, ${blocked} blocked, ${refused} refused`;

/** `kurir suppress import`. */
export const importVerb: VerbSpec = {
  name: 'import',
  summary: 'block addresses from a CSV file',
  args: [['<file>', 'CSV file; - is standard input']],
  options: [...LIST_OF, ...csvOptions(SUPPRESSION_COLUMNS)],
  examples: [
    ['suppress import diblokir.csv --workspace "Toko Melati"', 'columns email and reason'],
    ['suppress import bounces.csv --workspace 3 --map email=Kontak', 'a column with another name'],
    ['suppress import - --global < traps.csv', 'for all senders'],
  ],
  notes: `The file is CSV with a header line, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or
Windows-1252 (Latin-1). Columns: email, and if there is one reason (manual, hard_bounce or complaint; default: manual;
global in the global list). A line of an export that has no email is read by its address_hash. A refused line stops
nothing: the report gives its number and reason. To run it again changes nothing.`,
  run: (input) => {
    const path = input.arg('file', text(4_096));
    const columns = readColumns(input, SUPPRESSION_COLUMNS);
    const listOf = readList(input);
    const given = { path, size: sizeOf(path), format: readFormat(input) };
    return async (session) => {
      const { stores, clock } = session;
      const { workspaceId } = await listOf(session);
      const name = fileName(path);
      await session.note('suppress import', `${name}: begun`, workspaceId);
      const keyring = await session.keyring();
      const { result: counts, format } = await withCsvFile(session, given, (opened) =>
        importSuppressions({ stores, keyring, clock }, { workspaceId, columns, ...opened }),
      );
      await session.note('suppress import', `${name}: ${inWords(counts)}`, workspaceId);
      return { text: `${format.text}${inWords(counts)}\n`, json: { ...counts, ...format.json } };
    };
  },
};

const COLUMNS = ['email', 'address_hash', 'reason', 'message_id', 'created_at'] as const;

const rowOf = (entry: KnownEntry): Record<(typeof COLUMNS)[number], string | null> => ({
  email: entry.email,
  address_hash: entry.addressHash,
  reason: entry.reason,
  message_id: entry.messageId,
  created_at: jsonTime(entry.createdAt),
});

async function* entriesOf({ stores }: Session, workspaceId: number | null): AsyncGenerator<KnownEntry[]> {
  let page = await stores.suppressions.list(workspaceId, PAGE);
  while (page.length > 0) {
    yield await withAddresses(stores, page);
    page = await stores.suppressions.list(workspaceId, PAGE, page.at(-1));
  }
}

/** `kurir suppress export`. */
export const exportVerb: VerbSpec = {
  name: 'export',
  summary: 'a suppression list as CSV on standard output',
  options: LIST_OF,
  examples: [['suppress export --workspace "Toko Melati" > diblokir.csv', 'to a file']],
  notes: `Addresses are kept as keyed hashes. A line has the address while a contact or the message that caused the entry has
it; any other has the hash alone, which suppress import of the same installation reads.`,
  run: (input) => {
    const listOf = readList(input);
    return async (session) => {
      const { workspaceId, name } = await listOf(session);
      await session.note('suppress export', name, workspaceId);
      const show = session.host.stdout.isTTY ? printable : (cell: string) => cell;
      const row = session.listing('data');
      const header = csvLine(COLUMNS);
      let exported = 0;
      for await (const page of entriesOf(session, workspaceId)) {
        for (const entry of page) {
          const json = rowOf(entry);
          const line = csvLine(COLUMNS.map((column) => show(json[column] ?? '')));
          row({ text: exported === 0 ? header + line : line, json });
          exported += 1;
        }
      }
      return { text: exported === 0 ? header : '', json: { exported } };
    };
  },
};
