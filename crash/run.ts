import { DAY, HOUR, SECOND } from '../domain/clock';
import { auditData } from './audit-data';
import { ApiCaller, FINAL, type Offer } from './caller';
import { Killer } from './killer';
import { seededRandom } from './random';
import { seedWorkspaces, type Sender } from './seed';
import { KINDS } from './sink/conduct';
import { Stage } from './stage';
import { judge, type Verdict } from './verdict';

export interface RunOptions {
  program: string;
  seed: number;
  messages: number;
  workspaces: number;
  /** Seconds between kills, on average. */
  every: number;
  /** Messages offered a second. */
  pace: number;
  /** Time that is moved on while messages wait; by default at a pace that leaves every retry its turn. */
  steps?: Steps;
  progress: (text: string) => void;
}

/** Small steps first, for retries of minutes and slow accounts, and then large ones; all in ms. */
export interface Steps {
  /** Real time from one to the next. */
  every: number;
  small: number;
  smallOnes: number;
  large: number;
}

export interface RunResult extends Verdict {
  messages: number;
  kills: number;
  /** What the audit said of the data. */
  differences: string[];
  /** Real time, ms. */
  took: number;
}

/** Callers that wait for answers at the same time. */
const CALLERS = 16;
const STEPS: Steps = { every: 250, small: 30 * SECOND, smallOnes: 40, large: HOUR };
/** By then every message must be final: three days of retries, and four of waiting for a report. */
const BOUND = 12 * DAY;
/** Real time that is left to the service after that, ms. */
const PATIENCE = 120_000;
const QUIET_LIMIT = 60_000;

/**
 * The crash proof: callers hand messages in while the service is killed and started again at random moments, until every
 * message is final; then it is held against what the callers know and what a sink outside has seen.
 */
export async function runCrash(options: RunOptions): Promise<RunResult> {
  const began = performance.now();
  const random = seededRandom(options.seed);
  const stage = await Stage.set({ program: options.program });
  try {
    const senders = await seedWorkspaces(stage.installation, options.workspaces);
    const offers = makeOffers(options, senders, random);
    const killer = new Killer(stage, random, options.every * 1_000);
    if (!(await stage.start())) throw new Error(`The service did not start; see ${stage.folder}.`);
    killer.start();
    const caller = new ApiCaller(stage.baseUrl);
    await acceptAll(offers, caller, options);
    await untilFinal(offers, caller, stage, options);
    await killer.stop();
    await untilQuiet(stage);
    const { code } = await stage.stop();
    const verdict = await judge({ installation: stage.installation, journal: stage.journal, senders, offers });
    const differences = await auditData(stage.installation);
    if (code !== 0) differences.push(`the service did not stop in order: exit code ${code}`);
    const took = performance.now() - began;
    return { ...verdict, differences, messages: offers.length, kills: stage.kills, took };
  } finally {
    await stage.clear();
  }
}

/** Every kind as often as every other, in an order that follows from the seed. */
function makeOffers({ messages, seed }: RunOptions, senders: readonly Sender[], random: () => number): Offer[] {
  const offers = Array.from({ length: messages }, (_, n): Offer => {
    const kind = KINDS[n % KINDS.length] ?? 'delivered';
    const sender = senders[Math.floor(n / KINDS.length) % senders.length] as Sender;
    return { sender, kind, key: `crash-${seed}-${n}`, to: `${kind}+${n}@pelanggan.test`, id: null };
  });
  for (let i = offers.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [offers[i], offers[j]] = [offers[j] as Offer, offers[i] as Offer];
  }
  return offers;
}

/** Hands everything in, at a pace, each message until it is accepted. */
async function acceptAll(offers: readonly Offer[], caller: ApiCaller, { pace, progress }: RunOptions): Promise<void> {
  const began = performance.now();
  const waiting = [...offers];
  let accepted = 0;
  const call = async (): Promise<void> => {
    for (let offer = waiting.shift(); offer; offer = waiting.shift()) {
      const due = ((offers.length - waiting.length) / pace) * 1_000 - (performance.now() - began);
      if (due > 0) await sleep(due);
      while (!(await caller.offer(offer))) await sleep(50);
      if (++accepted % 100 === 0) progress(`${accepted} of ${offers.length} accepted`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function untilFinal(
  offers: readonly Offer[],
  caller: ApiCaller,
  stage: Stage,
  { progress, steps = STEPS }: RunOptions,
): Promise<void> {
  let open = [...offers];
  let moved = 0;
  let end = Infinity;
  for (let step = 0; open.length > 0 && performance.now() < end; step++) {
    await sleep(steps.every);
    open = await stillOpen(open, caller);
    const ms = step < steps.smallOnes ? steps.small : steps.large;
    // On a crowded machine the work may be behind the time.
    if (moved >= BOUND) end = Math.min(end, performance.now() + PATIENCE);
    else await stage.advance(ms);
    moved += ms;
    if (step % 8 === 0) {
      progress(`${open.length} not final, ${(moved / HOUR).toFixed(1)} hours later, ${stage.kills} kills`);
    }
  }
}

/** Those that are not known to be final. */
async function stillOpen(offers: readonly Offer[], caller: ApiCaller): Promise<Offer[]> {
  const open: Offer[] = [];
  for (const sender of new Set(offers.map((offer) => offer.sender))) {
    const own = offers.filter((offer) => offer.sender === sender);
    for (let from = 0; from < own.length; from += 100) {
      const page = own.slice(from, from + 100);
      const statuses = await caller.statuses(
        sender.apiKey,
        page.map(({ id }) => id ?? ''),
      );
      open.push(...page.filter(({ id }) => !FINAL.has(statuses?.get(id ?? '') ?? '')));
    }
  }
  return open;
}

/** Nothing under way, three times in a row. */
async function untilQuiet(stage: Stage): Promise<void> {
  const end = performance.now() + QUIET_LIMIT;
  for (let times = 0; times < 3 && performance.now() < end;) {
    await sleep(300);
    times = (await stage.isQuiet()) ? times + 1 : 0;
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
