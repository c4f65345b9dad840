import { importSuppressions, type SuppressionCounts } from '../operations/suppressions/import-suppressions';
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
  `${lines} lines, ${blocked} blocked, ${refused} refused`;

/** `kurir suppress import`. */
export const importToList = terminalCommand('suppress.import', {
  summary: 'block addresses from a CSV file',
  arguments: { file },
  options: {
    ...LIST_OF,
    reason: option(
      '<reason>',
      `${OWN_REASONS.join(', ')}: of lines that give none that is known`,
      oneOf(...OWN_REASONS),
    ),
    ...csvOptions(SUPPRESSION_COLUMNS),
  },
  examples: [
    ['suppress import diblokir.csv --workspace "Toko Melati"', 'columns email and reason'],
    ['suppress import bounces.csv --workspace 3 --map email=Kontak', 'a column with another name'],
    ['suppress import complaints.csv --workspace 3 --reason complaint', 'a list whose lines do not say why'],
    ['suppress import - --global < traps.csv', 'for all senders'],
  ],
  notes: `The file is CSV, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252
(Latin-1), with a header line, or without one and an address in each line. Columns: email, and if there is one reason
(manual, hard_bounce or complaint; global in the global list). The lists of Mailgun, SendGrid, Postmark, Amazon SES,
Resend, Brevo, SparkPost, Mandrill and Mailchimp are read with their words for a reason; a server's answer makes a
hard_bounce when it says that the address is dead. A line without any reason is manual, or what --reason says, or the
name of SendGrid's file. A line of an export that has no email is read by its address_hash. A refused line stops
nothing: the report gives its number and reason; if all are refused, the exit code is 1. To run it again changes
nothing.`,
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
