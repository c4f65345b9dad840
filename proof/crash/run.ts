import { sleep } from '../../lib/sleep';
import { DAY, HOUR, SECOND } from '../../lib/clock';
import type { ApiCaller, Offer } from './caller';
import { acceptAll, type Load, makeOffers, stillOpen } from './load';
import { killMeanwhile } from './stage/kill-meanwhile';
import { playScene, type SceneEnd } from './stage/play-scene';
import type { Stage } from './stage/stage';
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

const STEPS: Steps = { every: 250, small: 30 * SECOND, smallOnes: 40, large: HOUR };
/** Every message must be final by then: three days of retries, and four of waiting for a report. */
const BOUND = 12 * DAY;
/** Real time the service gets after that, ms. */
const PATIENCE = 120_000;

/**
 * The crash proof. Callers send messages while the service is killed and restarted at random moments, until every
 * message is final. Then the data is compared with what the callers know and what an independent sink received.
 */
export const runCrash = (options: RunOptions): Promise<Verdict & SceneEnd & { messages: number }> =>
  playScene(options, options, {
    act: async ({ stage, senders, random, caller }) => {
      const offers = makeOffers(options, senders, random);
      const kills = { random, every: options.every * SECOND, mostKills: options.mostKills };
      await killMeanwhile(stage, kills, async () => {
        await acceptAll(offers, caller, options);
        await untilFinal(offers, caller, stage, options);
      });
      await stage.untilIdle();
      return offers;
    },
    look: async ({ stage, senders }, offers) => ({
      ...(await judge({ installation: stage.installation, journal: stage.journal, senders, offers })),
      messages: offers.length,
    }),
  });

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
