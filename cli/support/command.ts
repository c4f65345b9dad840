import { Command } from 'commander';
import { openOperator, type Operator } from '../../app/operator';
import type { Host } from './host';
import { Input } from './input';
import { paintFor, type Paint } from './paint';
import { progressOn, type Progress } from './progress';
import { jsonText } from './text';

/** What a command has to say: the same facts for people and, in one stable shape, for programs (docs/cli.md). */
export interface Answer {
  text: string;
  json: object;
  /** 1: it found something that is wrong. */
  code?: 0 | 1;
}

/** A command at work: the operator's view of the data, and the terminal. */
export interface Session extends Operator {
  host: Host;
  paint: Paint;
  progress(label: string, total: number | null): Progress;
}

export interface VerbSpec {
  name: string;
  summary: string;
  /** `['<workspace>', 'id or name']` */
  args?: readonly (readonly [string, string])[];
  options?: readonly (readonly [string, string])[];
  /** Command lines without `kurir` in front, each with what it does. */
  examples: readonly (readonly [string, string])[];
  notes?: string;
  /** Reads what was written, throwing UsageError, before any data is touched; answers the work. */
  run(input: Input): (session: Session) => Promise<Answer>;
}

/** Told the exit code of the command that ran. */
export type OnExit = (code: number) => void;

/** Builds the commands of one run. */
export class Commands {
  constructor(
    private readonly host: Host,
    private readonly onExit: OnExit,
  ) {}

  group(name: string, summary: string, verbs: readonly VerbSpec[]): Command {
    const group = new Command(name).description(summary);
    for (const spec of verbs) group.addCommand(this.verb(spec));
    return group;
  }

  verb(spec: VerbSpec): Command {
    const command = new Command(spec.name).description(spec.summary);
    for (const [form, about] of spec.args ?? []) command.argument(form, about);
    for (const [form, about] of spec.options ?? []) command.option(form, about);
    command.option('--json', 'answer as JSON');
    command.addHelpText('after', helpEnd(spec));
    command.action(async () => {
      const work = spec.run(new Input(namedArguments(command), command.opts()));
      this.onExit(await this.perform(work, command.opts<{ json?: boolean }>().json === true));
    });
    return command;
  }

  private async perform(work: (session: Session) => Promise<Answer>, json: boolean): Promise<number> {
    const { host } = this;
    const operator = await openOperator(host.config(), {
      ...(host.clock && { clock: host.clock }),
      ...(host.actor !== undefined && { actor: host.actor }),
    });
    try {
      const answer = await work({
        ...operator,
        host,
        paint: paintFor(host.stdout),
        progress: (label, total) => progressOn(host.stderr, label, total),
      });
      host.stdout.write(json ? `${jsonText(answer.json)}\n` : answer.text);
      return answer.code ?? 0;
    } finally {
      await operator.close();
    }
  }
}

function namedArguments(command: Command): Record<string, string | string[] | undefined> {
  const values = command.processedArgs as (string | string[] | undefined)[];
  return Object.fromEntries(command.registeredArguments.map((argument, i) => [argument.name(), values[i]]));
}

function helpEnd({ examples, notes }: VerbSpec): string {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, about]) => `  kurir ${line.padEnd(widest)}  ${about}`);
  return `${notes ? `\n${notes}\n` : ''}\nExamples:\n${lines.join('\n')}\n`;
}
