import { Readable } from 'node:stream';
import { csvLine } from '../../lib/csv/csv-text';
import type { Answer } from './screen';

/** Where a page of a list begins. */
type After = number | string;
/** A page of rows, as the lists of operations answer it. */
interface Page<Row> {
  data: readonly Row[];
  next_after: After | null;
}

const text = (cell: unknown): string => (typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '');

async function* lines<Row>(
  columns: readonly (keyof Row & string)[],
  first: Page<Row>,
  read: (after: After) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let page = first; ; page = await read(page.next_after)) {
    if (page.data.length > 0)
      yield page.data.map((row) => csvLine(columns.map((column) => text(row[column])))).join('');
    if (page.next_after === null) return;
  }
}

/**
 * A list as a CSV file that is sent while it is read, so that memory does not grow with it. A refusal is thrown before
 * the file begins.
 */
export async function csvFile<Row>(
  name: string,
  columns: readonly (keyof Row & string)[],
  read: (after: After | null) => Promise<Page<Row>>,
): Promise<Answer> {
  const body = Readable.from(lines(columns, await read(null), read), { objectMode: false });
  return { kind: 'file', type: 'text/csv; charset=utf-8', body, name };
}
