import { statusPaint, type Paint } from './paint';
import { fit, printable, width } from './text';

/** A cell: any text, a number (aligned right), or nothing. */
export type Cell = string | number | null;

export interface Column {
  title: string;
  /** Maximum columns of the terminal; default 60. */
  max?: number;
  /** The cells are status words, shown in their colour. */
  status?: boolean;
}

const WIDEST = 60;
const GAP = '  ';

/**
 * A table for people: a header, one line per row, columns aligned. `none` is shown when there are no rows. Ends with a
 * line feed.
 */
export function table(
  paint: Paint,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  none: string,
): string {
  if (rows.length === 0) return `${none}\n`;
  const cells = rows.map((row) => columns.map(({ max }, i) => cellText(row[i] ?? null, max ?? WIDEST)));
  const widths = columns.map(({ title }, i) => Math.max(width(title), ...cells.map((row) => width(row[i] ?? ''))));
  const right = columns.map((_, i) => rows.every((row) => typeof row[i] === 'number'));
  const line = (texts: readonly string[], style: (text: string, i: number) => string): string =>
    texts
      .map((text, i) => {
        const pad = ' '.repeat((widths[i] ?? 0) - width(text));
        if (right[i]) return pad + style(text, i);
        return i === columns.length - 1 ? style(text, i) : style(text, i) + pad;
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title),
    (text) => paint('strong', text),
  );
  const body = cells.map((row) => line(row, (text, i) => (columns[i]?.status ? statusPaint(paint, text) : text)));
  return `${[head, ...body].join('\n')}\n`;
}

/**
 * One object for people: one line per field, names aligned; a field without a value shows `-`. Ends with a line feed.
 */
export function fields(paint: Paint, pairs: readonly (readonly [string, Cell, 'status'?])[]): string {
  const widest = Math.max(...pairs.map(([name]) => width(name)));
  return pairs
    .map(([name, value, status]) => {
      const text = cellText(value, Infinity);
      return `${paint('dim', name.padEnd(widest))}${GAP}${status ? statusPaint(paint, text) : text}\n`;
    })
    .join('');
}

function cellText(value: Cell, max: number): string {
  if (value === null) return '-';
  if (typeof value === 'number') return String(value);
  return max === Infinity ? printable(value) : fit(printable(value), max);
}
