import type { Access } from '../../domain/people/access';
import type { Role } from '../../domain/people/role';
import type { Stores } from '../../stores/ports';
import { admit } from './admit';
import { type Fields, Finding, type Input, type Params, type RawValues, type Values } from './params';
import type { Session } from './session';
import type { Columns, View } from './view';

/** Exit codes: 1 it found something wrong; 130 it was interrupted. */
export type Code = 0 | 1 | 130;

/** What an operation answers: JSON for programs, and the same facts as text for people (docs/cli.md). */
export interface Outcome<J extends object = object> {
  json: J;
  code: Code;
  text: (view: View) => string;
}

/** What the help shows of it. */
export interface Form {
  summary: string;
  /** The former name of the command, its last word; it still works on the command line, and help leaves it out. */
  formerly?: string | undefined;
  arguments: Params;
  options: Params;
  /** Command lines without the leading `kurir`, each with what it does. */
  examples: readonly (readonly [line: string, about: string])[];
  notes?: string | undefined;
  /**
   * An argument may begin with a dash, so that its own error can explain it (`-3d`); otherwise that is an unknown
   * option.
   */
  dashes?: true | undefined;
  /** True when these arguments leave the workspace out; default: when one is missing, and none is optional. */
  withoutWorkspace?: ((given: readonly unknown[]) => boolean) | undefined;
  /**
   * Some or all of what it does cannot be taken back, or loses what waits: interfaces where people press buttons ask
   * first.
   */
  irreversible?: boolean | undefined;
}

/** The rows of an answer that is a list. */
type ListRow<R> = R extends { data: readonly (infer Row extends object)[] } ? Row : never;

/** A command as it is written; types of its input and its answer follow from it. */
export interface Spec<A extends Params, O extends Params, R extends object, S, J extends object = object> extends Omit<
  Form,
  'summary' | 'arguments' | 'options' | 'irreversible'
> {
  /** Default: that of its group, which it is alone in. */
  summary?: string;
  arguments?: A;
  options?: O;
  /** What cannot be taken back of it: all, or what this input asks for. */
  irreversible?: true | ((input: Values<A> & Values<O>) => boolean);
  /** What holds between the values. Throws UsageError, before any data is touched. */
  check?(given: RawValues<A> & RawValues<O>): unknown;
  handler(input: Values<A> & Values<O>, services: S): Promise<R>;
  /** The answer for programs; default: what the handler returned. */
  json?(result: R, input: Values<A> & Values<O>): J;
  code?(result: R): Code;
  /** The text: a table of the rows in `data`, */
  columns?: Columns<ListRow<R>>;
  /** and what stands in its place when there are none; */
  none?: string | ((input: Values<A> & Values<O>) => string);
  /** the fields of the answer; */
  details?: Columns<R>;
  /** anything else. What is given follows each other in this order. */
  text?(result: R, view: View, input: Values<A> & Values<O>): string;
}

/** A command, with the types of its input and answer closed up. `S` is what it works with. */
export interface Declared<S, J extends object = object> extends Form {
  name: string;
  /** Reads the input, throwing UsageError before any data is touched; returns the work to do. */
  read(given: Readonly<Record<string, unknown>>): (services: S) => Promise<Outcome<J>>;
}

/**
 * Something that an operator or a member does to the data, by any interface. `I` is the input that it takes and `J`
 * what it answers to programs, for whoever calls it by value; one that is found by its name takes what is sent, and
 * judges it.
 */
export interface Operation<I extends Input = never, J extends object = object> extends Declared<Session, J> {
  /** The least that may do it (domain/people/role.ts). */
  role: Role;
  /** Only a type. */
  readonly takes?: (input: I) => void;
}

/** What an operation answers to programs. */
export type AnswerOf<O> = O extends Operation<never, infer J> ? J : never;
/** The rows of the list that an operation answers. */
export type RowOf<O> = ListRow<AnswerOf<O>>;

/** No arguments, or no options. */
export type None = Record<never, never>;

/** Declares an operation. Its name is `campaign.send`, or one word outside a group. */
export const operation = <R extends object, A extends Params = None, O extends Params = None, J extends object = R>(
  name: string,
  role: Role,
  spec: Spec<A, O, R, Session, J>,
): Operation<Fields<A & O>, J> => ({ ...declare(name, spec, role), role });

/** Declares a command that works with `S`. */
export function declare<
  S extends { view: View; stores?: Stores; access?: Access | null; ask?: Session['ask'] },
  R extends object,
  A extends Params,
  O extends Params,
  J extends object,
>(name: string, spec: Spec<A, O, R, S, J>, role: Role = 'operator'): Declared<S, J> {
  const { summary = '', formerly, examples, notes, dashes, withoutWorkspace, irreversible } = spec;
  const params: Params = { ...spec.arguments, ...spec.options };
  // What is looked up is asked for first.
  const entries = Object.entries(params).sort(([, a], [, b]) => Number(!!b.find) - Number(!!a.find));
  return {
    name,
    summary,
    formerly,
    examples,
    notes,
    dashes,
    withoutWorkspace,
    irreversible: irreversible !== undefined,
    arguments: spec.arguments ?? {},
    options: spec.options ?? {},
    read: (given) => {
      const raw = Object.fromEntries(entries.map(([key, param]) => [key, param.read(given[key], labelOf(key, param))]));
      spec.check?.(raw as RawValues<A> & RawValues<O>);
      return async (services) => {
        const input = (await lookUp(params, raw, services, role)) as Values<A> & Values<O>;
        if (irreversible === true || irreversible?.(input)) services.ask?.(name);
        const result = await spec.handler(input, services);
        return {
          json: (spec.json?.(result, input) ?? result) as J,
          code: spec.code?.(result) ?? 0,
          text: (view) => textOf<A, O, R>(spec, result, view, input),
        };
      };
    },
  };
}

/** `--some-name` of an option, `<name>` of an argument. */
function labelOf(key: string, { placeholder, form }: Params[string]): string {
  const isOption = placeholder !== undefined || form.endsWith('switch');
  return isOption ? optionName(key) : `<${key}>`;
}

/** An option as it is written, from its name in code. */
export const optionName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The workspace first, since the others are looked up in it. Throws ForbiddenError when the caller may not do it. */
async function lookUp(
  params: Params,
  raw: Readonly<Record<string, unknown>>,
  { stores, access = null }: { stores?: Stores; access?: Access | null },
  role: Role,
) {
  const values: Record<string, unknown> = { ...raw };
  if (!stores) return values;
  const finding = new Finding(stores, access);
  const keys = Object.keys(params).sort((a, b) => Number(b === 'workspace') - Number(a === 'workspace'));
  for (const key of keys) {
    const param = params[key];
    if (!param?.find) continue;
    finding.label = labelOf(key, param);
    values[key] = await param.find(raw[key], finding);
  }
  if (access) admit(access, role, finding.entered);
  return values;
}

function textOf<A extends Params, O extends Params, R extends object>(
  { columns, none = '', details, text }: Pick<Spec<A, O, R, never>, 'columns' | 'none' | 'details' | 'text'>,
  result: R,
  view: View,
  input: Values<A> & Values<O>,
): string {
  const rows = 'data' in result && Array.isArray(result.data) ? (result.data as ListRow<R>[]) : [];
  return [
    columns ? view.table(rows, columns, typeof none === 'string' ? none : none(input)) : '',
    details ? view.details(result, details) : '',
    text?.(result, view, input) ?? '',
  ].join('');
}
