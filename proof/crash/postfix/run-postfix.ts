import { MINUTE } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { auditData } from '../audit-data';
import { ApiCaller, type Offer } from '../caller';
import { stillOpen } from '../load';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import { SmtpRelay, type SmtpMoment } from '../smtp-relay';
import { Stage } from '../stage';
import { Postfix } from './postfix';
import { Receiver } from './receiver';

export interface PostfixRunOptions {
  program: string;
  seed: number;
  /** Hand-offs in which the service is killed. */
  kills: number;
  progress: (text: string) => void;
}

export interface PostfixRunResult {
  mails: number;
  kills: number;
  /** Mails that a killed hand-off left unknown, and that Postfix had not taken. */
  queuedAgain: number;
  /** Mails that the recipients' server took more than once. */
  doubled: string[];
  /** Mails that are not delivered, or did not arrive. */
  lost: string[];
  coinsWrong: string[];
  differences: string[];
  /** Real time, ms. */
  took: number;
}

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
  const began = performance.now();
  const receiver = new Receiver();
  const stage = await Stage.open({ program: options.program });
  let postfix: Postfix | null = null;
  let relay: SmtpRelay | null = null;
  try {
    const [sender] = (await seedWorkspaces(stage.installation, 1)) as [Sender];
    const bounces = sender.smtp.from.replace(/^.*@/, 'bounce.');
    const route = (port: number): string => `smtp:[127.0.0.1]:${port}`;
    const routes = { [DOMAIN]: route(await receiver.listen()), [bounces]: route(stage.bouncePort) };
    postfix = await Postfix.start({ routes });
    const moments: { next: SmtpMoment | null } = { next: null };
    const deaths: Promise<void>[] = [];
    const target = { host: '127.0.0.1', port: postfix.port };
    relay = new SmtpRelay(
      target,
      () => moments.next,
      () => {
        // Once for each mail: the relay may say it again, of bytes that were on their way.
        if (moments.next === null) return;
        moments.next = null;
        deaths.push(stage.kill());
      },
    );
    const env = { KURIR_MTA_URL: `smtp://127.0.0.1:${await relay.listen()}`, KURIR_POSTFIX_LOG: postfix.log };
    const restart = async (): Promise<void> => {
      if (!(await stage.start(null, env))) throw new Error(`The service did not start; see ${stage.folder}.`);
    };
    await restart();
    await untilFollowed(stage);
    await sleep(CLOCKS_DIFFER);
    const offers = await killAll({ stage, sender, moments, deaths, restart }, options);
    await settle(offers, stage, postfix);
    const { code } = await stage.stop();
    const verdict = await judge(stage, offers, receiver, sender);
    if (code !== 0) verdict.differences.push(`the service did not stop cleanly: exit code ${code}`);
    return { ...verdict, mails: offers.length, kills: stage.kills, took: performance.now() - began };
  } finally {
    await stage.close();
    relay?.close();
    postfix?.stop();
    receiver.close();
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

interface Scene {
  stage: Stage;
  sender: Sender;
  moments: { next: SmtpMoment | null };
  deaths: Promise<void>[];
  restart: () => Promise<void>;
}

/**
 * Sends a mail by which the log shows that it is ours, then one for each kill, and waits for the death of the service
 * in its hand-off.
 */
async function killAll(
  { stage, sender, moments, deaths, restart }: Scene,
  { kills, seed, progress }: PostfixRunOptions,
): Promise<Offer[]> {
  const random = seededRandom(seed);
  const caller = new ApiCaller([stage.baseUrl]);
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
  await restart();
  for (let n = 0; n < kills; n++) {
    const offer = add(String(n));
    moments.next = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? null;
    while (deaths.length === n) {
      if (offer.id === null) await caller.submit(offer);
      await sleep(20);
    }
    await deaths[n];
    await restart();
    while (offer.id === null) await caller.submit(offer);
    if ((n + 1) % 10 === 0) progress(`${n + 1} of ${kills} kills`);
  }
  return offers;
}

/** Moves the clock by six minutes, then waits until every message is final. */
async function settle(offers: readonly Offer[], stage: Stage, postfix: Postfix): Promise<void> {
  const caller = new ApiCaller([stage.baseUrl]);
  await sleep(2_000);
  await stage.advance(6 * MINUTE);
  const end = performance.now() + PATIENCE;
  while (performance.now() < end && (await stillOpen(offers, caller)).length > 0) {
    // A report that its queue manager found locked waits there for up to six minutes.
    postfix.flush();
    await sleep(FLUSH_EVERY);
  }
}

type Judged = Omit<PostfixRunResult, 'mails' | 'kills' | 'took'>;

async function judge(stage: Stage, offers: readonly Offer[], receiver: Receiver, sender: Sender): Promise<Judged> {
  const engine = await stage.installation.open();
  const found: Judged = { queuedAgain: 0, doubled: [], lost: [], coinsWrong: [], differences: [] };
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
  found.differences = await auditData(stage.installation);
  return found;
}
