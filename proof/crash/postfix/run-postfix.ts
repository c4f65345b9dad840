import { MINUTE } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Message } from '../../../domain/messages/message';
import { FINAL } from '../../world/unfinished-work';
import { send } from '../load';
import { withData } from '../installation';
import { SmtpRelay, type SmtpMoment } from '../smtp-relay';
import { play, type Played, type PlayOptions, type Scene } from '../stage/play';
import type { Stage } from '../stage/stage';
import { until } from '../stage/until';
import { Postfix } from './postfix';
import { Receiver } from './receiver';

export interface PostfixRunOptions extends PlayOptions {
  /** Hand-offs in which the service is killed. */
  kills: number;
}

export interface PostfixRunResult extends Played {
  mails: number;
  /** Mails that a killed hand-off left unknown, and that Postfix had not taken. */
  queuedAgain: number;
}

/** Past the fence: Postfix has the whole mail, all but its end, or half of it. */
const MOMENTS: readonly SmtpMoment[] = ['after the final dot', '250 received', 'before the final dot', 'body half way'];
const DOMAIN = 'pelanggan.test';
/** More messages than a run has. */
const MAX = 10_000;
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
  const open: { close: () => void }[] = [];
  const kills: Kills = { next: null, deaths: [] };
  let postfix!: Postfix;
  const prepare = async ({ stage, senders, outside: { recorder } }: Scene): Promise<void> => {
    // Behind Postfix a mail arrives for good, and Postfix says so.
    const receiver = new Receiver(undefined, (message, to) => {
      recorder.begin('mta', 'take', { message, to, fault: null }).ok({ reply: '250' });
      recorder.begin('postfix', 'report', { message, kind: 'delivered' }).ok({ reply: '250' });
    });
    open.push(receiver);
    const bounces = senders[0]!.smtp.from.replace(/^.*@/, 'bounce.');
    const route = (port: number): string => `smtp:[127.0.0.1]:${port}`;
    const routes = { [DOMAIN]: route(await receiver.listen()), [bounces]: route(stage.bouncePorts[0]!) };
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
  const act = async (scene: Scene): Promise<{ mails: number }> => {
    await untilFollowed(scene.stage);
    await sleep(CLOCKS_DIFFER);
    const mails = await killAll(scene, kills, options);
    await settle(scene, postfix);
    return { mails };
  };
  const tell = async ({ stage, senders }: Scene): Promise<{ queuedAgain: number }> => {
    const all = await messagesOf(stage, senders[0]!.workspaceId);
    return { queuedAgain: all.filter(({ attempt }) => attempt > 1).length };
  };
  try {
    return await play(options, { workspaces: 1, prepare }, act, tell);
  } finally {
    for (const one of open.reverse()) one.close();
  }
}

/** What is handed over before the log is followed has no evidence in it. */
const untilFollowed = ({ installation }: Stage): Promise<void> =>
  withData(installation, async ({ stores }) => {
    const isFollowed = async (): Promise<boolean> => (await stores.settings.get('postfix_logs')) !== null;
    if (!(await until(isFollowed, { every: 100, patience: PATIENCE })))
      throw new Error('The service does not follow the log of Postfix.');
  });

interface Kills {
  next: SmtpMoment | null;
  deaths: Promise<unknown>[];
}

/**
 * Sends a mail by which the log shows that it is ours, then one for each kill, and waits for the death of the service
 * in its hand-off. Returns how many.
 */
async function killAll(scene: Scene, moments: Kills, { kills, progress }: PostfixRunOptions): Promise<number> {
  const { stage, senders, random } = scene;
  const mail = (name: string): Promise<string> =>
    send(scene, senders[0]!, { to: `p${name}@${DOMAIN}`, caller: `caller-${name}` });
  await mail('first');
  await until(() => areFinal(scene), { every: 100 });
  // Moments are asked for by connection, and the one of this mail stays open.
  await stage.stop();
  await stage.mustStart();
  for (let n = 0; n < kills; n++) {
    moments.next = random.pick(MOMENTS);
    const sent = mail(String(n));
    while (moments.deaths.length === n) await sleep(20);
    await moments.deaths[n];
    await stage.mustStart();
    await sent;
    if ((n + 1) % 10 === 0) progress(`${n + 1} of ${kills} kills`);
  }
  return kills + 1;
}

/** Moves the clock by six minutes, then waits until every message is final. */
async function settle(scene: Scene, postfix: Postfix): Promise<void> {
  await sleep(2_000);
  await scene.stage.advance(6 * MINUTE);
  const isSettled = async (): Promise<boolean> => {
    // A report that its queue manager found locked waits there for up to six minutes.
    postfix.flush();
    return areFinal(scene);
  };
  await until(isSettled, { every: FLUSH_EVERY, patience: PATIENCE });
}

const areFinal = async ({ stage, senders }: Scene): Promise<boolean> =>
  (await messagesOf(stage, senders[0]!.workspaceId)).every(({ status }) => FINAL.has(status));

const messagesOf = ({ installation }: Stage, workspaceId: number): Promise<readonly Message[]> =>
  withData(
    installation,
    async ({ stores }) => (await stores.messages.list(workspaceId, { offset: 0, limit: MAX })).items,
  );
