import { Command } from 'commander';
import { openOperator, type Operator } from '../../operations/definition/operator';
import type { CliCommand, CommandEntry, Terminal } from './command';
import { CLOSING_LIMIT } from './ending';
import { withFormerName } from './former-name';
import type { Host } from './host';
import { Output } from './output';
import { paintFor } from './paint';
import { progressOn } from './progress';
import { ONLY_WORKSPACE, optionName, type Params, View } from '../../operations/definition';

/** Called with the exit code of the command that ran. */
export type OnExit = (code: number) => void;

/** The commander command of an entry: a group with its commands, or one that is alone. */
export function buildCommand(
  { name, summary, formerly }: CommandEntry,
  all: readonly CliCommand[],
  host: Host,
  onExit: OnExit,
): Command {
  const [alone] = all;
  if (alone?.name === name) return build({ ...alone, summary }, host, onExit);
  const group = withFormerName(new Command(name).description(summary), formerly);
  for (const command of all) group.addCommand(build(command, host, onExit));
  return group;
}

function build(spec: CliCommand, host: Host, onExit: OnExit): Command {
  const [group, verb = group] = spec.name.split('.');
  // What is done to a workspace itself names it.
  const shift = group !== 'workspace' && isAfterWorkspace(spec);
  const command = withFormerName(new Command(verb).description(spec.summary), spec.formerly);
  declareArguments(command, spec, shift);
  for (const [key, param] of Object.entries(spec.options)) {
    if (param.form === 'list') command.option(optionForm(key, param), param.about, collect);
    else command.option(optionForm(key, param), param.about);
  }
  command.option('--json', 'print the result as JSON');
  command.option('--utc', 'show times in UTC instead of WIB');
  if (spec.dashes) command.allowUnknownOption();
  command.addHelpText('after', helpEnd(spec));
  command.action(async () => {
    const options = command.opts<{ json?: true; utc?: true }>();
    const given = { ...options, ...namedArguments(command, shift ? spec : null) };
    await perform(spec, given, host, onExit);
  });
  return command;
}

async function perform(
  spec: CliCommand,
  given: Readonly<Record<string, unknown>>,
  host: Host,
  onExit: OnExit,
): Promise<void> {
  const view = new View(paintFor(host.stdout), given['utc'] === true ? 'UTC' : 'WIB');
  const output = new Output(host, given['json'] === true);
  const terminal: Terminal = {
    host,
    view,
    isJson: given['json'] === true,
    access: null,
    stdin: host.stdin,
    progress: (label, total, show) => progressOn(host.stderr, label, total, show),
    listing: (name) => output.listing(name),
  };
  if (spec.bare) return onExit(output.end(await spec.read(given)(terminal), view));
  const work = spec.read(given);
  await withOperator(host, async (operator) => onExit(output.end(await work({ ...operator, ...terminal }), view)));
}

/** Opens the data as the host's operator while the work runs. Rejects with the errors of `openOperator`. */
export async function withOperator<T>(host: Host, work: (operator: Operator) => Promise<T>): Promise<T> {
  const operator = await openOperator(host.config(), {
    tools: await host.tools(),
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

/** The workspace is the first argument, and what is left says whether it was left out. */
const isAfterWorkspace = ({ arguments: all, withoutWorkspace }: CliCommand): boolean =>
  Object.keys(all)[0] === 'workspace' &&
  (withoutWorkspace !== undefined || Object.values(all).every(({ form }) => form === 'required'));

function argumentForm(key: string, { form }: Params[string]): string {
  if (form === 'list') return `[${key}...]`;
  return form === 'required' ? `<${key}>` : `[${key}]`;
}

function optionForm(key: string, { form, placeholder }: Params[string]): string {
  const name = optionName(key);
  if (form === 'negated switch') return name.replace('--', '--no-');
  return placeholder === undefined ? name : `${name} ${placeholder}`;
}

/** With `shift`, reading the input asks for what is missing, since commander does not know which one was left out. */
function declareArguments(command: Command, { arguments: all }: CliCommand, shift: boolean): void {
  const forms = Object.entries(all).map(([key, param]) => [argumentForm(key, param), param.about] as const);
  for (const [form, about] of forms) command.argument(shift ? form.replace(/^<(.*)>$/, '[$1]') : form, about);
  if (!shift) return;
  command.usage(['[options]', ...forms.map(([form]) => (form === '<workspace>' ? '[workspace]' : form))].join(' '));
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** With `shift`, the workspace may have been left out. */
function namedArguments(command: Command, shift: CliCommand | null): Record<string, unknown> {
  const names = command.registeredArguments.map((argument) => argument.name());
  const given: readonly unknown[] = command.processedArgs;
  const values = given.filter((value) => value !== undefined);
  const isLeftOut = shift?.withoutWorkspace ?? (({ length }) => length === names.length - 1);
  const all = shift && isLeftOut(values) ? [ONLY_WORKSPACE, ...values] : given;
  return Object.fromEntries(names.map((name, i) => [name, all[i]]));
}

function helpEnd({ examples, notes }: CliCommand): string {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, about]) => `  kurir ${line.padEnd(widest)}  ${about}`);
  return `${notes ? `\n${notes}\n` : ''}\nExamples:\n${lines.join('\n')}\n`;
}
