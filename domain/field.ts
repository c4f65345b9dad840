/**
 * What a field holds: a number, true or false, a word (text of ours, or of a form that was checked), text as a caller
 * wrote it, an object of a form of ours, or one whose names a caller chose.
 */
export type FieldKind = 'number' | 'flag' | 'word' | 'text' | 'object' | 'named';

/** What is left of a value once the contact was deleted: nothing, or all but the address, or but the person. */
export type Erased = 'nothing' | 'no address' | 'no person';

interface Traits {
  isNullable?: true;
  /** Older data is without it, which reads as null. */
  isLater?: true;
  erased?: Erased;
  /** What it is in a new record, unless that says otherwise. */
  initial?: unknown;
  /** The words that it may be. */
  words?: readonly string[];
}

/** What holds of a field beyond how it is stored; lists of names are made of them. */
export type Use = 'initial' | 'worded' | 'personal' | 'listed' | 'returned';

/** The declaration of one field with values V, and its uses U. */
export class Field<V, U extends Use = never> {
  /** Of the types only. */
  declare readonly of: { readonly value: V; readonly uses: U };

  constructor(
    readonly kind: FieldKind,
    readonly uses: ReadonlySet<Use> = new Set(),
    readonly traits: Traits = {},
  ) {}

  /** Also null. */
  orNull(): Field<V | null, U> {
    return this.with({ isNullable: true });
  }

  /** Null in data from before the field was there. */
  later(): Field<V | null, U> {
    return this.with({ isNullable: true, isLater: true });
  }

  /** What it is in a new record that does not say. */
  initially(initial: V): Field<V, U | 'initial'> {
    return this.with({ initial }, 'initial');
  }

  /** May name a person: what is left of it when the contact is deleted (docs/contract.md#delete-a-contact). */
  erased(erased: Erased): Field<V, U | 'personal'> {
    return this.with({ erased }, 'personal');
  }

  /** A list can be narrowed to one value of it. */
  listed(): Field<V, U | 'listed'> {
    return this.with({}, 'listed');
  }

  /** The caller's own: it comes back wherever the record is shown, to people and programs. */
  returned(): Field<V, U | 'returned'> {
    return this.with({}, 'returned');
  }

  private with<W, X extends Use>(traits: Traits, ...uses: readonly X[]): Field<W, X | U> {
    return new Field(this.kind, new Set([...this.uses, ...uses]), { ...this.traits, ...traits });
  }
}

/** The fields of a record, by name. */
export type Fields = Readonly<Record<string, Field<unknown, Use>>>;

/** The record that its fields declare. */
export type ValuesOf<F extends Fields> = { -readonly [N in keyof F]: F[N]['of']['value'] };

/** The names of the fields with a use. */
export type NamesOf<F extends Fields, U extends Use> = {
  [N in keyof F & string]: U extends F[N]['of']['uses'] ? N : never;
}[keyof F & string];

/** The names of the fields with a use, in their order. */
export const namesOf = <F extends Fields, U extends Use>(fields: F, use: U): readonly NamesOf<F, U>[] =>
  Object.keys(fields).filter((name) => fields[name]!.uses.has(use)) as NamesOf<F, U>[];

type InitialName<F extends Fields, N extends keyof F> = null extends F[N]['of']['value']
  ? N
  : 'initial' extends F[N]['of']['uses']
    ? N
    : never;

/** What a new record has by itself: the initial values, and null. */
export const initialOf = <F extends Fields>(fields: F): { [N in keyof F as InitialName<F, N>]: F[N]['of']['value'] } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { traits }]) =>
      'initial' in traits || traits.isNullable ? [[name, traits.initial ?? null]] : [],
    ),
  ) as never;

export const number = (): Field<number> => new Field('number');
export const flag = (): Field<boolean> => new Field('flag');
/** Text of ours or of a form that was checked, without NUL. */
export const word = <W extends string = string>(): Field<W> => new Field('word');
/** One of these words. */
export const oneOf = <W extends string>(words: readonly W[]): Field<W, 'worded'> =>
  new Field('word', new Set(['worded']), { words });
/** Text as a caller wrote it, which may hold any character. */
export const text = (): Field<string> => new Field('text');
/** An object of a form of ours. */
export const object = <T extends object>(): Field<T> => new Field('object');
/** An object whose names a caller chose. */
export const named = <T extends object>(): Field<T> => new Field('named');
