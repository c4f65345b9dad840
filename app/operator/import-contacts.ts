import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { checkContactRow, CONTACT_COLUMNS, type ContactColumn } from '../../schemas/contacts/contact-row';
import type { Stores } from '../../stores/ports';
import type { BulkContact } from '../../stores/ports/bulk-contacts';
import type { CsvFile } from '../../lib/csv/csv-file';
import { csvRows, type ColumnNames, type CsvRow } from './csv-rows';

/** Contacts in one transaction. */
const BATCH = 1_000;

export interface ContactImport {
  workspaceId: number;
  /** The audience that all join; null: none. */
  audienceId: number | null;
  file: CsvFile;
  columns: ColumnNames<ContactColumn>;
  /** Called with the column that each field was found in. */
  onHeader: (found: ColumnNames<ContactColumn>) => void;
  /** Called with each refused line, in order; the header is line 1. */
  onRefused: (line: number, reason: string) => void;
}

/** Of the lines behind the header: `lines` = `created` + `existing` + `refused`. */
export interface ImportCounts {
  lines: number;
  created: number;
  existing: number;
  refused: number;
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
  const importing = new Importing(deps, order);
  const { file, columns, onHeader } = order;
  for await (const rows of csvRows({ file, columns: CONTACT_COLUMNS, names: columns, onHeader })) {
    for (const row of rows) await importing.take(row);
  }
  return importing.end();
}

class Importing {
  private readonly counts: ImportCounts = { lines: 0, created: 0, existing: 0, refused: 0 };
  private batch: BulkContact[] = [];

  constructor(
    private readonly deps: ImportDeps,
    private readonly order: ContactImport,
  ) {}

  async take(row: CsvRow<ContactColumn>): Promise<void> {
    this.counts.lines += 1;
    const contact = 'fault' in row ? row.fault : checkContactRow(row.cells);
    if (typeof contact === 'string') {
      this.counts.refused += 1;
      this.order.onRefused(row.line, contact);
      return;
    }
    this.batch.push({ ...contact, emailHash: this.deps.keyring.hashAddress(contact.email) });
    if (this.batch.length === BATCH) await this.store();
  }

  async end(): Promise<ImportCounts> {
    if (this.batch.length > 0) await this.store();
    return this.counts;
  }

  private async store(): Promise<void> {
    const { workspaceId, audienceId } = this.order;
    const contacts = this.batch;
    this.batch = [];
    const at = this.deps.clock.now();
    const outcome = await this.deps.stores.bulkContacts.add({ workspaceId, audienceId, contacts, at });
    if (!outcome) throw new Error(`audience ${audienceId} is gone`);
    this.counts.created += outcome.created;
    this.counts.existing += contacts.length - outcome.created;
  }
}
