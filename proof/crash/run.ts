import { sleep } from '../../lib/sleep';
import { DAY, HOUR, SECOND } from '../../lib/clock';
import { auditData } from './audit-data';
import { ApiCaller, type Offer } from './caller';
import { Killer } from './killer';
import { seededRandom } from './random';
import { acceptAll, type Load, makeOffers, stillOpen } from './load';
import { seedWorkspaces } from './seed';
import { Stage } from './stage';
import { judge, type Verdict } from './verdict';

export interface RunOptions extends Load {
  program: string;
  workspaces: number;
  /** Seconds between kills, on average. */
  every: number;
  /** Maximum number of kills: a busy machine gets little done between two. */
  mostKills?: number;
  /** How time advances while messages wait. The default leaves time for every retry. */
  steps?: Steps;
}

/** Small steps first, for retries of minutes and slow accounts, and then large ones; all in ms. */
export interface Steps {
  /** Real time between two steps. */
  every: number;
  small: number;
  smallOnes: number;
  large: number;
}

export interface RunResult extends Verdict {
  messages: number;
  kills: number;
  /** What the audit found. */
  differences: string[];
  /** Real time, ms. */
  took: number;
}

const STEPS: Steps = { every: 250, small: 30 * SECOND, smallOnes: 40, large: HOUR };
/** Every message must be final by then: three days of retries, and four of waiting for a report. */
const BOUND = 12 * DAY;
/** Real time the service gets after that, ms. */
const PATIENCE = 120_000;
const QUIET_LIMIT = 60_000;

/**
 * The crash proof. Callers send messages while the service is killed and restarted at random moments, until every
 * message is final. Then the data is compared with what the callers know and what an independent sink received.
 */
export async function runCrash(options: RunOptions): Promise<RunResult> {
  const began = performance.now();
  const random = seededRandom(options.seed);
  const stage = await Stage.open({ program: options.program });
  const killer = new Killer(stage, random, options.every * 1_000, options.mostKills);
  try {
    const senders = await seedWorkspaces(stage.installation, options.workspaces);
    const offers = makeOffers(options, senders, random);
    if (!(await stage.start())) throw new Error(`The service did not start; see ${stage.folder}.`);
    killer.start();
    const caller = new ApiCaller([stage.baseUrl]);
    await acceptAll(offers, caller, options);
    await untilFinal(offers, caller, stage, options);
    await killer.stop();
    await untilIdle(stage);
    const { code } = await stage.stop();
    const verdict = await judge({ installation: stage.installation, journal: stage.journal, senders, offers });
    const differences = await auditData(stage.installation);
    if (code !== 0) differences.push(`the service did not stop cleanly: exit code ${code}`);
    const took = performance.now() - began;
    return { ...verdict, differences, messages: offers.length, kills: stage.kills, took };
  } finally {
    await killer.stop().catch(() => undefined);
    await stage.close();
  }
}

/** Advances time until every message is final. */
export async function untilFinal(
  offers: readonly Offer[],
  caller: ApiCaller,
  stage: Stage,
  { progress, steps = STEPS }: Pick<RunOptions, 'progress' | 'steps'>,
): Promise<void> {
  let open = [...offers];
  let moved = 0;
  let end = Infinity;
  for (let step = 0; open.length > 0 && performance.now() < end; step++) {
    await sleep(steps.every);
    open = await stillOpen(open, caller);
    const ms = step < steps.smallOnes ? steps.small : steps.large;
    // On a busy machine the work may lag behind the clock.
    if (moved >= BOUND) end = Math.min(end, performance.now() + PATIENCE);
    else await stage.advance(ms);
    moved += ms;
    if (step % 8 === 0) {
      progress(`${open.length} not final, ${(moved / HOUR).toFixed(1)} hours later, ${stage.kills} kills`);
    }
  }
}

/** Waits until the service is idle three times in a row. */
export async function untilIdle(stage: Stage): Promise<void> {
  const end = performance.now() + QUIET_LIMIT;
  for (let times = 0; times < 3 && performance.now() < end;) {
    await sleep(300);
    times = (await stage.isIdle()) ? times + 1 : 0;
  }
}
