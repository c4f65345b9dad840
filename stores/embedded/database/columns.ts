import type { FieldKind, Fields, ValuesOf } from '../../../domain/field';
import { FieldList, plain, type Codec, type FieldsOf } from '../../../lib/fields';
import { columnName } from './column-definitions';
import { textIn, textOut, type Database, type Value } from './database';

/** A column whose value is stored as it is. */
interface PlainColumn {
  readonly column: string;
}

/** A column whose value must be encoded for SQLite. */
export interface CodedColumn<V> extends PlainColumn, Codec<V> {}

/** The column of every field of T. A field that holds more than a number, a string or null needs a codec. */
export type ColumnsOf<T> = {
  readonly [F in keyof T]-?: CodedColumn<T[F]> | ([T[F]] extends [Value] ? PlainColumn : never);
};

/** A value that is stored as it is. */
export const column = (name: string): PlainColumn => ({ column: name });

/** Fields that are stored as they are, each in the column of its name in snake case. */
export const columns = <F extends string>(...fields: readonly F[]): Record<F, PlainColumn> =>
  Object.fromEntries(fields.map((field) => [field, column(columnName(field))])) as Record<F, PlainColumn>;

/** User-written text, which may contain a NUL character. */
export const textColumn = <V extends string | null>(name: string): CodedColumn<V> => ({
  column: name,
  encode: (text) => (text === null ? null : textIn(text)),
  decode: (stored) => (stored === null ? null : textOut(stored as string | Uint8Array)) as V,
});

/** A boolean, as 1 or 0. */
export const flagColumn = (name: string): CodedColumn<boolean> => ({
  column: name,
  encode: Number,
  decode: (stored) => stored === 1,
});

/** Any value, as JSON; null stays null. */
export const jsonColumn = <V>(name: string): CodedColumn<V> => ({
  column: name,
  encode: (value) => (value === null ? null : JSON.stringify(value)),
  decode: (stored) => (stored === null ? null : JSON.parse(stored as string)) as V,
});

const COLUMN_OF: Readonly<Record<FieldKind, (name: string) => PlainColumn | CodedColumn<never>>> = {
  number: column,
  word: column,
  text: textColumn,
  flag: flagColumn,
  object: jsonColumn,
  named: jsonColumn,
};

/** The columns of declared fields, each of its name in snake case. */
export const declaredColumns = <F extends Fields>(fields: F): ColumnsOf<ValuesOf<F>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, COLUMN_OF[kind](columnName(name))]),
  ) as unknown as ColumnsOf<ValuesOf<F>>;

/** The columns of a table that make a T. SELECT, INSERT and the decoding of rows all follow from this one list. */
export class ColumnList<T extends object> extends FieldList<T> {
  /** In the same order as `names`. */
  readonly columns: readonly string[];
  /** The assignments of an UPDATE that sets all columns. */
  readonly assignments: string;
  /** The SELECT of all rows, for a WHERE clause to follow. */
  readonly selection: string;
  private readonly insertion: string;
  private readonly insertionOfNew: string;

  constructor(
    private readonly table: string,
    private readonly byField: ColumnsOf<T>,
  ) {
    const fields = Object.entries<PlainColumn | CodedColumn<unknown>>(byField);
    super(Object.fromEntries(fields.map(([name, field]) => [name, 'encode' in field ? field : plain])) as FieldsOf<T>);
    this.columns = fields.map(([, field]) => field.column);
    this.assignments = this.columns.map((name) => `${name} = ?`).join(', ');
    this.selection = `SELECT ${this.columns.join(', ')} FROM ${table}`;
    this.insertion = `INSERT INTO ${table} (${this.columns.join(', ')}) VALUES (${this.columns.map(() => '?').join(', ')})`;
    this.insertionOfNew = `${this.insertion} ON CONFLICT DO NOTHING`;
  }

  /** The first row, or null. `rest` follows the name of the table in the SELECT. */
  get(db: Database, rest: string, ...parameters: Value[]): T | null {
    const values = db.values(`${this.selection} ${rest}`, ...parameters);
    return values ? this.decodeFrom(values, 0) : null;
  }

  /** All rows; as `get`. */
  all(db: Pick<Database, 'all'>, rest: string, ...parameters: Value[]): T[] {
    return db.all<object>(`${this.selection} ${rest}`, ...parameters).map((row) => this.fromRow(row));
  }

  /** Inserts a row and returns its row id. */
  insert(db: Database, value: T): number {
    return db.insert(this.insertion, ...this.bind(value));
  }

  /** Inserts a row unless a unique key has it already; false if so. */
  insertNew(db: Database, value: T): boolean {
    return db.run(this.insertionOfNew, ...this.bind(value)) > 0;
  }

  /** Inserts a row in place of the one with its key. */
  replace(db: Database, value: T): void {
    db.run(this.insertion.replace('INSERT', 'INSERT OR REPLACE'), ...this.bind(value));
  }

  /** Inserts a row, or changes the one with its key as ON CONFLICT says. Returns the number of changed rows. */
  upsert(db: Database, onConflict: string, value: T): number {
    return db.run(`${this.insertion} ON CONFLICT ${onConflict}`, ...this.bind(value));
  }

  /** The column list of a SELECT, for the table with this alias. */
  select(alias: string): string {
    return this.columns.map((name) => `${alias}.${name}`).join(', ');
  }

  /** The values of an object, for binding to a statement. */
  bind(value: T): Value[] {
    return this.encode(value) as readonly unknown[] as Value[];
  }

  /** One field, by its index in `names`, for binding to a statement. */
  bindField(n: number, value: unknown): Value {
    return this.encodeField(n, value) as Value;
  }

  /** Builds an object from a row whose values are named by column. */
  fromRow(row: object): T {
    const named = row as Record<string, unknown>;
    return this.decodeFrom(
      this.columns.map((name) => named[name]),
      0,
    );
  }

  /** A list of some of the columns, in this order. */
  only<F extends keyof T & string>(fields: readonly F[]): ColumnList<Pick<T, F>> {
    return new ColumnList(
      this.table,
      Object.fromEntries(fields.map((field) => [field, this.byField[field]])) as ColumnsOf<Pick<T, F>>,
    );
  }

  /** A list of all columns except these. */
  without<F extends keyof T & string>(...fields: readonly F[]): ColumnList<Omit<T, F>> {
    const left = Object.entries(this.byField).filter(([name]) => !(fields as readonly string[]).includes(name));
    return new ColumnList(this.table, Object.fromEntries(left) as ColumnsOf<Omit<T, F>>);
  }
}
