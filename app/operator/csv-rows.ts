import type { CsvFile } from '../../lib/csv/csv-file';
import type { CsvRecord } from '../../lib/csv/csv-reader';
import { withoutGuard } from '../../lib/csv/csv-text';

/** The file as a whole cannot be imported: empty, or without the columns it needs. */
export class CsvFileError extends Error {
  override readonly name = 'CsvFileError';

  constructor(
    message: string,
    /** What to do about it. */
    readonly fix: string,
  ) {
    super(message);
  }
}

/** The column of the file for each field, where it is not called like the field. */
export type ColumnNames<C extends string> = Partial<Record<C, string>>;

export interface CsvTable<C extends string> {
  file: CsvFile;
  /** What is read, each with the other names that its column may have; the first must be there. */
  columns: Readonly<Record<C, readonly string[]>>;
  names: ColumnNames<C>;
  /** Called with the column that each field was found in. */
  onHeader: (found: ColumnNames<C>) => void;
}

/** A line behind the header: its cells by column, or why it cannot be read. */
export type CsvRow<C extends string> = { line: number } & ({ cells: Partial<Record<C, string>> } | { fault: string });

/**
 * The lines of a CSV file with a header, as they are read: memory does not grow with the file. A column is found by the
 * name that is given for it, by its own, or by one of its other names; other columns are passed over. Throws
 * CsvFileError.
 */
export async function* csvRows<C extends string>(table: CsvTable<C>): AsyncGenerator<CsvRow<C>[]> {
  let header: Header<C> | null = null;
  for await (const records of table.file.records()) {
    const rows: CsvRow<C>[] = [];
    for (const record of records) {
      if (header) rows.push({ line: record.line, ...readRow(record, header) });
      else header = readHeader(record, table);
    }
    yield rows;
  }
  if (header) return;
  throw new CsvFileError('The file is empty.', `It needs a header line, such as ${fieldsOf(table).join(',')}.`);
}

const fieldsOf = <C extends string>({ columns }: Pick<CsvTable<C>, 'columns'>): C[] => Object.keys(columns) as C[];

interface Header<C extends string> {
  width: number;
  /** Where each field is; a missing one has no column. */
  places: ReadonlyMap<C, number>;
}

function readHeader<C extends string>(record: CsvRecord, table: CsvTable<C>): Header<C> {
  if ('fault' in record) {
    throw new CsvFileError(`The header cannot be read. ${record.fault}`, 'Name its encoding: --encoding.');
  }
  const names = record.cells.map((name) => withoutGuard(name).trim());
  const places = new Map<C, number>();
  const found: ColumnNames<C> = {};
  fieldsOf(table).forEach((field, i) => {
    const { names: given, columns } = table;
    const place = findColumn(names, { field, given: given[field], others: columns[field], needed: i === 0 });
    if (place === null) return;
    places.set(field, place);
    found[field] = names[place]!;
  });
  table.onHeader(found);
  return { width: names.length, places };
}

/** The columns that the fields are found in by their names alone; one that could be several is left out. */
export function guessColumns<C extends string>(
  header: readonly string[],
  columns: Readonly<Record<C, readonly string[]>>,
): ColumnNames<C> {
  const found: ColumnNames<C> = {};
  for (const field of fieldsOf({ columns })) {
    const places = placesOf(header, { field, given: undefined, others: columns[field] });
    if (places.length === 1) found[field] = header[places[0]!]!;
  }
  return found;
}

interface Wanted {
  field: string;
  /** Its name in the file, if the caller says so. */
  given: string | undefined;
  others: readonly string[];
  needed: boolean;
}

/** Names are equal without case, spaces, hyphens and underscores. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Where a field may be. */
function placesOf(names: readonly string[], { field, given, others }: Omit<Wanted, 'needed'>): number[] {
  const at = (matches: (name: string) => boolean) => names.flatMap((name, i) => (matches(name) ? [i] : []));
  const wanted = given ?? field;
  const tries = [(name: string) => name === wanted, (name: string) => name.toLowerCase() === wanted.toLowerCase()];
  if (given === undefined) tries.push((name) => others.some((other) => plain(other) === plain(name)));
  return tries.map(at).find((places) => places.length > 0) ?? [];
}

function findColumn(names: readonly string[], wantedColumn: Wanted): number | null {
  const { field, given, needed } = wantedColumn;
  const wanted = given ?? field;
  const found = placesOf(names, wantedColumn);
  if (found.length > 1) {
    const several = found.map((i) => JSON.stringify(names[i])).join(' and ');
    throw new CsvFileError(
      `The file has ${found.length} columns for the ${field}: ${several}.`,
      `Name the right one: --map ${field}=<column>. Rename one of them, if they are called alike.`,
    );
  }
  if (found[0] !== undefined) return found[0];
  if (given === undefined && !needed) return null;
  throw new CsvFileError(
    `The file has no column ${JSON.stringify(wanted)}.`,
    `Name the right one: --map ${field}=<column>. The columns: ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
  );
}

/** A line may have fewer cells than the header: the rest is empty. */
function readRow<C extends string>(
  record: CsvRecord,
  { width, places }: Header<C>,
): { cells: Partial<Record<C, string>> } | { fault: string } {
  if ('fault' in record) return { fault: record.fault };
  const { cells } = record;
  if (cells.length > width) return { fault: `The line has ${cells.length} cells, the header only ${width}.` };
  const given: Partial<Record<C, string>> = {};
  for (const [field, place] of places) {
    const cell = cells[place];
    if (cell !== undefined) given[field] = withoutGuard(cell);
  }
  return { cells: given };
}
