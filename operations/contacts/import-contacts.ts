import { Reason } from '../../lib/reason';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { CONTACT_FIELDS, checkContactRow } from '../../schemas/contacts/contact-row';
import type { Stores } from '../../stores/ports';
import type { BulkContact, ContactBatch } from '../../stores/ports/bulk-contacts';
import type { CsvFile } from '../../lib/csv/csv-file';
import { contactLayout, NO_COLUMNS, type ContactColumns, type ContactLayout } from './contact-layout';
import { csvLines, pick, type ColumnNames, type CsvLine } from './csv-rows';

/** Contacts in one transaction. */
const BATCH = 1_000;

export interface ContactImport {
  workspaceId: number;
  /** The audience that all join; null: none. */
  audienceId: number | null;
  file: CsvFile;
  columns?: ContactColumns;
  /** That each of them agreed; left out: nobody said so. */
  agreed?: Agreed | undefined;
  /** Called with the column that each field was found in. */
  onHeader: (found: ColumnNames<string>) => void;
  /** Called with each refused line, in order; the header is line 1. */
  onRefused: (line: number, reason: Reason) => void;
}

/** Of the lines behind the header: `lines` = `created` + `existing` + `refused`. */
export interface ImportCounts {
  lines: number;
  created: number;
  existing: number;
  refused: number;
  /** Of the existing: those that stay subscribed although the file shows that they are not. */
  kept: number;
}

export interface ImportDeps {
  stores: Pick<Stores, 'bulkContacts'>;
  keyring: Keyring;
  clock: Clock;
}

/**
 * Imports contacts from CSV in batches, each one transaction, with memory that does not grow with the file. To run it
 * again, after a crash or over the same file, changes nothing that is there. Throws CsvFileError.
 */
export async function importContacts(deps: ImportDeps, order: ContactImport): Promise<ImportCounts> {
  const counts: ImportCounts = { lines: 0, created: 0, existing: 0, refused: 0, kept: 0 };
  for await (const batch of contactBatches(deps, order, counts)) {
    const outcome = await deps.stores.bulkContacts.add(batch);
    if (!outcome) throw new Error(`audience ${order.audienceId} no longer exists`);
    counts.created += outcome.created;
    counts.existing += batch.contacts.length - outcome.created;
    counts.kept += outcome.kept;
  }
  return counts;
}

/**
 * How many confirmation mails the import would send, a coin each; stores nothing. Memory grows with their number.
 * Throws CsvFileError.
 */
export async function countConfirmations(
  deps: ImportDeps,
  order: Omit<ContactImport, 'onHeader' | 'onRefused'>,
): Promise<number> {
  const asked = new Set<string>();
  const silent = { ...order, onHeader: () => undefined, onRefused: () => undefined };
  for await (const batch of contactBatches(deps, silent, { lines: 0, refused: 0 })) {
    for (const addressHash of (await deps.stores.bulkContacts.toAsk(batch)) ?? []) asked.add(addressHash);
  }
  return asked.size;
}

/** The contacts of the file, in batches; counts its lines and those it refuses. */
async function* contactBatches(
  { keyring, clock }: ImportDeps,
  { workspaceId, audienceId, file, columns = NO_COLUMNS, agreed, onHeader, onRefused }: ContactImport,
  counts: Pick<ImportCounts, 'lines' | 'refused'>,
): AsyncGenerator<ContactBatch> {
  let layout: ContactLayout | undefined;
  let contacts: BulkContact[] = [];
  const batch = (): ContactBatch => {
    const all = oneStatusEach(contacts);
    contacts = [];
    return { workspaceId, audienceId, contacts: all, at: clock.now(), ...(agreed && { agreed }) };
  };
  const lines = csvLines(file, CONTACT_FIELDS, (header) => {
    layout = contactLayout(header, columns);
    onHeader(layout.found);
  });
  for await (const some of lines) {
    for (const line of some) {
      counts.lines += 1;
      const contact = readContact(line, layout!);
      if (contact instanceof Reason) {
        counts.refused += 1;
        onRefused(line.line, contact);
        continue;
      }
      contacts.push({ ...contact, emailHash: keyring.hashAddress(contact.email) });
      if (contacts.length === BATCH) yield batch();
    }
  }
  if (contacts.length > 0) yield batch();
}

function readContact(line: CsvLine, { identity, standings }: ContactLayout) {
  if ('fault' in line) return line.fault;
  const { cells } = line;
  return checkContactRow(
    pick(cells, identity),
    standings.map(({ at, ...of }) => ({ ...of, cell: cells[at] ?? '' })),
  );
}

/** Nobody is subscribed whom another line of the batch shows as gone. */
function oneStatusEach(contacts: readonly BulkContact[]): BulkContact[] {
  const gone = contacts.filter(({ status }) => status !== 'subscribed');
  const statuses = new Map(gone.map(({ email, status }) => [email, status]));
  return contacts.map((contact) => ({ ...contact, status: statuses.get(contact.email) ?? contact.status }));
}
