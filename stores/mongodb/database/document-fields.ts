import type { Fields, ValuesOf } from '../../../domain/field';
import { blankObject, plain, type Codec, type FieldsOf } from '../../../lib/fields';

/** As JSON: callers choose the names. */
const json: Codec<unknown> = {
  encode: (value) => (value === null ? null : JSON.stringify(value)),
  decode: (stored) => (stored === null ? null : (JSON.parse(stored as string) as unknown)),
};

/** Null before there was one: older documents are without it. */
const later: Codec<unknown> = { encode: (value) => value, decode: (stored) => stored ?? null };

/** How declared fields are stored; all but their id. */
export const declaredFields = <F extends Fields>(fields: F): FieldsOf<Omit<ValuesOf<F>, 'id'>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== 'id')
      .map(([name, { kind, traits }]) => [name, kind === 'named' ? json : traits.later ? later : plain]),
  ) as FieldsOf<Omit<ValuesOf<F>, 'id'>>;

interface WithId {
  id: string;
}
interface WithUnderscoreId {
  _id: string;
}
type NameOf<T> = Exclude<keyof T, 'id'> & string;

/** The part of the documents D that holds a T. */
type PartOf<T, D> = Pick<D, Extract<keyof D, '_id' | keyof T>>;

/**
 * One list of the fields of T as stored in documents D, with its id under `_id`. Reads and writes are derived from it.
 */
export class DocumentFields<T extends WithId, D extends WithUnderscoreId> {
  /** The fields to read from a document. */
  readonly projection: Readonly<Record<NameOf<T>, 1>>;
  private readonly names: readonly NameOf<T>[];
  private readonly coded: readonly (readonly [name: string, codec: Codec<unknown>])[];
  private readonly blank: Record<string, unknown>;
  private readonly blankStored: Record<string, unknown>;

  constructor(private readonly fields: FieldsOf<Omit<T, 'id'>>) {
    const entries = Object.entries<Codec<unknown> | typeof plain>(fields);
    this.names = entries.map(([name]) => name as NameOf<T>);
    this.coded = entries.flatMap(([name, codec]) => (codec === plain ? [] : [[name, codec] as const]));
    this.projection = Object.fromEntries(this.names.map((name) => [name, 1])) as typeof this.projection;
    this.blank = blankObject(['id', ...this.names]);
    this.blankStored = blankObject(['_id', ...this.names]);
  }

  /** The document form of an object. */
  encode(value: T): PartOf<T, D> {
    const stored: Record<string, unknown> = { ...this.blankStored, _id: value.id };
    for (const name of this.names) stored[name] = value[name];
    for (const [name, codec] of this.coded) stored[name] = codec.encode(stored[name]);
    return stored as PartOf<T, D>;
  }

  /** The object of a document, read with at least the projection. */
  decode(document: PartOf<T, D>): T {
    const stored = document as Readonly<Record<string, unknown>>;
    const value: Record<string, unknown> = { ...this.blank, id: stored['_id'] };
    for (const name of this.names) value[name] = stored[name];
    for (const [name, codec] of this.coded) value[name] = codec.decode(stored[name]);
    return value as T & Record<string, unknown>;
  }

  /** A subset of the fields. */
  only<F extends NameOf<T>>(names: readonly F[]): DocumentFields<Pick<T, F | 'id'>, D> {
    return new DocumentFields(
      Object.fromEntries(names.map((name) => [name, this.fields[name]])) as FieldsOf<Omit<Pick<T, F | 'id'>, 'id'>>,
    );
  }
}
