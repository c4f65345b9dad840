import { importSuppressions, type SuppressionCounts } from '../app/operator/import-suppressions';
import { csvOptions, formatOf } from '../operations/csv-columns';
import { fileName, sizeOf, withCsvFile } from '../operations/csv-file';
import { argument, text } from '../operations/spec';
import { checkList, LIST_OF, listOf } from '../operations/suppression-list';
import { SUPPRESSION_COLUMNS } from '../schemas/contacts/suppression-row';
import { terminalCommand } from './support/command';

const file = argument('CSV file; - is standard input', text(4_096));

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
    sizeOf(given.file);
  },
  handler: async (input, session) => {
    const { stores, clock } = session;
    const { workspaceId } = listOf(input);
    const name = fileName(input.file);
    await session.note('suppress import', `${name}: begun`, workspaceId);
    const keyring = await session.keyring();
    const given = { file: input.file, size: sizeOf(input.file), format: formatOf(input) };
    const { result: counts, format } = await withCsvFile(session, given, (opened) =>
      importSuppressions({ stores, keyring, clock }, { workspaceId, columns: input.map, ...opened }),
    );
    const words = suppressionWords(counts);
    await session.note('suppress import', `${name}: ${words}`, workspaceId);
    return { counts, words, format };
  },
  json: ({ counts, format }) => ({ ...counts, ...format.json }),
  text: ({ words, format }) => `${format.text}${words}\n`,
});
