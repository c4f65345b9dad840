import type { Kind } from '../crash/sink/behaviour';
import { KINDS } from '../crash/sink/behaviour';
import type { NetworkProfile } from './network';
import type { Random } from './random';

/** How hard the world is in one run; drawn from the seed. */
export interface Profile {
  network: NetworkProfile;
  /** Probability of each, at each chance for it. */
  faults: {
    /** SIGKILL at a call of a store. */
    kill: number;
    /** Of the deaths, those that are a loss of power. */
    power: number;
    /** A call of a store fails, before or after it took effect. */
    error: number;
    /** The disk refuses a commit. */
    refusal: number;
    /** A call of a store takes its time. */
    slow: number;
    /** The process is frozen for a while. */
    freeze: number;
    /** The clock of the machine is set back, or right again. */
    clock: number;
  };
  /** Longest such time, ms. */
  longest: number;
  /** Longest time of a commit, ms. */
  commit: number;
  /** Longest time from a death to the next start, ms. */
  down: number;
  callers: number;
  operations: number;
  /** Longest pause of a caller between two operations, ms. */
  pause: number;
  coins: readonly [number, number];
  kinds: readonly Kind[];
  /** How many recipients are tried for three days at most; each takes as long to play as many others. */
  deferred?: number;
  hooks: number;
  /** Probability that a report is sent twice. */
  doubled: number;
  /** What callers do beside sending. */
  parts: Readonly<Record<Focus, boolean>>;
  /** What half of the operations are about; null: of everything its share. */
  focus: Focus | null;
  /** Probability that a report comes later than anybody waits for it. */
  overdue: number;
}

/** What callers do beside sending. */
const FOCUSES = ['relay', 'campaigns', 'journeys', 'forms', 'sales'] as const;
export type Focus = (typeof FOCUSES)[number];

/** Without the one that is tried for three days: it takes as long to play as all others together. */
const SHORT = KINDS.filter((kind) => kind !== 'defer');

const log = (random: Random, low: number, high: number): number =>
  Math.exp(random.between(Math.log(low), Math.log(high)));

/** Zero in one run of three, so that each fault is also absent from some. */
const rare = (random: Random, low: number, high: number): number => (random.chance(1 / 3) ? 0 : log(random, low, high));

/** What can be left out of a run; it moves nothing of the rest. */
export const PARTS = [
  ...(['kill', 'power', 'error', 'refusal', 'slow', 'reset', 'refuse', 'hooks', 'doubled'] as const),
  ...(['freeze', 'clock'] as const),
  ...FOCUSES,
] as const;
export type Part = (typeof PARTS)[number];

/** A smaller run of the same seed. */
export interface Trim {
  /** Operations of callers. */
  operations: number;
  without: readonly Part[];
}

/** The profile of a seed, as far as it is not trimmed. */
export function drawProfile(random: Random, { operations, without }: Trim): Profile {
  const drawn = draw(random, operations);
  const has = (part: Part): number => (without.includes(part) ? 0 : 1);
  const { network, faults } = drawn;
  return {
    ...drawn,
    network: { ...network, reset: network.reset * has('reset'), refuse: network.refuse * has('refuse') },
    faults: {
      kill: faults.kill * has('kill'),
      power: faults.power * has('power'),
      error: faults.error * has('error'),
      refusal: faults.refusal * has('refusal'),
      slow: faults.slow * has('slow'),
      freeze: faults.freeze * has('freeze'),
      clock: faults.clock * has('clock'),
    },
    hooks: drawn.hooks * has('hooks'),
    doubled: drawn.doubled * has('doubled'),
    parts: {
      relay: drawn.parts.relay && has('relay') > 0,
      campaigns: drawn.parts.campaigns && has('campaigns') > 0,
      journeys: drawn.parts.journeys && has('journeys') > 0,
      forms: drawn.parts.forms && has('forms') > 0,
      sales: drawn.parts.sales && has('sales') > 0,
    },
  };
}

/** The parts of a run: what can happen in it at all. */
export function partsOf({ network, faults, hooks, doubled, parts }: Profile): Part[] {
  const has: Readonly<Record<Part, boolean>> = {
    kill: faults.kill > 0,
    power: faults.kill * faults.power > 0,
    error: faults.error > 0,
    refusal: faults.refusal > 0,
    slow: faults.slow > 0,
    freeze: faults.freeze > 0,
    clock: faults.clock > 0,
    reset: network.reset > 0,
    refuse: network.refuse > 0,
    hooks: hooks > 0,
    doubled: doubled > 0,
    ...parts,
  };
  return PARTS.filter((part) => has[part]);
}

function draw(random: Random, operations: number): Profile {
  const drawn: Profile = {
    network: {
      latency: log(random, 0.1, 40),
      reset: rare(random, 0.0005, 0.02),
      refuse: rare(random, 0.001, 0.05),
    },
    faults: {
      kill: rare(random, 0.0005, 0.01),
      power: random.chance(0.5) ? random.next() : 0,
      error: rare(random, 0.0005, 0.02),
      refusal: rare(random, 0.001, 0.03),
      slow: random.pick([0, 0.05, 0.3]),
      freeze: random.chance(0.3) ? log(random, 0.0002, 0.003) : 0,
      clock: random.chance(0.3) ? log(random, 0.0005, 0.01) : 0,
    },
    longest: log(random, 1, 2_000),
    commit: log(random, 0.05, 20),
    down: log(random, 10, 60_000),
    callers: 1 + random.below(8),
    operations,
    pause: log(random, 1, 2_000),
    coins: [random.pick([5, 40, RICH]), random.pick([30, 5_000])],
    kinds: random.chance(0.3) ? ['delivered', random.pick(KINDS)] : random.chance(0.2) ? KINDS : SHORT,
    deferred: 2,
    hooks: random.below(4),
    doubled: random.pick([0, 0.2, 0.6]),
    parts: {
      relay: random.chance(0.5),
      campaigns: random.chance(0.5),
      journeys: random.chance(0.4),
      forms: random.chance(0.4),
      sales: random.chance(0.5),
    },
    focus: random.chance(0.5) ? random.pick(FOCUSES) : null,
    overdue: random.chance(0.3) ? 0.15 : 0,
  };
  const { focus, parts, coins } = drawn;
  const focused = focus ? { ...drawn, parts: { ...parts, [focus]: true } } : drawn;
  // A campaign of an account without coins ends at once.
  const paid: Profile = focus === 'campaigns' ? { ...focused, coins: [RICH, coins[1]] } : focused;
  return random.chance(focus === 'campaigns' ? CALM_CROWD : CALM) ? calmed(paid) : paid;
}

/** Coins that no run uses up. */
const RICH = 400;
/** The share of runs in which nothing fails: there the judge grants nothing to faults. */
const CALM = 0.12;
/** The same with a crowd to write to: what a pause holds is judged to the letter only there. */
const CALM_CROWD = 0.3;

const calmed = (drawn: Profile): Profile => ({
  ...drawn,
  network: { ...drawn.network, reset: 0, refuse: 0 },
  faults: { ...drawn.faults, kill: 0, power: 0, error: 0, refusal: 0, freeze: 0, clock: 0 },
});
