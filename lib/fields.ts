/** How one field is written where it is stored or sent, and read again. */
export interface Codec<V> {
  encode(value: V): unknown;
  decode(written: unknown): V;
}

/** A field that is written as it is. */
export const plain = 'plain';

/** Every field of T with the way it is written. A field that is missing, or one that T does not have, does not compile. */
export type FieldsOf<T> = { readonly [F in keyof T]-?: Codec<T[F]> | typeof plain };

/**
 * An object with these names. To copy it and fill it in is faster than to add the names one by one, and takes less memory;
 * one that was parsed has its values inside the object.
 */
export const blankObject = <T extends object>(names: readonly string[]): T =>
  JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as T;

declare const OF: unique symbol;
/** The values of a T without their names. Only the list of fields that made them can read them: never index them by hand. */
export type Values<T> = readonly unknown[] & { readonly [OF]: T };

/**
 * One list of the fields of T, from which both directions follow: names take half of what it costs to pass an object between
 * threads or to read it from a file, so only the values travel, in the order of the list.
 */
export class FieldList<T extends object> {
  readonly names: readonly (keyof T & string)[];
  /** By the number of the field; null where it is plain. */
  private readonly codecs: readonly (Codec<unknown> | null)[];
  /** Numbers of the fields that have a codec. */
  private readonly coded: readonly number[];
  private readonly blank: T;

  constructor(fields: FieldsOf<T>) {
    this.names = Object.keys(fields) as (keyof T & string)[];
    this.codecs = Object.values<Codec<unknown> | typeof plain>(fields).map((codec) => (codec === plain ? null : codec));
    this.coded = this.codecs.flatMap((codec, n) => (codec ? [n] : []));
    this.blank = blankObject<T>(this.names);
  }

  /** The values of an object, each written as the list says. */
  encode(value: T): Values<T> {
    // Pushed, never set by number: a list that was made with a length passes between threads as slowly as an object.
    const values: unknown[] = [];
    for (const name of this.names) values.push(value[name]);
    for (const n of this.coded) values[n] = this.codecs[n]!.encode(values[n]);
    return values as readonly unknown[] as Values<T>;
  }

  /** One field, by its number in `names`, as `encode` writes it. */
  encodeField(n: number, value: unknown): unknown {
    const codec = this.codecs[n];
    return codec ? codec.encode(value) : value;
  }

  /** The object again. */
  decode(values: Values<T>): T {
    return this.decodeFrom(values, 0);
  }

  /** The object whose values start at `start` in a longer list: a row that was selected by the list's own names. */
  decodeFrom(values: readonly unknown[], start: number): T {
    const { names } = this;
    const value = { ...this.blank };
    for (let n = 0; n < names.length; n += 1) value[names[n]!] = values[start + n] as T[keyof T & string];
    for (const n of this.coded) {
      value[names[n]!] = this.codecs[n]!.decode(values[start + n]) as T[keyof T & string];
    }
    return value;
  }

  /** The same fields, each as it is: for threads of one program, which pass objects and lists as they are. */
  unencoded(): FieldList<T> {
    return new FieldList<T>(Object.fromEntries(this.names.map((name) => [name, plain])) as unknown as FieldsOf<T>);
  }
}

/** A part that is an object with fields of its own. */
export const nested = <T extends object>(fields: FieldList<T>): Codec<T> => ({
  encode: (value) => fields.encode(value),
  decode: (written) => fields.decode(written as Values<T>),
});

/** A part of a few fields that is written by hand: engines are slow at lists of many shapes in one place. */
export const coded = <V, W>(encode: (value: V) => W, decode: (written: W) => V): Codec<V> => ({
  encode,
  decode: (written) => decode(written as W),
});
