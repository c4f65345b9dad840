import { wibTime } from '../../domain/wib';
import type { Reason } from '../../lib/reason';
import { fit, printable, width } from '../../lib/printable';
import { isTimeName } from './facts';

export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong';
/** Colours a text if colours are enabled; otherwise returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;
/** The zones that times are shown in to people. */
export type Zone = 'WIB' | 'UTC';

/** A cell: any text, a number (aligned right), or nothing. */
export type Cell = string | number | null;
/** Where a cell comes from: a field of the row, or a function of it. */
type Source<Row> = (keyof Row & string) | ((row: Row, view: View) => Cell);

export interface Column<Row> {
  of: Source<Row>;
  /** Maximum columns of the terminal in a table; default 60. */
  max?: number;
  /** The cells are status words, shown in their colour. */
  status?: true;
}

/**
 * Columns of a table, or lines of details, by their titles. Fields that are times (`at`, `..._at`, `until`) are shown
 * as such.
 */
export type Columns<Row> = Readonly<Record<string, Source<Row> | Column<Row>>>;

/** A column of status words. */
export const status = <Row>(of: Source<Row>): Column<Row> => ({ of, status: true });
/** A column of at most `max` columns of the terminal. */
export const upTo = <Row>(max: number, of: Source<Row>): Column<Row> => ({ of, max });

const WIDEST = 60;
const GAP = '  ';

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  delivered: 'good',
  ok: 'good',
  on: 'good',
  bounced: 'bad',
  failed: 'bad',
  missing: 'bad',
  differs: 'bad',
  wrong: 'bad',
  unknown: 'bad',
  suspended: 'bad',
  revoked: 'bad',
  dns_failed: 'bad',
  off: 'bad',
  pending_dns: 'warn',
  queued: 'warn',
  sending: 'warn',
};

const utcTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const columnOf = <Row>(column: Source<Row> | Column<Row>): Column<Row> =>
  typeof column === 'object' ? column : { of: column };

/** How answers are shown to people: tables, details, times in a zone, colours. */
export class View {
  constructor(
    readonly paint: Paint,
    private readonly zone: Zone = 'WIB',
  ) {}

  /** A time, in ms since the epoch or as JSON has it, to the second and with its zone. Null for none. */
  time(at: number | string | null): string | null {
    if (at === null) return null;
    const ms = typeof at === 'number' ? at : Date.parse(at);
    return `${this.zone === 'UTC' ? utcTime(ms) : wibTime(ms)} ${this.zone}`;
  }

  /** A status word in its colour; other words stay unchanged. */
  status(word: string): string {
    const tone = TONES[word];
    return tone ? this.paint(tone, word) : word;
  }

  /** A title above a table. */
  title(text: string): string {
    return `\n${this.paint('strong', text)}\n`;
  }

  /** Each warning on a line of its own. */
  warnings(warnings: readonly Reason[]): string {
    return warnings.map((warning) => `${this.paint('warn', 'warning')}  ${printable(String(warning))}\n`).join('');
  }

  /**
   * A table: a header, one line per row, columns aligned. `none` is shown when there are no rows. Ends with a line
   * feed.
   */
  table<Row extends object>(rows: readonly Row[], columns: Columns<Row>, none = ''): string {
    if (rows.length === 0) return `${none}\n`;
    const titles = Object.keys(columns);
    const shown = Object.values(columns).map(columnOf);
    const cells = rows.map((row) => shown.map((column) => this.cell(row, column)));
    const texts = cells.map((row) => row.map((cell, i) => cellText(cell, shown[i]?.max ?? WIDEST)));
    const widths = titles.map((title, i) => Math.max(width(title), ...texts.map((row) => width(row[i] ?? ''))));
    const right = titles.map((_, i) => cells.every((row) => typeof row[i] === 'number'));
    const line = (row: readonly string[], style: (text: string, i: number) => string): string =>
      row
        .map((text, i) => {
          const pad = ' '.repeat((widths[i] ?? 0) - width(text));
          if (right[i]) return pad + style(text, i);
          return i === titles.length - 1 ? style(text, i) : style(text, i) + pad;
        })
        .join(GAP)
        .trimEnd();
    const head = line(titles, (text) => this.paint('strong', text));
    const body = texts.map((row) => line(row, (text, i) => (shown[i]?.status ? this.status(text) : text)));
    return `${[head, ...body].join('\n')}\n`;
  }

  /** One object: one line per field, names aligned; a field without a value shows `-`. Ends with a line feed. */
  details<Row extends object>(row: Row, fields: Columns<Row>): string {
    const widest = Math.max(...Object.keys(fields).map(width));
    return Object.entries(fields)
      .map(([name, field]) => {
        const column = columnOf(field);
        const text = cellText(this.cell(row, column), Infinity);
        return `${this.paint('dim', name.padEnd(widest))}${GAP}${column.status ? this.status(text) : text}\n`;
      })
      .join('');
  }

  private cell<Row extends object>(row: Row, { of }: Column<Row>): Cell {
    if (typeof of === 'function') return of(row, this);
    const value: unknown = row[of];
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    if (Array.isArray(value)) return value.join(', ') || null;
    if (typeof value === 'number') return isTimeName(of) ? this.time(value) : value;
    if (typeof value !== 'string') return JSON.stringify(value);
    return isTimeName(of) ? this.time(value) : value;
  }
}

function cellText(value: Cell, max: number): string {
  if (value === null) return '-';
  if (typeof value === 'number') return String(value);
  return max === Infinity ? printable(value) : fit(printable(value), max);
}
