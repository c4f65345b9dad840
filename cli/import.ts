import { importSuppressions, type SuppressionCounts } from '../operations/suppressions/import-suppressions';
import { counted } from '../lib/counted';
import { csvOptions, formatOf } from '../operations/contacts/csv-columns';
import { fileName, sizeOf, withCsvFile } from '../operations/contacts/csv-file';
import { OWN_REASONS } from '../domain/contacts/suppression';
import { argument, oneOf, option, text } from '../operations/definition';
import { checkList, LIST_OF, listOf } from '../operations/suppressions/suppression-list';
import { reasonOfFile } from '../schemas/contacts/suppression-reasons';
import { SUPPRESSION_COLUMNS } from '../schemas/contacts/suppression-row';
import { terminalCommand } from './support/command';

const file = argument('CSV file; - is standard input', text(4_096));

const suppressionWords = ({ lines, blocked, refused }: SuppressionCounts): string =>
  `${counted(lines, 'line')}, ${blocked} suppressed, ${refused} rejected`;

/** `kurir suppress import`. */
export const importToList = terminalCommand('suppress.import', {
  summary: 'suppress the addresses in a CSV file',
  arguments: { file },
  options: {
    ...LIST_OF,
    reason: option(
      '<reason>',
      `${OWN_REASONS.join(', ')}: used for lines without a known reason`,
      oneOf(...OWN_REASONS),
    ),
    ...csvOptions(SUPPRESSION_COLUMNS),
  },
  examples: [
    ['suppress import diblokir.csv --workspace "Toko Melati"', 'columns email and reason'],
    ['suppress import bounces.csv --workspace 3 --map email=Kontak', 'with a column of another name'],
    ['suppress import complaints.csv --workspace 3 --reason complaint', 'a list without reasons'],
    ['suppress import - --global < traps.csv', 'for all workspaces'],
  ],
  notes: `The file is CSV, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252
(Latin-1), with a header line, or without one and an address in each line. Columns: email, and optionally reason
(manual, hard_bounce or complaint; global in the global list). Exports of Mailgun, SendGrid, Postmark, Amazon SES,
Resend, Brevo, SparkPost, Mandrill and Mailchimp are read with their own reasons; a server response counts as
hard_bounce if it says that the address does not exist. A line without a reason gets --reason, or the reason in the name
of a SendGrid file, or manual. A line of an export without an email is read by its address_hash. A refused line does not
stop the import: the report has its number and the reason. If all lines are refused, the exit code is 1. You can run the
import again safely.`,
  check: (given) => {
    checkList(given);
    sizeOf(given.file);
  },
  handler: async (input, session) => {
    const { stores, clock } = session;
    const { workspaceId } = listOf(input);
    const name = fileName(input.file);
    await session.note('suppress import', `${name}: started`, workspaceId);
    const keyring = await session.keyring();
    const otherwise = input.reason ?? reasonOfFile(name);
    const given = { file: input.file, size: sizeOf(input.file), format: formatOf(input) };
    const { result: counts, format } = await withCsvFile(session, given, (opened) =>
      importSuppressions({ stores, keyring, clock }, { workspaceId, columns: input.map, otherwise, ...opened }),
    );
    const words = suppressionWords(counts);
    await session.note('suppress import', `${name}: ${words}`, workspaceId);
    return { counts, words, format };
  },
  code: ({ counts: { lines, refused } }) => (lines > 0 && refused === lines ? 1 : 0),
  json: ({ counts, format }) => ({ ...counts, ...format.json }),
  text: ({ words, format }) => `${format.text}${words}\n`,
});
