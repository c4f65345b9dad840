import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../../../lib/clock';
import { gatesOf, type Gate } from '../../judge/gates';
import { canFillDisk } from '../../crash/stage/child';
import { Role } from '../../crash/stage/role';
import type { LaneHandlers, LaneOutcome, LaneTask } from './lane';
import { REAL_FAULTS } from './nemesis';

/** The real half: the built program on real files and sockets, killed again and again (docs/proof.md#the-real-half). */
export interface RealHalf {
  seconds: number;
  days: number;
  kills: number;
  /** By kind; one that did not happen closes a gate. */
  gates: Gate[];
  covered: Record<string, number>;
  found: LaneOutcome['findings'];
  /** Installations that could not be played, and why. */
  broken: string[];
  /** The files of histories with findings. */
  histories: string[];
}

/** What a run has at least, beside each fault once: that of a minute does on a busy machine. */
const LEAST = { sends: 40, repeats: 2, takes: 25, delivered: 12, bounced: 4, failed: 4, webhooks: 4, forcedSends: 3 };
/** Real time beyond the faults, until the lane ends; ms. */
const PATIENCE = 300_000;

/** Plays one installation for each processor. `dist`: the folder of the built programs. */
export async function proveReal(
  dist: string,
  { seed, seconds }: Pick<LaneTask, 'seed' | 'seconds'>,
  progress: (text: string) => void,
): Promise<RealHalf> {
  const began = performance.now();
  const program = join(dist, 'crash.js');
  const seeds = Array.from({ length: availableParallelism() }, (_, n) => seed + n);
  progress(`${seeds.length} installations on real files and sockets`);
  const ended = await Promise.allSettled(seeds.map((of) => lane(dist, { seed: of, seconds, program })));
  const outcomes = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const broken = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  const [covered, faults] = [sum(outcomes.map(({ counts }) => counts)), sum(outcomes.map((one) => one.faults))];
  const found = outcomes.flatMap(({ findings }) => findings);
  const gates = [...gatesOf(covered, LEAST), ...gatesOf(faults, leastFaults())];
  return {
    seconds: Math.round((performance.now() - began) / 1_000),
    days: Math.round(outcomes.reduce((all, { passed }) => all + passed, 0) / DAY),
    kills: outcomes.reduce((all, { kills }) => all + kills, 0),
    gates,
    covered,
    found,
    broken,
    histories: outcomes.flatMap(({ history }) => history ?? []),
  };
}

/** The real half for people. */
export function realLines(real: RealHalf | null): string[] {
  if (!real) return [];
  const { seconds, days, kills, gates, found, broken, histories } = real;
  const told = `${kills} kills, ${days} days of the program's time, ${seconds} seconds, ${found.length} faults found`;
  const lines = ['', `on real files and sockets: ${told}`];
  for (const { name, seen, least, isOpen } of gates)
    lines.push(
      `${name.padEnd(18)} ${String(seen).padStart(5)} ${String(least).padStart(10)}${isOpen ? '' : '   too few'}`,
    );
  if (!canFillDisk()) lines.push('The disk was never full: that needs /usr/bin/prlimit, of Linux.');
  for (const { rule, subject, text, story } of found.slice(0, 5)) lines.push('', `${rule}: ${subject}: ${text}`, story);
  return [...lines, ...broken, ...histories.map((file) => `history: ${file}`)];
}

const leastFaults = (): Record<string, number> =>
  Object.fromEntries(REAL_FAULTS.map((name) => [name, name === 'disk' && !canFillDisk() ? 0 : 1]));

function sum(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const whole: Record<string, number> = {};
  for (const one of all) for (const [name, n] of Object.entries(one)) whole[name] = (whole[name] ?? 0) + n;
  return whole;
}

/** Plays a lane in a process of its own, since its ports are that process's. */
async function lane(dist: string, task: LaneTask): Promise<LaneOutcome> {
  const process = new Role<LaneHandlers>({ program: join(dist, 'prove.js'), role: 'lane', output: 'inherit' });
  const timer = setTimeout(() => void process.terminate(), task.seconds * 1_000 + PATIENCE);
  try {
    return await process.call('play', task);
  } catch (error) {
    throw new Error(`The installation of seed ${task.seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    process.stop();
  }
}
