import { parseArgs } from 'node:util';
import { MUTANTS } from '../mutants/mutants.mjs';
import { PARTS, type Part, type Trim } from '../world/profile';
import type { EngineName } from '../world/template';

/** Operations of callers in one seed: with what they lead to, some 200 acts of everybody. */
export const DEFAULT_OPERATIONS = 24;

/** Processor time of a seed, seconds: at least so much, and so much for each operation; twenty times what one takes. */
const [LEAST_LIMIT, LIMIT_EACH] = [60, 2.5];

export const USAGE = `kurir prove [--seed N] [--seconds N] [--engine NAME] [--real] [--json] [--report FILE] [--mutants]

Plays the service in simulated worlds, each made from a seed: with kills, power losses, full disks, broken connections,
lost answers and doubled reports. A judge that shares no code with the service looks at what callers, recipients and the
sending server saw. Live data is not touched. Exit code 0: enough happened, and nothing was found; 1: it found a fault;
2: wrong arguments; 3: nothing proven, since too little happened. One seed alone proves nothing.
  --seed N          the first seed; default: a new one. The same seed gives the same run.
  --seconds N       how long; default 60, and on, up to 600, until enough has happened
  --limit N         processor time of one seed, seconds; one that needs more never ends; default ${LEAST_LIMIT},
                    and more with many operations
  --seeds N         at most so many seeds; with 1, exactly this one
  --operations N    operations of callers in each seed; default ${DEFAULT_OPERATIONS}
  --engine NAME     embedded or cluster: the stores of this engine alone; default: every third seed plays the cluster's
  --without LIST    leave these out, comma-separated; nothing is said of them then: ${PARTS.join(', ')}
  --real            afterwards, for as long, kill the built program on real files and sockets
  --mutants         break one safety device after the other, and show the first seed that catches each
  --mutant NAME     break this one; with --mutants, only those of this comma-separated list
  --history FILE    write the history of the seed (with --seeds 1), one JSON line for each event
  --json            print the result as JSON
  --report FILE     write it to a file`;

/** Wrong arguments; the message names the option. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export interface Options {
  seed: number;
  /** Null: not given. */
  seconds: number | null;
  seeds: number;
  /** Processor time of one seed, seconds. */
  limit: number;
  trim: Trim;
  engine: EngineName | null;
  mutants: boolean;
  real: boolean;
  mutant: string | null;
  history: string | null;
  json: boolean;
  report: string | null;
}

const TEXTS = [
  ...(['seed', 'seconds', 'seeds', 'limit', 'operations', 'without'] as const),
  ...(['mutant', 'engine', 'history', 'report'] as const),
] as const;
const FLAGS = ['mutants', 'json', 'real'] as const;

/** Null if help is wanted. Throws UsageFault. */
export function readOptions(args: string[], newSeed: number): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const whole = (name: 'seed' | 'seconds' | 'seeds' | 'limit' | 'operations', least: number, or: number): number => {
    const text = values[name];
    if (text === undefined) return or;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least)
      throw new UsageFault(`--${name} must be a whole number, at least ${least}.`);
    return value;
  };
  const seeds = whole('seeds', 1, Number.MAX_SAFE_INTEGER);
  if (values.history !== undefined && seeds !== 1) throw new UsageFault('--history goes with --seeds 1.');
  const operations = whole('operations', 1, DEFAULT_OPERATIONS);
  return {
    seed: whole('seed', 0, newSeed),
    seconds: values.seconds === undefined ? null : whole('seconds', 1, 0),
    seeds,
    limit: whole('limit', 1, Math.max(LEAST_LIMIT, Math.ceil(LIMIT_EACH * operations))),
    trim: { operations, without: partsOf(values.without) },
    engine: engineOf(values.engine),
    mutants: values.mutants ?? false,
    real: values.real ?? false,
    mutant: mutantsOf(values.mutant, values.mutants ?? false),
    history: values.history ?? null,
    json: values.json ?? false,
    report: values.report ?? null,
  };
}

type Values = Partial<Record<(typeof TEXTS)[number], string>> &
  Partial<Record<(typeof FLAGS)[number] | 'help', boolean>>;

function parse(args: string[]): Values {
  try {
    const options = {
      ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' as const }])),
      help: { type: 'boolean' as const, short: 'h' },
    };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

function engineOf(name: string | undefined): EngineName | null {
  if (name === undefined || name === 'embedded' || name === 'cluster') return name ?? null;
  throw new UsageFault(`--engine: "${name}" is neither embedded nor cluster.`);
}

function mutantsOf(text: string | undefined, asList: boolean): string | null {
  for (const name of text === undefined ? [] : asList ? text.split(',') : [text])
    if (!MUTANTS.some((one) => one.name === name))
      throw new UsageFault(`--mutant: there is no "${name}"; there are ${MUTANTS.map((one) => one.name).join(', ')}.`);
  return text ?? null;
}

function partsOf(text: string | undefined): Part[] {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const part = PARTS.find((known) => known === name);
    if (!part) throw new UsageFault(`--without: "${name}" is none of ${PARTS.join(', ')}.`);
    return part;
  });
}
