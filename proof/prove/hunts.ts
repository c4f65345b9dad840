import type { Need } from '../mutants/mutants.mjs';
import { drawProfile, type Profile, type Trim } from '../world/profile';
import { Random } from '../world/random';
import type { Options } from './options';
import type { Outcome, Task } from './play';

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

/** A safety device that is broken, and what its world must have. */
export interface Quarry {
  name: string;
  about: string;
  needs?: readonly Need[];
}

/** A seed that told of a rule. */
export interface Sign {
  seed: number;
  rule: string;
}

export interface Hunt extends Required<Quarry> {
  next: number;
  /** Seeds that were played. */
  tries: number;
  /** Seeds that told of something, and were not played without the mutant yet. */
  signs: Sign[];
  /** The first seed that caught it, with the rule; null so far. */
  caught: Sign | null;
}

/** A seed that is not clean without a mutant; `rule` is null where its world could not be played. */
export interface Unclean {
  seed: number;
  rule: string | null;
  text: string;
}

/**
 * Goes through the seeds with all mutants side by side. What a seed tells with a mutant counts as a catch when the same
 * seed is clean without one; a seed that is not says nothing of any mutant, and is a fault of its own. Each seed that
 * is needed is played once without a mutant.
 */
export class Hunts {
  readonly all: readonly Hunt[];
  readonly unclean: Unclean[] = [];
  /** Whether seeds are clean without a mutant; null as long as nobody knows. */
  private readonly clean = new Map<number, boolean | null>();
  /** Seeds that are to be played without a mutant. */
  private readonly checks: number[] = [];
  private readonly end: number;

  constructor(
    quarries: readonly Quarry[],
    private readonly options: Pick<Options, 'seed' | 'trim' | 'engine'> & { most: number },
    private readonly say: (text: string) => void,
  ) {
    this.end = options.seed + options.most;
    this.all = quarries.map(({ name, about, needs = [] }): Hunt => {
      return { name, about, needs, next: options.seed, tries: 0, signs: [], caught: null };
    });
  }

  get survivors(): readonly Hunt[] {
    return this.all.filter(({ caught }) => caught === null);
  }

  /** True when every mutant is caught, and every seed that was needed is clean without one. */
  get isGreen(): boolean {
    return this.survivors.length === 0 && this.unclean.length === 0;
  }

  /** What is to be played next; null when nothing is, or what is being played has to end first. */
  next(): Task | null {
    const { trim, engine } = this.options;
    const check = this.checks.shift();
    if (check !== undefined) return { seed: check, trim, engine, mutant: null };
    for (const hunt of this.all) while (hunt.next < this.end && !isMet(hunt, trim)) hunt.next += 1;
    const open = this.all.filter(({ caught, signs, next }) => caught === null && signs.length === 0 && next < this.end);
    // All get as far as the others, so that a run that is stopped has tried each.
    const hunt = open.reduce<Hunt | null>((least, one) => (least && least.tries <= one.tries ? least : one), null);
    if (!hunt) return null;
    hunt.tries += 1;
    return { seed: hunt.next++, trim, engine, mutant: hunt.name };
  }

  /** Takes what came of a task. */
  take(outcome: Outcome, { mutant }: Task): void {
    const { seed, findings } = outcome;
    if (mutant === null) return this.takeCheck(outcome);
    const hunt = this.all.find(({ name }) => name === mutant);
    // A world that could not be played says nothing: it may fail without the mutant, too.
    const rule = findings[0]?.rule ?? null;
    if (!hunt || rule === null) return;
    hunt.signs.push({ seed, rule });
    if (!this.clean.has(seed)) {
      this.clean.set(seed, null);
      this.checks.push(seed);
    }
    this.decide(hunt);
  }

  private takeCheck({ seed, findings: [finding], error }: Outcome): void {
    const isClean = error === null && !finding;
    this.clean.set(seed, isClean);
    if (!isClean) {
      const text = finding ? `${finding.subject}: ${finding.text}` : (error ?? '');
      this.unclean.push({ seed, rule: finding?.rule ?? null, text });
      this.say(`seed ${seed} is not clean without a mutant: ${finding?.rule ?? 'not played'}: ${text}`);
    }
    for (const hunt of this.all) this.decide(hunt);
  }

  /** Settles the signs of seeds that were played without a mutant. */
  private decide(hunt: Hunt): void {
    const known = hunt.signs.filter(({ seed }) => this.clean.get(seed) != null);
    hunt.signs = hunt.signs.filter((sign) => !known.includes(sign));
    for (const sign of known) {
      if (!this.clean.get(sign.seed) || (hunt.caught && hunt.caught.seed < sign.seed)) continue;
      hunt.caught = sign;
      this.say(`${hunt.name}: seed ${sign.seed} (${sign.rule})`);
    }
  }
}

/** Whether the next seed of the hunt draws what the mutant needs. */
const isMet = ({ next, needs }: Hunt, trim: Trim): boolean => {
  const profile = drawProfile(new Random(next, 'profile'), trim);
  return needs.every((need) => MET[need](profile));
};
