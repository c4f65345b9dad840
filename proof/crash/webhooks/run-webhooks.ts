import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import { sleep } from '../../../lib/sleep';
import type { ApiCaller, Offer } from '../caller';
import { stillOpen } from '../load';
import type { Sender } from '../seed';
import { playScene, withDifferences, type Scene, type SceneEnd } from '../stage/play-scene';
import { ALL_BEHAVIOURS, LOADED, registerAll } from './endpoints';
import type { Ground, WebhooksOptions } from './ground';
import { deliveredEvents, EVENTS_OF_MAIL, HTML, visitAll, type HitResult } from './hits';
import { judgeArrivals, judgeFailing, judgeWatched, untilAttempts } from './judge';
import { memoryGrowth, MemoryWatch, quartersOf } from './memory-watch';
import { startReceivers } from './receiver-role';

export interface WebhooksResult extends SceneEnd {
  /** Everything that is wrong. */
  faults: string[];
  events: number;
  /** Different events at good endpoints, summed over these. */
  arrived: number;
  /** Different events that a good endpoint never got, summed over these. */
  lost: number;
  /** Requests at good endpoints with an event that was there already, under the same id. */
  repeats: number;
  /** Events at good endpoints that came under more than one id. */
  severalIds: number;
  requests: number;
  /** Largest deviation from the waits by the receivers' clock, ms. */
  worstWait: number;
  /** Deliveries to good endpoints a second, from the first visit to the last arrival, kills included. */
  rate: number;
  /**
   * Resident memory, MB: the peak of any process, and the most in each quarter of the longest life, of `life` seconds.
   */
  memory: { peak: number; quarters: number[]; life: number };
}

/** Mails whose events the watched endpoints get: with five attempts each, too few to be tried one at a time. */
const WATCHED_MAILS = 3;
/** Without an arrival for so long the rest is lost, ms. */
const SILENCE = 90_000;
const LOOK = 100;
/** Mails that are handed in at the same time. */
const CALLERS = 8;

/**
 * The proof of webhooks: mails are sent, opened and clicked, and 20 endpoints hear of it while the service is killed
 * again and again. Then what arrived is compared with what was done.
 */
export async function runWebhooks(options: WebhooksOptions): Promise<WebhooksResult> {
  const act = async (scene: Scene) => {
    const { stage, senders, caller } = scene;
    const receivers = await startReceivers(options.program, { behaviours: ALL_BEHAVIOURS }, stage.folder);
    const memory = new MemoryWatch(() => stage.pids);
    try {
      const registered = await registerAll(caller, senders, await receivers.call('ports', undefined));
      await receivers.call(
        'learn',
        registered.map(({ secret }) => secret),
      );
      return await play({ ...scene, options, receivers, registered }, memory);
    } finally {
      memory.stop();
      await receivers.kill();
    }
  };
  const look = async (_scene: Scene, found: Awaited<ReturnType<typeof act>>) => found;
  return withDifferences(await playScene(options, { workspaces: LOADED.length + 1 }, { act, look }));
}

async function play(ground: Ground, memory: MemoryWatch): Promise<Omit<WebhooksResult, keyof SceneEnd>> {
  const { options, stage, receivers } = ground;
  const mails = Math.max(1, Math.ceil(options.events / LOADED.length / EVENTS_OF_MAIL));
  await sendMails(ground, LOADED.length, WATCHED_MAILS);
  const sent: string[][] = [];
  for (const workspace of LOADED.keys()) sent.push(await sendMails(ground, workspace, mails));
  const before = (await receivers.call('counts', undefined)).arrived;
  const loadBegan = performance.now();
  const over = new AbortController();
  const total = goodDeliveries(mails);
  const [hits] = await Promise.all([
    visitAll(stage.origins, sent.flat()),
    untilArrived(ground, total).finally(() => over.abort()),
    killMeanwhile(ground, total, over.signal),
  ]);
  const { arrived } = await receivers.call('counts', undefined);
  const rate = ((arrived - before) * 1_000) / (performance.now() - loadBegan);
  memory.stop();
  await untilAttempts(ground);
  const watched = await judgeWatched(ground);
  const events = sent.map((ids) => eventsOf(ids, hits));
  const { lost, severalIds, ...arrivals } = await judgeArrivals(ground, events, hits.unanswered);
  const { longest, peak } = memory;
  const faults = [
    ...arrivals.faults,
    ...(await judgeFailing(ground)),
    ...watched.faults,
    ...memoryGrowth(longest),
    ...(await leftBehind(ground)),
  ];
  // Only now: what was claimed at a kill comes again after its lease.
  const { requests, repeats } = await receivers.call('counts', undefined);
  return {
    faults,
    events: mails * EVENTS_OF_MAIL * LOADED.length,
    ...{ arrived, lost, repeats, severalIds, requests, rate },
    worstWait: watched.worst,
    memory: { peak, quarters: quartersOf(longest), life: longest.length },
  };
}

/** Different events that good endpoints must get, summed over these. */
const goodDeliveries = (mails: number): number =>
  mails * EVENTS_OF_MAIL * LOADED.flat().filter((behaviour) => behaviour === 'good').length;

/** The events of these mails that must have arrived. */
function eventsOf(messageIds: readonly string[], { events }: HitResult): string[] {
  const own = new Set(messageIds);
  return [...deliveredEvents(messageIds), ...events.filter((event) => own.has(event.slice(0, event.indexOf(' '))))];
}

/** Sends mails of a workspace and waits until they are delivered. Returns their ids. */
async function sendMails({ caller, senders, options }: Ground, workspace: number, count: number): Promise<string[]> {
  const sender = senders[workspace]!;
  const offers = Array.from({ length: count }, (_, n): Offer => {
    const to = `delivered+${n}@pelanggan.test`;
    return { sender, kind: 'delivered', key: `webhooks-${workspace}-${n}`, to, id: null };
  });
  const left = [...offers];
  const submit = async (): Promise<void> => {
    for (let offer = left.shift(); offer; offer = left.shift()) {
      while (!(await caller.submit(offer, { html: HTML }))) await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, submit));
  for (let open = offers; open.length > 0; await sleep(LOOK)) open = await stillOpen(open, caller);
  options.progress(`${count} mails of workspace ${workspace + 1} were delivered`);
  return offers.map(({ id }) => id ?? '');
}

/** Kills a process each time another part of the events has arrived, in the first half. */
async function killMeanwhile({ options, stage, receivers }: Ground, total: number, over: AbortSignal): Promise<void> {
  for (let kill = 1; kill <= options.kills && !over.aborted; await sleep(LOOK / 2)) {
    const { arrived } = await receivers.call('counts', undefined);
    if (arrived < (total * kill) / (2 * options.kills + 1)) continue;
    await stage.killAndRestart();
    options.progress(`kill ${kill}, after ${arrived} of ${total} arrivals`);
    kill += 1;
  }
}

async function untilArrived({ options, receivers, stage }: Ground, total: number): Promise<void> {
  let [before, since, reported] = [-1, performance.now(), performance.now()];
  for (; performance.now() - since < SILENCE; await sleep(LOOK)) {
    const { arrived, requests } = await receivers.call('counts', undefined);
    if (arrived >= total && (await stage.isIdle())) return;
    if (arrived !== before) [before, since] = [arrived, performance.now()];
    if (performance.now() - reported < 10_000) continue;
    reported = performance.now();
    options.progress(`${arrived} of ${total} arrivals, ${requests} requests`);
  }
}

/** Deletes the webhooks that still wait, and looks whether their work goes, too. */
async function leftBehind({ caller, senders, registered, stage }: Ground): Promise<string[]> {
  for (const { webhookId, workspace, behaviour } of registered) {
    if (behaviour !== 'good') await deleteWebhook(caller, senders[workspace]!, webhookId);
  }
  const engine = await stage.installation.open();
  const waits = async (): Promise<boolean> => (await engine.stores.dueTasks.nextDue(WEBHOOK_WORK)) !== null;
  const end = performance.now() + SILENCE;
  while ((await waits()) && performance.now() < end) await sleep(LOOK);
  const faults = (await waits()) ? ['work for webhooks was left behind'] : [];
  await engine.close();
  return faults;
}

async function deleteWebhook(caller: ApiCaller, { apiKey }: Sender, id: number): Promise<void> {
  for (let status = 0; status !== 200 && status !== 404;) {
    status = (await caller.request(apiKey, `/webhooks/${id}`, undefined, {}, 'DELETE'))?.status ?? 0;
  }
}
