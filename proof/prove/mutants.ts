import { availableParallelism } from 'node:os';
import { MUTANTS } from '../mutants/mutants.mjs';
import { Hunts } from './hunts';
import type { Options } from './options';
import { commandOf } from './shrink';
import { Team } from './team';

/** Seeds after which a mutant has survived. */
const MAX = 1_000;

/**
 * Breaks one safety device after the other; true if every one is caught by a seed that is clean without it, and no seed
 * was met that is not. `say` hears of each.
 */
export async function proveMutants(
  { seed, seeds, trim, engine, mutant, json, limit }: Options,
  program: string,
  say: (text: string) => void,
): Promise<boolean> {
  const most = Math.min(seeds, MAX);
  const wanted = MUTANTS.filter(({ name }) => mutant === null || mutant.split(',').includes(name));
  const hunts = new Hunts(wanted, { seed, trim, engine, most }, say);
  const team = new Team({ program, size: availableParallelism(), limit });
  try {
    await team.play(
      () => hunts.next(),
      (outcome, task) => hunts.take(outcome, task),
    );
  } finally {
    team.close();
  }
  process.stdout.write(json ? jsonOf(hunts) : tableOf(hunts, { seed, trim, most, engine }));
  return hunts.isGreen;
}

function jsonOf({ all, survivors, unclean }: Hunts): string {
  const mutants = all.map(({ name, about, needs, tries, caught }) => ({ name, about, needs, tries, caught }));
  return `${JSON.stringify({ mutants, survivors: survivors.length, unclean }, null, 2)}\n`;
}

/** What a run says in the end, for people. */
export function tableOf(
  { all, survivors, unclean }: Pick<Hunts, 'all' | 'survivors' | 'unclean'>,
  { seed, trim, most, engine }: Pick<Options, 'seed' | 'trim' | 'engine'> & { most: number },
): string {
  const seeds = all.flatMap(({ caught }) => (caught ? [caught.seed - seed + 1] : [])).sort((a, b) => a - b);
  const rows = all.map(({ name, about, caught }) => {
    const found = caught ? [String(caught.seed), caught.rule] : ['none', 'SURVIVES'];
    return [name.padEnd(22), found[0]!.padStart(10), ` ${found[1]!.padEnd(18)}`, about].join(' ');
  });
  const commands = survivors.map(({ name }) =>
    commandOf({ seed, seeds: 1 }, { operations: 40, without: [] }, { engine, mutant: name }),
  );
  return [
    `${'mutant'.padEnd(22)} ${'first seed'.padStart(10)}  ${'rule'.padEnd(18)} the device that it breaks`,
    ...rows,
    `${seeds.length} of ${all.length} caught within ${most} seeds; the median is caught by the ${seeds[seeds.length >> 1] ?? 0}.`,
    ...commands,
    ...unclean.flatMap(({ seed: of, rule, text }) => [
      `Seed ${of} is not clean without a mutant, so nothing counts that it tells with one: ${rule ?? 'not played'}: ${text}`,
      commandOf({ seed: of, seeds: 1 }, trim, { engine, mutant: null }),
    ]),
    '',
  ].join('\n');
}
