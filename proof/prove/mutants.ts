import { availableParallelism } from 'node:os';
import { MUTANTS, type Need } from '../mutants/mutants.mjs';
import { drawProfile, type Profile, type Trim } from '../world/profile';
import { Random } from '../world/random';
import type { Options } from './options';
import type { Task } from './play';
import { commandOf } from './shrink';
import { Team } from './team';

/** Seeds after which a mutant has survived. */
const MAX = 1_000;

const MET: Readonly<Record<Need, (of: Profile) => boolean>> = {
  calm: ({ faults }) => faults.kill + faults.error + faults.refusal + faults.freeze === 0,
  kills: ({ faults }) => faults.kill > 0,
  power: ({ faults }) => faults.kill * faults.power > 0,
  hooks: ({ hooks }) => hooks > 0,
  deferred: ({ kinds }) => kinds.includes('defer'),
  crowd: ({ focus }) => focus === 'campaigns',
  relay: ({ parts }) => parts.relay,
  campaigns: ({ parts }) => parts.campaigns,
  journeys: ({ parts }) => parts.journeys,
  forms: ({ parts }) => parts.forms,
  sales: ({ parts }) => parts.sales,
};

interface Hunt {
  name: string;
  about: string;
  needs: readonly Need[];
  next: number;
  /** Seeds that were played. */
  tries: number;
  /** The first seed that caught it, with the rule; null so far. */
  caught: { seed: number; rule: string } | null;
}

/** Breaks one safety device after the other; true if every one is caught. `say` hears of each. */
export async function proveMutants(
  { seed, seeds, trim, engine, mutant, json, limit }: Options,
  program: string,
  say: (text: string) => void,
): Promise<boolean> {
  const most = Math.min(seeds, MAX);
  const hunts = MUTANTS.filter(({ name }) => mutant === null || mutant.split(',').includes(name)).map(
    ({ name, about, needs = [] }): Hunt => ({
      name,
      about,
      needs,
      next: seed,
      tries: 0,
      caught: null,
    }),
  );
  const team = new Team({ program, size: availableParallelism(), limit });
  // All get as far as the others, so that a run that is stopped has tried each.
  const hand = (): Task | null => {
    for (const hunt of hunts) while (hunt.next < seed + most && !isMet(hunt, trim)) hunt.next += 1;
    const open = hunts.filter(({ caught, next }) => caught === null && next < seed + most);
    const hunt = open.reduce<Hunt | null>((least, one) => (least && least.tries <= one.tries ? least : one), null);
    if (hunt) hunt.tries += 1;
    return hunt ? { seed: hunt.next++, trim, engine, mutant: hunt.name } : null;
  };
  try {
    await team.play(hand, ({ seed: of, findings }, task) => {
      const hunt = hunts.find(({ name }) => name === task.mutant);
      // A world that could not be played says nothing: it may fail without the mutant, too.
      const rule = findings[0]?.rule ?? null;
      if (!hunt || rule === null || (hunt.caught && hunt.caught.seed < of)) return;
      hunt.caught = { seed: of, rule };
      say(`${hunt.name}: seed ${of} (${rule})`);
    });
  } finally {
    team.close();
  }
  const survivors = hunts.filter(({ caught }) => caught === null);
  const text = json
    ? `${JSON.stringify({ mutants: hunts, survivors: survivors.length }, null, 2)}\n`
    : tableOf(hunts, { seed, most, engine });
  process.stdout.write(text);
  return survivors.length === 0;
}

/** Whether the next seed of the hunt draws what the mutant needs. */
const isMet = ({ next, needs }: Hunt, trim: Trim): boolean => {
  const profile = drawProfile(new Random(next, 'profile'), trim);
  return needs.every((need) => MET[need](profile));
};

function tableOf(
  hunts: readonly Hunt[],
  { seed, most, engine }: Pick<Options, 'seed' | 'engine'> & { most: number },
): string {
  const seeds = hunts.flatMap(({ caught }) => (caught ? [caught.seed - seed + 1] : [])).sort((a, b) => a - b);
  const rows = hunts.map(({ name, about, caught }) => {
    const found = caught ? [String(caught.seed), caught.rule] : ['none', 'SURVIVES'];
    return [name.padEnd(22), found[0]!.padStart(10), ` ${found[1]!.padEnd(18)}`, about].join(' ');
  });
  const survivors = hunts.filter(({ caught }) => caught === null);
  const commands = survivors.map(({ name }) =>
    commandOf({ seed, seeds: 1 }, { operations: 40, without: [] }, { engine, mutant: name }),
  );
  return [
    `${'mutant'.padEnd(22)} ${'first seed'.padStart(10)}  ${'rule'.padEnd(18)} the device that it breaks`,
    ...rows,
    `${seeds.length} of ${hunts.length} caught within ${most} seeds; the median is caught by the ${seeds[seeds.length >> 1] ?? 0}.`,
    ...commands,
    '',
  ].join('\n');
}
