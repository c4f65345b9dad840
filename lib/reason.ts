/** The languages that reasons are told in. */
export type Language = 'en' | 'id';

/** The same sentence in both languages; `{name}` in it stands for a value. */
export type Sentence = readonly [english: string, indonesian: string];

/** What fills a sentence: a text or number as it is, a part that is told in the same language, or a list of these. */
export type Value = string | number | Reason | readonly Value[];

/** The names of the values in a sentence. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | '{'}${string}` ? never : Name) | Names<Rest>
  : never;

type ValuesOf<S extends Sentence> = Readonly<Record<Names<S[0]>, Value>>;

const told = (value: Value, language: Language): string => {
  if (value instanceof Reason) return value.in(language);
  return Array.isArray(value) ? value.map((each: Value) => told(each, language)).join(', ') : String(value);
};

/**
 * Why something was refused, or what to look at, as a value: a code and what it is about. Each interface tells it in
 * the language of who reads it. As a text and in JSON it is its English sentence.
 */
export class Reason {
  constructor(
    readonly code: string,
    private readonly sentence: Sentence,
    readonly values: Readonly<Record<string, Value>> = {},
  ) {}

  in(language: Language): string {
    return this.sentence[language === 'en' ? 0 : 1].replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
      return value === undefined ? all : told(value, language);
    });
  }

  toString(): string {
    return this.in('en');
  }

  toJSON(): string {
    return this.in('en');
  }
}

/** The codes whose Indonesian sentence asks for a value that the English one has not do not compile. */
type Checked<T extends Readonly<Record<string, Sentence>>> = {
  readonly [K in keyof T]: Names<T[K][1]> extends Names<T[K][0]> ? Sentence : never;
};

/** Makes reasons of a table: by their code, with the values that its sentence names. */
export const reasonsOf =
  <const T extends Readonly<Record<string, Sentence>>>(table: T & Checked<T>) =>
  <C extends keyof T & string>(
    code: C,
    ...[values]: Names<T[C][0]> extends never ? [] : [values: ValuesOf<T[C]>]
  ): Reason =>
    new Reason(code, table[code], values);

/** Several after each other. */
export function joined(parts: readonly Value[], by: string): Reason {
  const places = parts.map((_, n) => `{${n}}`).join(by);
  return new Reason('several', [places, places], Object.fromEntries(parts.entries()));
}

/** A value that cannot be used; the reason follows its name, such as `must not be empty`. */
export class ValueError extends RangeError {
  override readonly name = 'ValueError';

  constructor(
    readonly reason: Reason,
    options?: ErrorOptions,
  ) {
    super(reason.toString(), options);
  }
}
