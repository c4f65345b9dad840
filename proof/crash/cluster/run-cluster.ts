import { sleep } from '../../../lib/sleep';
import { AdvancingClock } from '../../../app/core/advancing-clock';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { formatDuration } from '../../../lib/duration';
import type { Offer } from '../caller';
import type { Installation } from '../installation';
import { acceptAll, makeOffers, stillOpen, type Load } from '../load';
import type { Sender } from '../seed';
import { readJournal } from '../sink/journal';
import { playScene, type Scene, type SceneEnd, type SceneOptions } from '../stage/play-scene';
import { judge, type Verdict } from '../verdict';
import { isAtRest } from './is-at-rest';
import type { Scenario } from './scenario';
import type { Servers } from './servers';
import { longestSilence } from './silence';

export interface ClusterOptions extends SceneOptions, Pick<Load, 'pace'> {
  installation: Installation;
  servers: Servers;
  scenario: Scenario;
  workspaces: number;
  /** ms from one fault to the next. */
  every: number;
}

export interface ClusterResult extends Verdict, SceneEnd {
  messages: number;
  /** Processes that ended by themselves during the scenario and were restarted. */
  unexpectedExits: string[];
  /** The longest time a premium workspace waited for a mail to go out under load, ms. */
  silence: number;
}

/** More messages than any scenario has time for. */
const MOST = 100_000;
/** Load before the first fault, and after the last. */
const LEAD = 5 * SECOND;
/** Steps in which time advances after the faults: retries and lost claims, then the wait for evidence. */
const WAITS = [61 * SECOND, 121 * SECOND, 301 * SECOND, 15 * MINUTE, 3 * DAY, 2 * DAY, 2 * DAY, 4 * DAY];
/** A free account sends ten mails in each window. */
const FREE_WINDOW = 62 * SECOND;
const FREE_SENDS = 10;
/** Claims of one message, on average: some kinds are tried several times. */
const FREE_CLAIMS = 1.7;

/**
 * The crash proof of the cluster. Callers send messages while the scenario runs against several processes and real
 * servers, until every message is final. Then the data is compared with what the callers know and what an independent
 * sink received.
 */
export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  const { installation, scenario, servers } = options;
  const env = (await scenario.setUp?.(installation)) ?? {};
  const act = async (scene: Scene) => {
    const played = await playUnderLoad(options, scene);
    await untilFinal(played.offers, scene);
    return { ...played, unexpectedExits: [...scene.stage.unexpectedExits] };
  };
  const look = async ({ stage: { journal }, senders }: Scene, played: Awaited<ReturnType<typeof act>>) => {
    const { offers, faults, loaded, unexpectedExits } = played;
    const silence = longestSilence(readJournal(journal), offers, loaded);
    const limit = scenario.silence ?? Infinity;
    if (silence > limit) faults.push(`a workspace waited ${silence} ms for a mail to go out, not at most ${limit}`);
    const verdict = await judge({ installation, journal, senders, offers });
    return { ...verdict, faults, unexpectedExits, silence, messages: offers.length };
  };
  try {
    const { faults, differences, ...found } = await playScene(
      { sink: { slowWait: SECOND }, ...options, env },
      { workspaces: options.workspaces },
      { act, look },
    );
    return { ...found, differences: [...faults, ...differences] };
  } finally {
    await servers.restartAll();
    await scenario.tearDown?.();
  }
}

interface Played {
  /** The accepted messages. */
  offers: Offer[];
  faults: string[];
  /** Real time of the load, ms. */
  loaded: { from: number; to: number };
}

async function playUnderLoad(options: ClusterOptions, scene: Scene): Promise<Played> {
  const { scenario, servers, installation, every, progress, seed, pace } = options;
  const { caller, random, senders } = scene;
  const all = makeOffers({ messages: MOST, seed }, senders, random);
  const over = new AbortController();
  const from = Date.now();
  const load = acceptAll(all, caller, { pace, progress, until: over.signal });
  await sleep(LEAD);
  const faults = await scenario.run({ ...scene, servers, installation, every });
  await sleep(LEAD);
  over.abort();
  const to = Date.now();
  await load;
  return { offers: all.filter(({ id }) => id !== null), faults, loaded: { from, to } };
}

async function untilFinal(offers: readonly Offer[], scene: Scene): Promise<void> {
  const { stage, caller, progress } = scene;
  const clock = new AdvancingClock();
  const engine = await stage.installation.open(clock);
  const untilAtRest = (): Promise<void> => stage.untilIdle(() => isAtRest(scene, engine.stores, clock));
  try {
    let open = [...offers];
    for (const ms of [0, ...freeWaits(offers), ...WAITS]) {
      clock.advance(ms);
      await stage.advance(ms);
      await untilAtRest();
      open = await stillOpen(open, caller);
      progress(`${open.length} not final, ${formatDuration(clock.offset)} later`);
      // What the last outcomes left to do, such as refunds.
      if (open.length === 0) return await untilAtRest();
    }
  } finally {
    await engine.close();
  }
}

/** One wait per minute that the busiest free account needs. */
function freeWaits(offers: readonly Offer[]): number[] {
  const counts = new Map<Sender, number>();
  for (const { sender } of offers) if (sender.isFree) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  return Array.from(
    { length: Math.ceil((FREE_CLAIMS * Math.max(0, ...counts.values())) / FREE_SENDS) },
    () => FREE_WINDOW,
  );
}
