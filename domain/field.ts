/**
 * What a field holds: a number, true or false, a word (text of ours, or of a form that was checked, without NUL), text
 * as a caller wrote it, an object of a form of ours, or one whose names a caller chose.
 */
export type FieldKind = 'number' | 'flag' | 'word' | 'text' | 'object' | 'named';

/** What is left of a value once the contact was deleted: nothing, or all but the address, or but the person. */
export type Erased = 'nothing' | 'no address' | 'no person';

interface Traits {
  nullable?: true;
  /** Older data is without it, which reads as null. */
  later?: true;
  /** What it is in a new record that does not say. */
  initial?: unknown;
  /** The words that it may be. */
  words?: readonly string[];
  erased?: Erased;
  listed?: true;
  returned?: true;
}
export type Trait = keyof Traits;

/** The declaration of one field with values V and traits T. */
export class Field<V, T extends Trait = never> {
  /** Of the types only. */
  declare readonly of: { readonly value: V; readonly traits: T };

  constructor(
    readonly kind: FieldKind,
    readonly traits: Traits = {},
  ) {}

  orNull(): Field<V | null, T | 'nullable'> {
    return this.with({ nullable: true });
  }

  /** Null in data from before the field was there. */
  later(): Field<V | null, T | 'nullable' | 'later'> {
    return this.with({ nullable: true, later: true });
  }

  initially(initial: V): Field<V, T | 'initial'> {
    return this.with({ initial });
  }

  /** May name a person: what is left of it when the contact is deleted (docs/contract.md#delete-a-contact). */
  erased(erased: Erased): Field<V, T | 'erased'> {
    return this.with({ erased });
  }

  /** A list can be narrowed to one value of it. */
  listed(): Field<V, T | 'listed'> {
    return this.with({ listed: true });
  }

  /** The caller's own: it comes back wherever the record is shown, to people and programs. */
  returned(): Field<V, T | 'returned'> {
    return this.with({ returned: true });
  }

  private with<W, X extends Trait>(traits: Traits): Field<W, X> {
    return new Field(this.kind, { ...this.traits, ...traits });
  }
}

/** The fields of a record, by name. */
export type Fields = Readonly<Record<string, Field<unknown, Trait>>>;

/** The record that its fields declare. */
export type ValuesOf<F extends Fields> = { -readonly [N in keyof F]: F[N]['of']['value'] };

/** The names of the fields with a trait. */
type NamesOf<F extends Fields, T extends Trait> = {
  [N in keyof F & string]: [Extract<F[N]['of']['traits'], T>] extends [never] ? never : N;
}[keyof F & string];

/** The names of the fields with a trait, in their order. */
export const namesOf = <F extends Fields, T extends Trait>(fields: F, trait: T): readonly NamesOf<F, T>[] =>
  Object.keys(fields).filter((name) => trait in fields[name]!.traits) as NamesOf<F, T>[];

/** What a new record has by itself: the initial values, and null. */
export const initialOf = <F extends Fields>(fields: F): Pick<ValuesOf<F>, NamesOf<F, 'initial' | 'nullable'>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { traits }]) =>
      'initial' in traits || traits.nullable ? [[name, traits.initial ?? null]] : [],
    ),
  ) as never;

export const number = (): Field<number> => new Field('number');
export const flag = (): Field<boolean> => new Field('flag');
export const word = <W extends string = string>(): Field<W> => new Field('word');
export const oneOf = <W extends string>(words: readonly W[]): Field<W, 'words'> => new Field('word', { words });
export const text = (): Field<string> => new Field('text');
export const object = <T extends object>(): Field<T> => new Field('object');
export const named = <T extends object>(): Field<T> => new Field('named');
