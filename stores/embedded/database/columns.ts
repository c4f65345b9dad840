import { FieldList, plain, type Codec, type FieldsOf } from '../../../lib/fields';
import { textIn, textOut, type Value } from './database';

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

/** The list of the columns of T. SELECT, INSERT and the decoding of rows all follow from it. */
export class ColumnList<T extends object> extends FieldList<T> {
  /** In the same order as `names`. */
  readonly columns: readonly string[];

  constructor(private readonly byField: ColumnsOf<T>) {
    const fields = Object.entries<PlainColumn | CodedColumn<unknown>>(byField);
    super(Object.fromEntries(fields.map(([name, field]) => [name, 'encode' in field ? field : plain])) as FieldsOf<T>);
    this.columns = fields.map(([, field]) => field.column);
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
      Object.fromEntries(fields.map((field) => [field, this.byField[field]])) as ColumnsOf<Pick<T, F>>,
    );
  }

  /** A list of all columns except these. */
  without<F extends keyof T & string>(...fields: readonly F[]): ColumnList<Omit<T, F>> {
    const left = Object.entries(this.byField).filter(([name]) => !(fields as readonly string[]).includes(name));
    return new ColumnList(Object.fromEntries(left) as ColumnsOf<Omit<T, F>>);
  }
}

/** A trusted value as an SQL literal. */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
