import { availableParallelism } from 'node:os';
import { MUTANTS } from '../mutants/mutants.mjs';
import type { Options } from './options';
import type { Task } from './play';
import { commandOf } from './shrink';
import { Team } from './team';

/** Seeds after which a mutant has survived. */
const MOST = 1_000;

interface Hunt {
  name: string;
  about: string;
  next: number;
  /** The first seed that caught it, with the rule; null so far. */
  caught: { seed: number; rule: string } | null;
}

/** Breaks one safety device after the other; true if every one is caught. */
export async function proveMutants({ seed, seeds, trim, mutant, json }: Options, program: string): Promise<boolean> {
  const most = Math.min(seeds, MOST);
  const hunts = MUTANTS.filter(({ name }) => mutant === null || name === mutant).map(({ name, about }): Hunt => ({
    name,
    about,
    next: seed,
    caught: null,
  }));
  const team = new Team(program, availableParallelism());
  const hand = (): Task | null => {
    const hunt = hunts.find(({ caught, next }) => caught === null && next < seed + most);
    return hunt ? { seed: hunt.next++, trim, mutant: hunt.name } : null;
  };
  try {
    await team.play(hand, ({ seed: of, findings }, task) => {
      const hunt = hunts.find(({ name }) => name === task.mutant);
      // A world that could not be played says nothing: it may fail without the mutant, too.
      const rule = findings[0]?.rule ?? null;
      if (!hunt || rule === null || (hunt.caught && hunt.caught.seed < of)) return;
      hunt.caught = { seed: of, rule };
    });
  } finally {
    team.close();
  }
  const survivors = hunts.filter(({ caught }) => caught === null);
  if (json) process.stdout.write(`${JSON.stringify({ mutants: hunts, survivors: survivors.length }, null, 2)}\n`);
  else for (const hunt of hunts) process.stdout.write(`${lineOf(hunt, seed, most)}\n`);
  process.stdout.write(json ? '' : `${hunts.length - survivors.length} of ${hunts.length} caught\n`);
  return survivors.length === 0;
}

const lineOf = ({ name, about, caught }: Hunt, from: number, most: number): string =>
  caught
    ? `${name.padEnd(24)} caught by seed ${caught.seed}, the ${caught.seed - from + 1}. (${caught.rule}); ${about}`
    : `${name.padEnd(24)} SURVIVES ${most} seeds; ${about}; ${commandOf(from, { operations: 40, without: [] }, name)}`;
