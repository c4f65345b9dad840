import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { readCsv } from '../../lib/csv/read-csv';
import type { CsvRecord } from '../../lib/csv/csv-reader';
import { withoutGuard } from '../../lib/csv/csv-text';
import { checkContactRow, CONTACT_COLUMNS, type ContactColumn, type ContactRow } from '../../schemas/contact-row';
import type { Stores } from '../../stores/ports';
import type { BulkContact } from '../../stores/ports/bulk-contacts';

/** Contacts in one transaction. */
const BATCH = 1_000;

/** The file as a whole cannot be imported: empty, or without the columns it needs. */
export class ContactFileError extends Error {
  override readonly name = 'ContactFileError';

  constructor(
    message: string,
    /** What to do about it. */
    readonly fix: string,
  ) {
    super(message);
  }
}

/** The column of the file for each field, where it is not called like the field. */
export type ColumnNames = Partial<Record<ContactColumn, string>>;

export interface ContactImport {
  workspaceId: number;
  /** The audience that all join; null: none. */
  audienceId: number | null;
  file: AsyncIterable<Buffer | string>;
  columns: ColumnNames;
  /** Called with each refused line, in order; the header is line 1. */
  onRefused(line: number, reason: string): void;
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
 * again, after a crash or over the same file, changes nothing that is there. Throws ContactFileError.
 */
export async function importContacts(deps: ImportDeps, order: ContactImport): Promise<ImportCounts> {
  const importing = new Importing(deps, order);
  for await (const records of readCsv(order.file)) {
    for (const record of records) await importing.take(record);
  }
  return importing.end();
}

class Importing {
  private readonly counts: ImportCounts = { lines: 0, created: 0, existing: 0, refused: 0 };
  private header: Header | null = null;
  private batch: BulkContact[] = [];

  constructor(
    private readonly deps: ImportDeps,
    private readonly order: ContactImport,
  ) {}

  async take(record: CsvRecord): Promise<void> {
    if (!this.header) {
      this.header = readHeader(record, this.order.columns);
      return;
    }
    this.counts.lines += 1;
    const row = 'fault' in record ? record.fault : readRow(record.cells, this.header);
    if (typeof row === 'string') {
      this.counts.refused += 1;
      this.order.onRefused(record.line, row);
      return;
    }
    this.batch.push({ ...row, emailHash: this.deps.keyring.hashAddress(row.email) });
    if (this.batch.length === BATCH) await this.store();
  }

  async end(): Promise<ImportCounts> {
    if (!this.header) throw new ContactFileError('The file is empty.', 'It needs a header line, such as email,name.');
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

interface Header {
  width: number;
  /** Where each field is; a missing one has no column. */
  places: ReadonlyMap<ContactColumn, number>;
}

function readHeader(record: CsvRecord, columns: ColumnNames): Header {
  if ('fault' in record) {
    throw new ContactFileError(`The header cannot be read. ${record.fault}`, 'Give a CSV file in UTF-8.');
  }
  const names = record.cells.map((name) => withoutGuard(name).trim());
  const places = new Map<ContactColumn, number>();
  for (const field of CONTACT_COLUMNS) {
    const place = findColumn(names, field, columns[field]);
    if (place !== null) places.set(field, place);
  }
  return { width: names.length, places };
}

/** A column is found by its exact name, or in any case. */
function findColumn(names: readonly string[], field: ContactColumn, given: string | undefined): number | null {
  const wanted = given ?? field;
  const at = (matches: (name: string) => boolean) => names.flatMap((name, i) => (matches(name) ? [i] : []));
  const exact = at((name) => name === wanted);
  const found = exact.length > 0 ? exact : at((name) => name.toLowerCase() === wanted.toLowerCase());
  const columns = names.map((name) => JSON.stringify(name)).join(', ');
  if (found.length > 1) {
    throw new ContactFileError(
      `The file has ${found.length} columns ${JSON.stringify(wanted)}.`,
      `Rename one of them. The columns: ${columns}.`,
    );
  }
  if (found[0] !== undefined) return found[0];
  if (given === undefined && field !== 'email') return null;
  const separated = names.length === 1 && /[;\t]/.test(names[0] ?? '');
  throw new ContactFileError(
    `The file has no column ${JSON.stringify(wanted)}.`,
    separated
      ? 'Its columns seem to be separated by semicolons or tabs. Save it with commas.'
      : `Name the right one: --map ${field}=<column>. The columns: ${columns}.`,
  );
}

/** The contact of a line, or why it is refused. A line may have fewer cells than the header: the rest is empty. */
function readRow(cells: readonly string[], { width, places }: Header): ContactRow | string {
  if (cells.length > width) return `The line has ${cells.length} cells, the header only ${width}.`;
  const given: Partial<Record<ContactColumn, string>> = {};
  for (const [field, place] of places) {
    const cell = cells[place];
    if (cell !== undefined) given[field] = withoutGuard(cell);
  }
  return checkContactRow(given);
}
