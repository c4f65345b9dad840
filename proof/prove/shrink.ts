import { PARTS, type Trim } from '../world/profile';
import type { Options } from './options';
import type { Outcome } from './play';
import type { Team } from './team';
import type { FoundFault } from './totals';

/** The smallest run found that still breaks the same rule. */
export interface Smallest {
  trim: Trim;
  outcome: Outcome;
  /** Runs it took. */
  tries: number;
}

/** Makes a failing seed small: fewer operations, then fewer kinds of faults. Null if it does not fail again. */
export async function shrink(
  { seed, rule }: Pick<FoundFault, 'seed' | 'rule'>,
  { trim, engine, mutant }: Options,
  team: Team,
): Promise<Smallest | null> {
  let tries = 0;
  const breaks = async (smaller: Trim): Promise<Outcome | null> => {
    tries += 1;
    const outcome = await team.playOne({ seed, trim: smaller, engine, mutant });
    return outcome.findings.some((finding) => finding.rule === rule) ? outcome : null;
  };
  let best = trim;
  let outcome = await breaks(best);
  if (!outcome) return null;
  for (let step = best.operations >> 1; step >= 1;) {
    const smaller = { ...best, operations: best.operations - step };
    const found = smaller.operations >= 1 ? await breaks(smaller) : null;
    if (found) [best, outcome] = [smaller, found];
    step = found ? Math.min(step, best.operations >> 1) : step >> 1;
  }
  for (const part of PARTS) {
    const smaller = { ...best, without: [...best.without, part] };
    const found = best.without.includes(part) ? null : await breaks(smaller);
    if (found) [best, outcome] = [smaller, found];
  }
  return { trim: best, outcome, tries };
}

/** The command that plays seeds again. */
export const commandOf = (
  { seed, seeds }: { seed: number; seeds: number },
  { operations, without }: Trim,
  { engine, mutant }: Pick<Options, 'engine' | 'mutant'>,
): string =>
  [
    `npx kurir prove --seed ${seed} --seeds ${seeds} --operations ${operations}`,
    ...(without.length > 0 ? [`--without ${without.join(',')}`] : []),
    ...(engine !== null ? [`--engine ${engine}`] : []),
    ...(mutant !== null ? [`--mutant ${mutant}`] : []),
  ].join(' ');
