import { countConfirmations } from './import-contacts';
import { inspectContacts, type Inspected } from './inspect-contacts';
import type { Audience } from '../../domain/contacts/audience';
import { COIN_PER_MAIL } from '../../domain/ledger/coins';
import { CsvFile } from '../../lib/csv/csv-file';
import { printable } from '../../lib/printable';
import { checkFile, file } from './contact-import';
import { contactColumnsOf, contactOptions, formatOf } from './csv-columns';
import { asOperationError, rereading } from './csv-file';
import { audience, neededFound, operation, optional, type Session, workspace } from '../definition';
import { counted } from '../../lib/counted';

/** What a file of contacts is taken for. */
const present = ({ header, layout, sample, doubtful }: Inspected) => ({
  header: header.names,
  columns: layout.found,
  standings: layout.standings.map(({ name, reading }) => ({ column: name, means: reading })),
  doubtful: doubtful.map(({ name, values }) => ({ column: name, values })),
  sample,
});

/** `contact.columns`. */
export const columns = operation('contact.columns', 'editor', {
  summary:
    'preview a CSV file: its first rows, how its columns are mapped, and which need mapping; nothing is imported',
  arguments: { workspace, file },
  options: {
    audience: optional(
      neededFound('<audience>', 'id or name of an audience, to count the confirmation emails it would send', audience),
    ),
    ...contactOptions,
  },
  examples: [
    ['contact columns "Toko Melati" kontak.csv', 'before contact import'],
    ['contact columns "Toko Melati" kontak.csv --audience Kabar', 'with the cost of an import without --consent'],
  ],
  check: checkFile,
  handler: ({ audience: into, ...input }, session) =>
    rereading(session, input.file, async (bytes) => {
      const opened = (): CsvFile => new CsvFile(bytes(), formatOf(input));
      const given = contactColumnsOf(input);
      try {
        const seen = await inspectContacts(opened(), given, false);
        const isReadable = seen.layout.identity.has('email');
        const confirmations =
          into?.optInMode === 'double' && isReadable ? await costOf(session, into, opened(), given) : null;
        return { ...present(seen), confirmations };
      } catch (error) {
        throw asOperationError(error, input.file);
      }
    }),
  text: ({ header, columns: found, doubtful, sample, confirmations }) =>
    [
      `${[header, ...sample].map((cells) => cells.map(printable).join(' | ')).join('\n')}\n\n`,
      ...Object.entries(found).map(([field, column]) => `${field} from ${JSON.stringify(column)}\n`),
      ...doubtful.map(({ column, values }) => {
        const shown = values.map((value) => JSON.stringify(value)).join(', ');
        return `needs mapping: ${JSON.stringify(column)}${shown && `, with ${shown}`}\n`;
      }),
      ...(confirmations
        ? [
            `without --consent: ${counted(confirmations.mails, 'confirmation email')}, ${counted(confirmations.coins, 'coin')}\n`,
          ]
        : []),
    ].join(''),
});

/** What confirmation mails cost if the import is without consent. */
async function costOf(
  { stores, clock, keyring }: Session,
  { id: audienceId, workspaceId }: Audience,
  opened: CsvFile,
  given: ReturnType<typeof contactColumnsOf>,
) {
  const order = { workspaceId, audienceId, file: opened, columns: given };
  const mails = await countConfirmations({ stores, clock, keyring: await keyring() }, order);
  const { balance } = await stores.coins.account(workspaceId);
  return { mails, coins: mails * COIN_PER_MAIL, balance };
}
