import type { CsvFile } from '../../lib/csv/csv-file';
import type { CsvRecord } from '../../lib/csv/csv-reader';
import { withoutGuard } from '../../lib/csv/csv-text';
import { plainName } from '../../schemas/contacts/status-columns';
import { reasonsOf, type Reason, type Value } from '../../lib/reason';
import { isEmailAddress } from '../../schemas/rules/email-address';

/** What may be wrong with a file of contacts or addresses. */
export const fileFault = reasonsOf({
  empty: ['The file is empty.', 'File ini kosong.'],
  folder: ['it is a folder', 'ini sebuah folder'],
  header: ['The header cannot be read. {fault}', 'Baris judulnya tidak bisa dibaca. {fault}'],
  cells: [
    'The line has {cells} cells, but the header has only {width}.',
    'Baris ini punya {cells} sel, sedangkan baris judulnya hanya {width}.',
  ],
  no_column: ['The file has no column {name}.', 'File ini tidak punya kolom {name}.'],
  several: [
    'The file has {count} columns for the {field}: {all}.',
    'File ini punya {count} kolom untuk {field}: {all}.',
  ],
  and: ['{one} and {other}', '{one} dan {other}'],
  doubtful: [
    'A column may say who must not receive email: {told}.',
    'Sebuah kolom mungkin menyebut siapa yang tidak boleh dikirimi email: {told}.',
  ],
  doubtful_columns: [
    '{count} columns may say who must not receive email: {told}.',
    '{count} kolom mungkin menyebut siapa yang tidak boleh dikirimi email: {told}.',
  ],
});

/** The file as a whole cannot be imported: empty, or without the columns it needs. */
export class CsvFileError extends Error {
  override readonly name = 'CsvFileError';

  constructor(
    readonly reason: Reason,
    /** What to do about it. */
    readonly fix: string,
    /** The argument or option it is about. */
    readonly argument = '<file>',
  ) {
    super(reason.toString());
  }
}

/** The column of the file for each field, where it is not called like the field. */
export type ColumnNames<C extends string> = Partial<Record<C, string>>;

/** The columns of a file: their names, and whether a line of the file gave them. */
export interface CsvHeader {
  /** `column 1` for one without a name. */
  names: readonly string[];
  /** Where the only address of a first line is that is no header; null: there is a header, or no such place. */
  address: number | null;
}

/** A line behind the header: its cells, or why it cannot be read. */
export type CsvLine = { line: number } & ({ cells: readonly string[] } | { fault: Reason });

/**
 * The lines of a CSV file, as they are read: memory does not grow with the file. The first is a header, unless it has
 * an address. Calls `onHeader` before the first lines. Throws CsvFileError.
 */
export async function* csvLines(
  file: CsvFile,
  fields: readonly string[],
  onHeader: (header: CsvHeader) => void,
): AsyncGenerator<CsvLine[]> {
  const seen: { width: number | null } = { width: null };
  const take = (record: CsvRecord): CsvLine[] => {
    if (seen.width !== null) return [{ line: record.line, ...readLine(record, seen.width) }];
    const first = readHeader(record);
    seen.width = first.width;
    onHeader(first.header);
    return first.isHeader ? [] : [{ line: record.line, ...readLine(record, first.width) }];
  };
  for await (const records of file.records()) yield records.flatMap(take);
  if (seen.width !== null) return;
  throw new CsvFileError(fileFault('empty'), `The file needs a header line, such as ${fields.join(',')}.`);
}

function readHeader(record: CsvRecord): { header: CsvHeader; width: number; isHeader: boolean } {
  if ('fault' in record) {
    throw new CsvFileError(fileFault('header', { fault: record.fault }), 'Set the encoding with --encoding.');
  }
  const cells = record.cells.map((name) => withoutGuard(name).trim());
  const addresses = cells.flatMap((cell, at) => (isEmailAddress(cell) ? [at] : []));
  const isHeader = addresses.length === 0;
  const names = cells.map((name, at) => (isHeader && name !== '' ? name : `column ${at + 1}`));
  const address = addresses.length === 1 ? addresses[0]! : null;
  return { header: { names, address }, width: cells.length, isHeader };
}

/** A line may have fewer cells than the header: the rest is empty. */
function readLine(record: CsvRecord, width: number): { cells: readonly string[] } | { fault: Reason } {
  if ('fault' in record) return { fault: record.fault };
  const { cells } = record;
  if (cells.length > width) return { fault: fileFault('cells', { cells: cells.length, width }) };
  return { cells: cells.map(withoutGuard) };
}

/** The cells of some fields, by where they are. */
export const pick = <C extends string>(
  cells: readonly string[],
  places: ReadonlyMap<C, number>,
): Partial<Record<C, string>> =>
  Object.fromEntries(
    [...places].flatMap(([field, at]) => (cells[at] === undefined ? [] : [[field, cells[at]]])),
  ) as Partial<Record<C, string>>;

/** What is looked for in a header, each with the other names that its column may have; the first must be there. */
export type WantedColumns<C extends string> = Readonly<Record<C, readonly string[]>>;

/**
 * Where each field is, and what its column is called: by the name that is given for it, by its own, or by one of its
 * other names. `taken`: columns that are something else. Throws CsvFileError; unless `strict`, a field is left out
 * instead when its column is missing, or could be several.
 */
export function findColumns<C extends string>(
  header: CsvHeader,
  columns: WantedColumns<C>,
  given: ColumnNames<C>,
  { taken = new Set(), strict = true }: { taken?: ReadonlySet<number>; strict?: boolean } = {},
): { places: ReadonlyMap<C, number>; found: ColumnNames<C> } {
  const places = new Map<C, number>();
  const found: ColumnNames<C> = {};
  (Object.keys(columns) as C[]).forEach((field, i) => {
    const isFirst = i === 0;
    const wanted = { field, given: given[field], others: columns[field], needed: isFirst };
    const isBare = isFirst && given[field] === undefined && header.address !== null;
    const free = strict ? findColumn : onlyColumn;
    const place = isBare ? header.address : free(header.names, wanted, taken);
    if (place === null) return;
    places.set(field, place);
    found[field] = header.names[place]!;
  });
  return { places, found };
}

interface Wanted {
  field: string;
  /** Its name in the file, if the caller says so. */
  given: string | undefined;
  others: readonly string[];
  needed: boolean;
}

/** Where a field may be. */
function placesOf(names: readonly string[], { field, given, others }: Wanted): number[] {
  const at = namedExactly(names, given ?? field);
  if (at.length > 0 || given !== undefined) return at;
  return placesWhere(names, (name) => others.some((other) => plainName(other) === plainName(name)));
}

const placesWhere = (names: readonly string[], matches: (name: string) => boolean): number[] =>
  names.flatMap((name, at) => (matches(name) ? [at] : []));

function namedExactly(names: readonly string[], wanted: string): number[] {
  const exact = placesWhere(names, (name) => name === wanted);
  return exact.length > 0 ? exact : placesWhere(names, (name) => name.toLowerCase() === wanted.toLowerCase());
}

/**
 * The columns of a name: as it is, or without case, or without spaces, hyphens and underscores. Throws CsvFileError.
 */
export function columnsNamed(names: readonly string[], wanted: string): number[] {
  const exact = namedExactly(names, wanted);
  const found = exact.length > 0 ? exact : placesWhere(names, (name) => plainName(name) === plainName(wanted));
  if (found.length > 0) return found;
  throw new CsvFileError(fileFault('no_column', { name: JSON.stringify(wanted) }), `Columns: ${listOf(names)}.`);
}

const listOf = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

function onlyColumn(names: readonly string[], wanted: Wanted, taken: ReadonlySet<number>): number | null {
  const found = placesOf(names, wanted).filter((at) => !taken.has(at));
  return found.length === 1 ? found[0]! : null;
}

function findColumn(names: readonly string[], wantedColumn: Wanted, taken: ReadonlySet<number>): number | null {
  const { field, given, needed } = wantedColumn;
  const found = placesOf(names, wantedColumn).filter((at) => !taken.has(at));
  if (found.length > 1) {
    const several = found.map((i) => JSON.stringify(names[i]));
    const all = several.slice(1).reduce<Value>((one, other) => fileFault('and', { one, other }), several[0]!);
    throw new CsvFileError(
      fileFault('several', { count: found.length, field, all }),
      `Choose one: --map ${field}=<column>. If they have the same name, rename one of them.`,
    );
  }
  if (found[0] !== undefined) return found[0];
  if (given === undefined && !needed) return null;
  throw new CsvFileError(
    fileFault('no_column', { name: JSON.stringify(given ?? field) }),
    `Choose one: --map ${field}=<column>. Columns: ${listOf(names)}.`,
  );
}
