import { FieldList, plain, type Codec, type FieldsOf } from '../../../lib/fields';
import { textIn, textOut, type Value } from './database';

/** A column whose value is stored as it is. */
interface PlainColumn {
  readonly column: string;
}

/** A column whose value SQLite cannot hold as it is. */
export interface CodedColumn<V> extends PlainColumn, Codec<V> {}

/** The column of every field of T; one that holds more than a number, a text or null needs a way to be written. */
export type ColumnsOf<T> = {
  readonly [F in keyof T]-?: CodedColumn<T[F]> | ([T[F]] extends [Value] ? PlainColumn : never);
};

/** A value that is stored as it is. */
export const column = (name: string): PlainColumn => ({ column: name });

/** A text that a caller wrote: it may hold a NUL character. */
export const textColumn = <V extends string | null>(name: string): CodedColumn<V> => ({
  column: name,
  encode: (text) => (text === null ? null : textIn(text)),
  decode: (stored) => (stored === null ? null : textOut(stored as string | Uint8Array)) as V,
});

/** Yes or no, as 1 or 0. */
export const flagColumn = (name: string): CodedColumn<boolean> => ({
  column: name,
  encode: Number,
  decode: (stored) => stored === 1,
});

/** Anything, as JSON; null stays null. */
export const jsonColumn = <V>(name: string): CodedColumn<V> => ({
  column: name,
  encode: (value) => (value === null ? null : JSON.stringify(value)),
  decode: (stored) => (stored === null ? null : JSON.parse(stored as string)) as V,
});

/** One list of the columns of T: what is selected and inserted follows from it, and so does how a row is read. */
export class ColumnList<T extends object> extends FieldList<T> {
  /** In the order of `names`. */
  readonly columns: readonly string[];

  constructor(private readonly byField: ColumnsOf<T>) {
    const fields = Object.entries<PlainColumn | CodedColumn<unknown>>(byField);
    super(Object.fromEntries(fields.map(([name, field]) => [name, 'encode' in field ? field : plain])) as FieldsOf<T>);
    this.columns = fields.map(([, field]) => field.column);
  }

  /** What a SELECT reads, of the table with this alias. */
  select(alias: string): string {
    return this.columns.map((name) => `${alias}.${name}`).join(', ');
  }

  /** The values of an object, to be bound to a statement. */
  bind(value: T): Value[] {
    return this.encode(value) as readonly unknown[] as Value[];
  }

  /** One field, by its number in `names`, to be bound to a statement. */
  bindField(n: number, value: unknown): Value {
    return this.encodeField(n, value) as Value;
  }

  /** An object from a row whose values have the names of their columns. */
  fromRow(row: object): T {
    const named = row as Record<string, unknown>;
    return this.decodeFrom(
      this.columns.map((name) => named[name]),
      0,
    );
  }

  /** Some of the columns, in this order. */
  only<F extends keyof T & string>(fields: readonly F[]): ColumnList<Pick<T, F>> {
    return new ColumnList(
      Object.fromEntries(fields.map((field) => [field, this.byField[field]])) as ColumnsOf<Pick<T, F>>,
    );
  }

  /** All columns but these. */
  without<F extends keyof T & string>(...fields: readonly F[]): ColumnList<Omit<T, F>> {
    const left = Object.entries(this.byField).filter(([name]) => !(fields as readonly string[]).includes(name));
    return new ColumnList(Object.fromEntries(left) as ColumnsOf<Omit<T, F>>);
  }
}

/** A value of our own as it stands in a statement. */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
