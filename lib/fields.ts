/** How one field is encoded where it is stored or sent, and decoded again. */
export interface Codec<V> {
  encode(value: V): unknown;
  decode(written: unknown): V;
}

/** Marks a field that is written as it is. */
export const plain = 'plain';

/** Every field of T with its codec. A missing or unknown field does not compile. */
export type FieldsOf<T> = { readonly [F in keyof T]-?: Codec<T[F]> | typeof plain };

/**
 * An object with these keys. Copying it and filling it in is faster than adding the keys one by one, and takes less
 * memory, because a parsed object keeps its values inline.
 */
export const blankObject = <T extends object>(names: readonly string[]): T =>
  JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as T;

declare const OF: unique symbol;
/**
 * The values of a T without the names. Only the field list that encoded them can read them: never index them by hand.
 */
export type Values<T> = readonly unknown[] & { readonly [OF]: T };

/**
 * One list of the fields of T for both directions. Names take half the cost of passing an object between threads or
 * reading it from a file, so only the values travel, in the order of the list.
 */
export class FieldList<T extends object> {
  readonly names: readonly (keyof T & string)[];
  /** By field number; null for a plain field. */
  private readonly codecs: readonly (Codec<unknown> | null)[];
  /** The numbers of the fields with a codec. */
  private readonly coded: readonly number[];
  private readonly blank: T;

  constructor(fields: FieldsOf<T>) {
    this.names = Object.keys(fields) as (keyof T & string)[];
    this.codecs = Object.values<Codec<unknown> | typeof plain>(fields).map((codec) => (codec === plain ? null : codec));
    this.coded = this.codecs.flatMap((codec, n) => (codec ? [n] : []));
    this.blank = blankObject<T>(this.names);
  }

  /** The values of an object, each encoded by its codec. */
  encode(value: T): Values<T> {
    // Pushed, never set by number: a list that was made with a length passes between threads as slowly as an object.
    const values: unknown[] = [];
    for (const name of this.names) values.push(value[name]);
    for (const n of this.coded) values[n] = this.codecs[n]!.encode(values[n]);
    return values as readonly unknown[] as Values<T>;
  }

  /** Encodes one field, by its number in `names`, as `encode` does. */
  encodeField(n: number, value: unknown): unknown {
    const codec = this.codecs[n];
    return codec ? codec.encode(value) : value;
  }

  /** Rebuilds the object. */
  decode(values: Values<T>): T {
    return this.decodeFrom(values, 0);
  }

  /** Rebuilds an object whose values begin at `start` in a longer list: a row selected by the names of this list. */
  decodeFrom(values: readonly unknown[], start: number): T {
    const { names } = this;
    const value = { ...this.blank };
    for (let n = 0; n < names.length; n += 1) value[names[n]!] = values[start + n] as T[keyof T & string];
    for (const n of this.coded) {
      value[names[n]!] = this.codecs[n]!.decode(values[start + n]) as T[keyof T & string];
    }
    return value;
  }

  /** The same fields, all plain: for threads of one program, which can pass objects and lists directly. */
  unencoded(): FieldList<T> {
    return new FieldList<T>(Object.fromEntries(this.names.map((name) => [name, plain])) as unknown as FieldsOf<T>);
  }
}

/** A codec for a field that is itself an object. */
export const nested = <T extends object>(fields: FieldList<T>): Codec<T> => ({
  encode: (value) => fields.encode(value),
  decode: (written) => fields.decode(written as Values<T>),
});

/** A part of a few fields that is written by hand: engines are slow at lists of many shapes in one place. */
export const coded = <V, W>(encode: (value: V) => W, decode: (written: W) => V): Codec<V> => ({
  encode,
  decode: (written) => decode(written as W),
});
