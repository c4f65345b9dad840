import { MINUTE } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Offer } from '../caller';
import { stillOpen } from '../load';
import { SmtpRelay, type SmtpMoment } from '../smtp-relay';
import { playScene, type Scene, type SceneEnd, type SceneOptions } from '../stage/play-scene';
import type { Stage } from '../stage/stage';
import { Postfix } from './postfix';
import { Receiver } from './receiver';

export interface PostfixRunOptions extends SceneOptions {
  /** Hand-offs in which the service is killed. */
  kills: number;
}

interface Judged {
  /** Mails that a killed hand-off left unknown, and that Postfix had not taken. */
  queuedAgain: number;
  /** Mails that the recipients' server took more than once. */
  doubled: string[];
  /** Mails that are not delivered, or did not arrive. */
  lost: string[];
  coinsWrong: string[];
}

export type PostfixRunResult = Judged & SceneEnd & { mails: number };

/** Past the fence: Postfix has the whole mail, all but its end, or half of it. */
const MOMENTS: readonly SmtpMoment[] = ['after the final dot', '250 received', 'before the final dot', 'body half way'];
const DOMAIN = 'pelanggan.test';
/** Real time for everything to end well once the clock has moved, ms. */
const PATIENCE = 180_000;
/** How often Postfix tries its whole queue while reports are waited for, real time, ms. */
const FLUSH_EVERY = 2_000;
/** More than the clocks of log and service may differ: what was handed over sooner has no evidence, ms. */
const CLOCKS_DIFFER = 7_000;

/**
 * The service hands over to a real Postfix and is killed past the fence, again and again: right after the final dot,
 * when the 250 is on its way, and before the mail is complete. The log of Postfix settles each of them: the clock moves
 * by six minutes, not by the four days of a wait without it (docs/architecture.md#the-log-of-postfix).
 */
export async function runPostfix(options: PostfixRunOptions): Promise<PostfixRunResult> {
  const receiver = new Receiver();
  const open: { close: () => void }[] = [receiver];
  const kills: Kills = { next: null, deaths: [] };
  let postfix!: Postfix;
  const prepare = async ({ stage, sender }: Scene): Promise<void> => {
    const bounces = sender.smtp.from.replace(/^.*@/, 'bounce.');
    const route = (port: number): string => `smtp:[127.0.0.1]:${port}`;
    const routes = { [DOMAIN]: route(await receiver.listen()), [bounces]: route(stage.bouncePort) };
    postfix = await Postfix.start({ routes });
    open.push({ close: () => postfix.stop() });
    const relay = new SmtpRelay(
      { host: '127.0.0.1', port: postfix.port },
      () => kills.next,
      () => {
        // Once for each mail: the relay may say it again, of bytes that were on their way.
        if (kills.next === null) return;
        kills.next = null;
        kills.deaths.push(stage.kill());
      },
    );
    open.push(relay);
    stage.env = { KURIR_MTA_URL: `smtp://127.0.0.1:${await relay.listen()}`, KURIR_POSTFIX_LOG: postfix.log };
  };
  const act = async (scene: Scene): Promise<Offer[]> => {
    await untilFollowed(scene.stage);
    await sleep(CLOCKS_DIFFER);
    const offers = await killAll(scene, kills, options);
    await settle(scene, offers, postfix);
    return offers;
  };
  const look = async (scene: Scene, offers: Offer[]) => ({
    ...(await judge(scene, offers, receiver)),
    mails: offers.length,
  });
  try {
    return await playScene(options, { workspaces: 1, prepare }, { act, look });
  } finally {
    for (const one of open.reverse()) one.close();
  }
}

/** What is handed over before the log is followed has no evidence in it. */
async function untilFollowed(stage: Stage): Promise<void> {
  const engine = await stage.installation.open();
  try {
    const end = performance.now() + PATIENCE;
    while ((await engine.stores.settings.get('postfix_logs')) === null) {
      if (performance.now() > end) throw new Error('The service does not follow the log of Postfix.');
      await sleep(100);
    }
  } finally {
    await engine.close();
  }
}

interface Kills {
  next: SmtpMoment | null;
  deaths: Promise<unknown>[];
}

/**
 * Sends a mail by which the log shows that it is ours, then one for each kill, and waits for the death of the service
 * in its hand-off.
 */
async function killAll(
  { stage, sender, caller, random }: Scene,
  moments: Kills,
  { kills, seed, progress }: PostfixRunOptions,
): Promise<Offer[]> {
  const { deaths } = moments;
  const offers: Offer[] = [];
  const add = (name: string): Offer => {
    const offer: Offer = {
      sender,
      kind: 'delivered',
      key: `postfix-${seed}-${name}`,
      to: `p${name}@${DOMAIN}`,
      id: null,
    };
    offers.push(offer);
    return offer;
  };
  const first = add('first');
  while (first.id === null) await caller.submit(first);
  while ((await stillOpen([first], caller)).length > 0) await sleep(100);
  // Moments are asked for by connection, and the one of this mail stays open.
  await stage.stop();
  await stage.mustStart();
  for (let n = 0; n < kills; n++) {
    const offer = add(String(n));
    moments.next = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? null;
    while (deaths.length === n) {
      if (offer.id === null) await caller.submit(offer);
      await sleep(20);
    }
    await deaths[n];
    await stage.mustStart();
    while (offer.id === null) await caller.submit(offer);
    if ((n + 1) % 10 === 0) progress(`${n + 1} of ${kills} kills`);
  }
  return offers;
}

/** Moves the clock by six minutes, then waits until every message is final. */
async function settle({ stage, caller }: Scene, offers: readonly Offer[], postfix: Postfix): Promise<void> {
  await sleep(2_000);
  await stage.advance(6 * MINUTE);
  const end = performance.now() + PATIENCE;
  while (performance.now() < end && (await stillOpen(offers, caller)).length > 0) {
    // A report that its queue manager found locked waits there for up to six minutes.
    postfix.flush();
    await sleep(FLUSH_EVERY);
  }
}

async function judge({ stage, sender }: Scene, offers: readonly Offer[], receiver: Receiver): Promise<Judged> {
  const engine = await stage.installation.open();
  const found: Judged = { queuedAgain: 0, doubled: [], lost: [], coinsWrong: [] };
  try {
    const { messages, coins } = engine.stores;
    for (const { id, to } of offers) {
      const message = id === null ? null : await messages.get(id);
      const arrived = receiver.taken.filter((one) => one === id).length;
      if (arrived > 1) found.doubled.push(`${to}: arrived ${arrived} times`);
      if (message?.status !== 'delivered' || arrived === 0) {
        found.lost.push(`${to}: ${id} is ${message?.status}, arrived ${arrived} times`);
      }
      if (message && message.attempt > 1) found.queuedAgain++;
    }
    const { balance } = await coins.account(sender.workspaceId);
    if (balance !== sender.coins - offers.length) found.coinsWrong.push(`the balance is ${balance}`);
  } finally {
    await engine.close();
  }
  return found;
}
