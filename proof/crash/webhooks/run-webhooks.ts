import { sleep } from '../../../lib/sleep';
import { FINAL } from '../../world/unfinished-work';
import { bodyOf } from '../../world/mail-body';
import { linksOf } from '../../world/reader';
import { Receivers, type Manner } from '../../world/receivers';
import { freePorts } from '../free-ports';
import { withData } from '../installation';
import { forEach, send } from '../load';
import type { Sender } from '../seed';
import { play, type Played, type PlayOptions, type Scene } from '../stage/play';
import { until } from '../stage/until';
import { Arrivals } from './arrivals';
import { memoryGrowth, MemoryWatch, quartersOf } from './memory-watch';
import { subscribe } from './subscribe';

export interface WebhooksOptions extends PlayOptions {
  /** Events handed over in all, about. Each goes to ten endpoints. */
  events: number;
  kills: number;
  /** Attempts to watch at endpoints that fail, from 1 to 5; five take 300 s. */
  attempts: number;
  /** How late an attempt may come there, ms; 2 s when absent. */
  late?: number;
}

export interface WebhooksResult extends Played {
  events: number;
  /** Different events at good endpoints, summed over these; a visit without an answer may be one more. */
  arrived: number;
  /** The largest deviation from the waits at the watched endpoints, ms. */
  worstWait: number;
  /** Arrivals at good endpoints a second, from the first visit to the last, kills included. */
  rate: number;
  /**
   * Resident memory, MB: the peak of any process, and the most in each quarter of the longest life, of `life` seconds.
   */
  memory: { peak: number; quarters: number[]; life: number };
}

/** An endpoint of the run. */
interface Endpoint {
  hook: string;
  manner: Manner;
  sender: Sender;
  webhook: number;
}

/**
 * Two workspaces with ten webhooks each, the most that one may have: seventeen of the twenty are good. A third one has
 * few events, so that the moments of what it gets show the waits.
 */
const LOADED: readonly (readonly Manner[])[] = [
  [...Array<Manner>(9).fill('good'), 'silent'],
  [...Array<Manner>(8).fill('good'), 'failing', 'failing'],
];
const WATCHED: readonly Manner[] = ['silent', 'failing', 'failing'];
const GOOD = LOADED.flat().filter((manner) => manner === 'good').length;
const WATCHED_MAILS = 3;
/** Tracked links of a mail. Each is clicked once, and the mail is opened once. */
const LINKS = 38;
const HTML = `<p>Halo</p>${Array.from({ length: LINKS }, (_, n) => `<a href="https://toko.example/p/${n}">${n}</a>`).join(' ')}`;
/** Events of a mail: delivered, an open, and the clicks. */
const EVENTS = LINKS + 2;
const VISITORS = 24;
/** Without an arrival for so long the rest is lost, ms. */
const SILENCE = 90_000;
const LOOK = 100;
/** A killed process stays down for so long, ms. */
const DOWN = 500;

/** Mails are sent, opened and clicked, and 20 endpoints hear of it while the service is killed again and again. */
export async function runWebhooks(options: WebhooksOptions): Promise<WebhooksResult> {
  let receivers: Receivers | null = null;
  try {
    return await play(options, { workspaces: LOADED.length + 1 }, async (scene) => {
      const { stage, outside, random } = scene;
      [outside.ports.hooks = 0] = await freePorts(1);
      receivers = new Receivers(outside.recorder, random, outside.ports, Infinity);
      const memory = new MemoryWatch(() => stage.members.map((member) => member.process.pid));
      try {
        return await load(scene, options, await register(scene, receivers), memory);
      } finally {
        memory.stop();
      }
    });
  } finally {
    // Not before all has come to its end.
    (receivers as Receivers | null)?.close();
  }
}

async function load(scene: Scene, options: WebhooksOptions, endpoints: Endpoint[], memory: MemoryWatch) {
  const { outside, senders, progress } = scene;
  const good = endpoints.filter(({ manner }) => manner === 'good').map(({ hook }) => hook);
  const watched = endpoints.slice(-WATCHED.length).map(({ hook }) => hook);
  const arrivals = new Arrivals(outside.recorder.lines, new Set(good));
  const mails = Math.max(1, Math.ceil(options.events / LOADED.length / EVENTS));
  for (const [i, sender] of senders.entries())
    await sendMails(scene, sender, i < LOADED.length ? mails : WATCHED_MAILS);
  const total = mails * EVENTS * GOOD;
  const [before, began] = [arrivals.count, performance.now()];
  const over = new AbortController();
  await Promise.all([
    visitAll(scene, new Set(senders.slice(0, LOADED.length).map(({ workspaceId }) => workspaceId))),
    untilArrived(arrivals, total, progress).finally(() => over.abort()),
    killOnTheWay(scene, options, { arrivals, total, over: over.signal }),
  ]);
  const rate = ((arrivals.count - before) * 1_000) / (performance.now() - began);
  memory.stop();
  await arrivals.untilAttempts(watched, WATCHED_MAILS, options.attempts);
  progress('the watched attempts are over');
  const { worst, faults } = arrivals.wrongWaits(watched, options.late);
  // What still waits at an endpoint that fails would wait for hours; what was watched to its end stays.
  for (const one of endpoints)
    if (one.manner !== 'good' && !(options.attempts === 5 && watched.includes(one.hook))) await drop(scene, one);
  const { longest, peak } = memory;
  return {
    faults: [...faults, ...memoryGrowth(longest)],
    events: mails * EVENTS * LOADED.length,
    arrived: arrivals.count,
    worstWait: worst,
    rate,
    memory: { peak, quarters: quartersOf(longest), life: longest.length },
  };
}

/** Registers a webhook for every endpoint. Throws when one is refused. */
async function register(scene: Scene, receivers: Receivers): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [i, manners] of [...LOADED, WATCHED].entries()) {
    const sender = scene.senders[i]!;
    for (const manner of manners) {
      const { hook, url } = receivers.open(endpoints.length, manner);
      const webhook = await subscribe(scene.outside, sender, {
        receivers,
        hook,
        url,
        events: ['delivered', 'open', 'click'],
      });
      endpoints.push({ hook, manner, sender, webhook });
    }
  }
  return endpoints;
}

/** Sends mails of a workspace and waits until they are delivered. */
async function sendMails(scene: Scene, sender: Sender, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  await forEach(numbers, (n, caller) =>
    send(scene, sender, { to: `delivered+${sender.workspaceId}.${n}@pelanggan.test`, caller, html: HTML }),
  );
  await withData(scene.stage.installation, async ({ stores }) => {
    const areFinal = async (): Promise<boolean> => {
      const { items } = await stores.messages.list(sender.workspaceId, { offset: 0, limit: count });
      return items.every(({ status }) => FINAL.has(status));
    };
    await until(areFinal, { every: LOOK });
  });
  scene.progress(`${count} mails of workspace ${sender.workspaceId} were delivered`);
}

/** Opens every mail of these workspaces and clicks all of its links, as mail programs and browsers do. */
async function visitAll({ outside }: Scene, workspaces: ReadonlySet<number>): Promise<void> {
  const mails = outside.server.mails
    .filter(({ to }) => workspaces.has(Number(/\+(\d+)\./.exec(to)?.[1])))
    .map(({ message, source }) => ({ message, ...linksOf(bodyOf(source)) }));
  const visits = Array.from({ length: LINKS + 1 }, (_, n) => mails.map((mail) => ({ ...mail, link: n - 1 }))).flat();
  const asked = { asked: {}, said: ({ status }: { status: number }) => ({ status }), isStubborn: true };
  await forEach(
    visits,
    ({ message, pixel, clicks, link }, name) =>
      link < 0
        ? outside.insist('open', { ...asked, name, value: { message }, path: pixel ?? '' })
        : outside.insist('click', { ...asked, name, value: { message, link }, path: clicks[link] ?? '' }),
    VISITORS,
  );
}

/** Kills a process each time another part of the events has arrived, in the first half. */
async function killOnTheWay(
  { stage, progress }: Scene,
  { kills }: WebhooksOptions,
  { arrivals, total, over }: { arrivals: Arrivals; total: number; over: AbortSignal },
): Promise<void> {
  for (let kill = 1; kill <= kills && !over.aborted; await sleep(LOOK / 2)) {
    if (arrivals.count < (total * kill) / (2 * kills + 1)) continue;
    const member = await stage.kill();
    await sleep(DOWN);
    await stage.mustStart([member]);
    progress(`kill ${kill}, after ${arrivals.count} of ${total} arrivals`);
    kill += 1;
  }
}

async function untilArrived(arrivals: Arrivals, total: number, progress: (text: string) => void): Promise<void> {
  let [before, since, told] = [-1, performance.now(), performance.now()];
  for (; arrivals.count < total && performance.now() - since < SILENCE; await sleep(LOOK)) {
    if (arrivals.count !== before) [before, since] = [arrivals.count, performance.now()];
    if (performance.now() - told < 10_000) continue;
    told = performance.now();
    progress(`${arrivals.count} of ${total} arrivals`);
  }
}

/** Deletes a webhook; what waits for it must go, too, or nothing comes to its end. */
async function drop({ outside }: Scene, { hook, sender, webhook }: Endpoint): Promise<void> {
  await outside.insist('drop', {
    name: 'operator',
    value: { workspace: sender.workspaceId, hook },
    path: `/v1/webhooks/${webhook}`,
    asked: { key: sender.apiKey, method: 'DELETE' },
    said: ({ status }) => ({ status }),
    isStubborn: true,
  });
}
