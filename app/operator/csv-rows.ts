import { readCsv } from '../../lib/csv/read-csv';
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
  file: AsyncIterable<Buffer | string>;
  /** What is read; the first must be there. */
  columns: readonly [C, ...C[]];
  names: ColumnNames<C>;
}

/** A line behind the header, which is line 1: its cells by column, or why it cannot be read. */
export type CsvRow<C extends string> = { line: number } & ({ cells: Partial<Record<C, string>> } | { fault: string });

/**
 * The lines of a CSV file with a header, as they are read: memory does not grow with the file. A column is found by its
 * exact name, or in any case; other columns are passed over. Throws CsvFileError.
 */
export async function* csvRows<C extends string>({ file, columns, names }: CsvTable<C>): AsyncGenerator<CsvRow<C>[]> {
  let header: Header<C> | null = null;
  for await (const records of readCsv(file)) {
    const rows: CsvRow<C>[] = [];
    for (const record of records) {
      if (header) rows.push({ line: record.line, ...readRow(record, header) });
      else header = readHeader(record, columns, names);
    }
    yield rows;
  }
  if (!header) throw new CsvFileError('The file is empty.', `It needs a header line, such as ${columns.join(',')}.`);
}

interface Header<C extends string> {
  width: number;
  /** Where each field is; a missing one has no column. */
  places: ReadonlyMap<C, number>;
}

function readHeader<C extends string>(record: CsvRecord, columns: readonly C[], given: ColumnNames<C>): Header<C> {
  if ('fault' in record) {
    throw new CsvFileError(`The header cannot be read. ${record.fault}`, 'Give a CSV file in UTF-8.');
  }
  const names = record.cells.map((name) => withoutGuard(name).trim());
  const places = new Map<C, number>();
  columns.forEach((field, i) => {
    const place = findColumn(names, field, { given: given[field], needed: i === 0 });
    if (place !== null) places.set(field, place);
  });
  return { width: names.length, places };
}

interface Wanted {
  /** Its name in the file, if it has one of its own. */
  given: string | undefined;
  needed: boolean;
}

function findColumn(names: readonly string[], field: string, { given, needed }: Wanted): number | null {
  const wanted = given ?? field;
  const at = (matches: (name: string) => boolean) => names.flatMap((name, i) => (matches(name) ? [i] : []));
  const exact = at((name) => name === wanted);
  const found = exact.length > 0 ? exact : at((name) => name.toLowerCase() === wanted.toLowerCase());
  const columns = names.map((name) => JSON.stringify(name)).join(', ');
  if (found.length > 1) {
    throw new CsvFileError(
      `The file has ${found.length} columns ${JSON.stringify(wanted)}.`,
      `Rename one of them. The columns: ${columns}.`,
    );
  }
  if (found[0] !== undefined) return found[0];
  if (given === undefined && !needed) return null;
  const separated = names.length === 1 && /[;\t]/.test(names[0] ?? '');
  throw new CsvFileError(
    `The file has no column ${JSON.stringify(wanted)}.`,
    separated
      ? 'Its columns seem to be separated by semicolons or tabs. Save it with commas.'
      : `Name the right one: --map ${field}=<column>. The columns: ${columns}.`,
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
