import type { Access } from '../../domain/people/access';
import type { Workspace } from '../../domain/settings/workspace';
import type { Stores } from '../../stores/ports';
import { ValueError } from '../../lib/reason';
import { FileFault, UsageError } from './errors';
import { why } from './reasons';
import type { SnakeCase } from '../../lib/snake-case';
import { FileContent, readBytesAt, readFileAt, type ReadFile } from './files';
import { text, whole, type Read, type ValueSchema } from './reads';

/** What a look-up works with, and the workspaces that what it found belongs to. */
export class Finding {
  /** The workspace of the input, which is looked up first. */
  workspace: Workspace | null = null;
  /** The argument or option, as the help writes it. */
  label = '';
  /** The workspaces that the input is about. */
  readonly entered = new Set<number>();

  constructor(
    readonly stores: Stores,
    /** Null: the caller may do all. */
    private readonly access: Access | null,
  ) {}

  /** False if the workspace is not to be seen by the caller: what was found in it does not exist for it. */
  enter(workspaceId: number): boolean {
    if (this.access && !this.access.sees(workspaceId)) return false;
    this.entered.add(workspaceId);
    return true;
  }

  /** True if the caller may see it; what the input is about stays as it is. */
  sees = ({ id }: { id: number }): boolean => this.access?.sees(id) ?? true;
}

/** How an argument or option is given. */
type ParamForm = 'required' | 'optional' | 'list' | 'switch' | 'negated switch';

/** An argument or option of an operation: how it is written, read from a text, and looked up. */
export interface Param<T, Raw = T, F extends ParamForm = ParamForm> {
  about: string;
  form: F;
  /** The value in the help of an option, such as `<n>`. */
  placeholder?: string;
  /** What the value is, for an interface that is not the command line; of a list, what each of its items is. */
  schema?: ValueSchema;
  /** The value is a file: the command line names it, another interface sends its content; that of bytes in base64. */
  file?: true | 'bytes';
  /** Reads what was given (a text, a list of them, true, a file, or undefined for nothing). Throws UsageError. */
  read(given: unknown, label: string): Raw;
  /** Looks up what was read; without it, what was read is the value. Throws OperationError. */
  find?(raw: Raw, finding: Finding): Promise<T>;
}

/** The name of an argument or option as a field: `optIn` is `opt_in`. */
export const fieldName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type Params = Readonly<Record<string, Param<unknown, unknown>>>;
/** The values of an input. */
export type Values<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T, unknown> ? T : never };
/** The values before anything is looked up. */
export type RawValues<P extends Params> = { [K in keyof P]: ReturnType<P[K]['read']> };

/** An input as other interfaces than the command line send it: fields in snake case, with the types of JSON. */
export type Input = Readonly<Record<string, unknown>>;
/** A value as other interfaces than the command line give it. */
type GivenValue<P> =
  P extends Param<unknown, infer Raw, infer F>
    ? F extends 'list'
      ? readonly (string | number)[]
      : [NonNullable<Raw>] extends [boolean]
        ? boolean
        : string | number | FileContent
    : never;
/** The keys of the parameters that must be given; `false`: of those that may be left out. */
type KeyOf<P extends Params, IsRequired extends boolean> = {
  [K in keyof P & string]: (P[K] extends Param<unknown, unknown, 'required'> ? true : false) extends IsRequired
    ? K
    : never;
}[keyof P & string];
/** The fields of an input as other interfaces than the command line send it, in snake case. */
export type Fields<P extends Params> = {
  [K in KeyOf<P, true> as SnakeCase<K>]: GivenValue<P[K]>;
} & { [K in KeyOf<P, false> as SnakeCase<K>]?: GivenValue<P[K]> | null | undefined };

function reading<T>(label: string, text: string, read: Read<T>): T {
  return explaining(label, text, () => read(text));
}

function explaining<T>(label: string, text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) {
      throw new UsageError(error.reason, `Use another file as ${label}; see --help.`, label);
    }
    if (!(error instanceof ValueError)) throw error;
    const given = JSON.stringify(text);
    throw new UsageError(why('value_is', { label, rule: error.reason, given }), `Use another ${label}; see --help.`);
  }
}

const missing = (label: string): UsageError => new UsageError(why('missing', { label }), 'see --help');

/** A text that must be given. */
export const argument = <T>(about: string, read: Read<T>): Param<T, T, 'required'> => ({
  about,
  form: 'required',
  ...schemaOf(read),
  read: (given, label) => {
    if (typeof given !== 'string') throw missing(label);
    return reading(label, given, read);
  },
});

const schemaOf = ({ schema }: Read<unknown>): { schema?: ValueSchema } => (schema ? { schema } : {});

/** A file that must be given. */
export const fileArgument = <T>(about: string, read: ReadFile<T>, readAt = readFileAt): Param<T, T, 'required'> => ({
  about,
  form: 'required',
  file: true,
  read: (given, label) => {
    if (given instanceof FileContent) return explaining(label, given.name, () => read(given));
    if (typeof given !== 'string') throw missing(label);
    return explaining(label, given, () => read(readAt(given)));
  },
});

/** The same for a file that is no text. */
export const bytesArgument = <T>(about: string, read: ReadFile<T>): Param<T, T, 'required'> => ({
  ...fileArgument(about, read, readBytesAt),
  file: 'bytes',
});

/** The same argument or option, which may be left out. */
export const optional = <T, Raw>(of: Param<T, Raw>): Param<T | undefined, Raw | undefined, 'optional'> => ({
  ...of,
  form: 'optional',
  read: (given, label) => (given === undefined ? undefined : of.read(given, label)),
  ...(of.find && { find: async (raw, finding) => (raw === undefined ? undefined : of.find?.(raw, finding)) }),
});

/** A list of texts, `[name...]`. */
export const list = <T>(about: string, read: Read<T>): Param<T[], T[], 'list'> => ({
  about,
  form: 'list',
  ...schemaOf(read),
  read: (given, label) => textsOf(given).map((text) => reading(label, text, read)),
});

const textsOf = (given: unknown): string[] =>
  Array.isArray(given) ? given.filter((text) => typeof text === 'string') : [];

type Option<T> = Param<T, T, 'optional'>;

/** An option with a value, such as `<n>`. */
export function option<T>(placeholder: string, about: string, read: Read<T>): Option<T | undefined>;
export function option<T, D>(placeholder: string, about: string, read: Read<T>, fallback: D): Option<T | D>;
export function option<T, D>(
  placeholder: string,
  about: string,
  read: Read<T>,
  fallback?: D,
): Option<T | D | undefined> {
  return {
    placeholder,
    about,
    form: 'optional',
    ...schemaOf(read),
    read: (given, label) => (typeof given === 'string' ? reading(label, given, read) : fallback),
  };
}

/** An option that must be given. */
export const needed = <T>(placeholder: string, about: string, read: Read<T>): Param<T, T, 'required'> => ({
  ...argument(about, read),
  placeholder,
});

/** An option with a file that must be given. */
export const neededFile = <T>(about: string, read: ReadFile<T>): Param<T, T, 'required'> => ({
  ...fileArgument(about, read),
  placeholder: '<file>',
});

/** An option with a file. */
export const fileOption = <T>(about: string, read: ReadFile<T>): Option<T | undefined> =>
  optional(neededFile(about, read));

/** An option with a file that is read while it works; `-` is what the caller sends along. The value is its path. */
export const streamedFile = (about: string): Option<string | FileContent | undefined> => ({
  ...option('<path>', about, text(4_096)),
  file: true,
  read: (given, label) => {
    if (given instanceof FileContent || given === undefined) return given;
    return typeof given === 'string' ? reading(label, given, text(4_096)) : undefined;
  },
});

/** The same as an argument, which must be given. */
export const streamedArgument = (about: string): Param<string | FileContent, string | FileContent, 'required'> => ({
  ...argument(about, text(4_096)),
  file: true,
  read: (given, label) => {
    if (given instanceof FileContent) return given;
    if (typeof given !== 'string') throw missing(label);
    return reading(label, given, text(4_096));
  },
});

/** An option that may be given several times. */
export const repeatable = <T>(placeholder: string, about: string, read: Read<T>): Param<T[], T[], 'list'> => ({
  ...list(about, read),
  placeholder,
});

/** An option that must be given, with a value that is looked up as that of an argument. */
export const neededFound = <T, Raw>(
  placeholder: string,
  about: string,
  of: Param<T, Raw, 'required'>,
): Param<T, Raw, 'required'> => ({
  ...of,
  about,
  placeholder,
});

/** An option without a value. */
export const flag = (about: string): Param<boolean, boolean, 'switch'> => ({
  about,
  form: 'switch',
  read: (given) => given === true,
});

/** `--no-<name>`: true unless it is given. */
export const unless = (about: string): Param<boolean, boolean, 'negated switch'> => ({
  ...flag(about),
  form: 'negated switch',
});

/** The operator says by `--consent` that the contacts agreed. */
export const consent = (about: string): Param<boolean, boolean, 'switch'> => ({
  ...flag(about),
  read: (given) => {
    if (given === true) return true;
    const fix = 'Use it to state that they have consented to receive email from this workspace.';
    throw new UsageError(why('missing', { label: '--consent' }), fix);
  },
});

/** An argument that is looked up. A workspace that was left out is read as `ONLY_WORKSPACE`. */
export const found = <T, Raw>(
  about: string,
  read: Read<Raw>,
  find: (raw: Raw, finding: Finding) => Promise<T>,
): Param<T, Raw, 'required'> => ({ ...argument(about, read), find });

/** Any id that is a number. */
export const anyId = whole(1, Number.MAX_SAFE_INTEGER);

/** `--limit` of a list. */
export const limit = (what: string, fallback = 50, most = 1_000): Option<number> =>
  option('<n>', `${what} at most, 1 to ${most}; default: ${fallback}`, whole(1, most), fallback);

/** `--after <id>` of a list of contacts. */
export const afterContact = option(
  '<id>',
  'the next page: the id of the last contact',
  whole(0, Number.MAX_SAFE_INTEGER),
  0,
);

/** `--after <number>` and `--limit <number>` of the long lists of campaigns and journeys. */
export const longLimit = option('<number>', 'how many, at most 1000 (default 100)', whole(1, 1_000), 100);
export const afterRow = option('<number>', 'next_after of the page before', whole(0, Number.MAX_SAFE_INTEGER), 0);
