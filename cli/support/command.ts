import { Command } from 'commander';
import { openOperator, type Operator } from '../../app/operator/operator';
import { CLOSING_LIMIT } from './ending';
import type { Host } from './host';
import { Input, ONLY_WORKSPACE } from './input';
import { Output, type Answer, type Piece } from './output';
import { paintFor, type Paint } from './paint';
import { progressOn, type Progress } from './progress';
import { showTimesIn } from './times';

/** The terminal of a running command. */
export interface Terminal {
  host: Host;
  paint: Paint;
  /** A bar for long work; `show` formats the count, default: numbers. */
  progress(label: string, total: number | null, show?: (count: number) => string): Progress;
  /**
   * For a list too long to hold in memory, in the field `name`: the returned function writes an item at once, before
   * the answer.
   */
  listing(name: string): (item: Piece) => void;
}

/** A running command: the operator's view of the data, and the terminal. */
export interface Session extends Operator, Terminal {}

interface VerbForm {
  name: string;
  summary: string;
  /** `['<workspace>', 'id or name']` */
  args?: readonly (readonly [string, string])[];
  /** True when these arguments leave the workspace out; default: when one is missing, and none is optional. */
  withoutWorkspace?: (values: readonly unknown[]) => boolean;
  /** With `repeatable` it may be given several times. */
  options?: readonly (readonly [string, string, 'repeatable'?])[];
  /**
   * An argument may begin with a dash, so that its own error can explain it (`-3d`); otherwise that is an unknown
   * option.
   */
  dashes?: true;
  /** Command lines without the leading `kurir`, each with what it does. */
  examples: readonly (readonly [string, string])[];
  notes?: string;
}

/** A verb that works on the operator's view of the data, which is opened for it. */
export interface VerbSpec extends VerbForm {
  bare?: false;
  /** Reads the input, throwing UsageError before any data is touched; returns the work to do. */
  run(input: Input): (session: Session) => Promise<Answer>;
}

/** A verb that gets only the terminal and opens what it needs itself: read-only, or not while it waits. */
export interface BareVerbSpec extends VerbForm {
  bare: true;
  /** As with VerbSpec. */
  run(input: Input): (terminal: Terminal) => Promise<Answer>;
}

/** Called with the exit code of the command that ran. */
export type OnExit = (code: number) => void;

/** Builds the commands of one run. */
export class Commands {
  constructor(
    private readonly host: Host,
    private readonly onExit: OnExit,
  ) {}

  /** A command with verbs; it also answers to its former name, if it has one. */
  group(name: string, summary: string, verbs: readonly (VerbSpec | BareVerbSpec)[], formerly?: string): Command {
    const group = new Command(name).description(summary);
    if (formerly !== undefined) group.alias(formerly);
    // What is done to a workspace itself names it.
    for (const spec of verbs) group.addCommand(this.verb(spec, name !== 'workspace'));
    return group;
  }

  /** With `guess`, a workspace that was left out is the only one there is. */
  verb(spec: VerbSpec | BareVerbSpec, guess = true): Command {
    const shift = guess && isAfterWorkspace(spec);
    const command = new Command(spec.name).description(spec.summary);
    declareArguments(command, spec, shift);
    for (const [form, about, repeatable] of spec.options ?? []) {
      if (repeatable) command.option(form, about, collect);
      else command.option(form, about);
    }
    command.option('--json', 'answer as JSON');
    command.option('--utc', 'show times in UTC, not in WIB');
    if (spec.dashes) command.allowUnknownOption();
    command.addHelpText('after', helpEnd(spec));
    command.action(async () => {
      const input = new Input(namedArguments(command, shift ? spec : null), command.opts());
      await this.perform(spec, input);
    });
    return command;
  }

  private async perform(spec: VerbSpec | BareVerbSpec, input: Input): Promise<void> {
    const { host, onExit } = this;
    showTimesIn(input.has('utc') ? 'UTC' : 'WIB');
    const output = new Output(host, input.has('json'));
    const terminal: Terminal = {
      host,
      paint: paintFor(host.stdout),
      progress: (label, total, show) => progressOn(host.stderr, label, total, show),
      listing: (name) => output.listing(name),
    };
    if (spec.bare) return onExit(output.end(await spec.run(input)(terminal)));
    const work = spec.run(input);
    await withOperator(host, async (operator) => onExit(output.end(await work({ ...operator, ...terminal }))));
  }
}

/** Opens the data as the host's operator while the work runs. Rejects with the errors of `openOperator`. */
export async function withOperator<T>(host: Host, work: (operator: Operator) => Promise<T>): Promise<T> {
  const operator = await openOperator(host.config(), {
    ...(host.clock && { clock: host.clock }),
    ...(host.actor !== undefined && { actor: host.actor }),
  });
  try {
    return await work(operator);
  } finally {
    await closeSoon(operator);
  }
}

/** What a server that hangs keeps open ends with the process (support/ending.ts). */
function closeSoon(operator: Operator): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, CLOSING_LIMIT);
    operator
      .close()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

const WORKSPACE = '<workspace>';

/** The first argument is the workspace, and what is left says whether it was left out. */
const isAfterWorkspace = ({ args = [], withoutWorkspace }: VerbForm): boolean =>
  args[0]?.[0] === WORKSPACE && (withoutWorkspace !== undefined || args.every(([form]) => /^<[\w-]+>$/.test(form)));

/** With `shift`, `Input` asks for what is missing, since commander does not know which one was left out. */
function declareArguments(command: Command, { args = [] }: VerbForm, shift: boolean): void {
  for (const [form, about] of args) command.argument(shift ? form.replace(/^<(.*)>$/, '[$1]') : form, about);
  if (!shift) return;
  const forms = args.map(([form]) => (form === WORKSPACE ? '[workspace]' : form));
  command.usage(['[options]', ...forms].join(' '));
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** With `shift`, the workspace may have been left out. */
function namedArguments(command: Command, shift: VerbForm | null): Record<string, string | string[] | undefined> {
  const names = command.registeredArguments.map((argument) => argument.name());
  const given = command.processedArgs as (string | string[] | undefined)[];
  const values = given.filter((value) => value !== undefined);
  const isLeftOut = shift?.withoutWorkspace ?? (({ length }) => length === names.length - 1);
  const all = shift && isLeftOut(values) ? [ONLY_WORKSPACE, ...values] : given;
  return Object.fromEntries(names.map((name, i) => [name, all[i]]));
}

function helpEnd({ examples, notes }: VerbForm): string {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, about]) => `  kurir ${line.padEnd(widest)}  ${about}`);
  return `${notes ? `\n${notes}\n` : ''}\nExamples:\n${lines.join('\n')}\n`;
}
