import { connect } from 'node:tls';
import { sleep } from '../../lib/sleep';
import type { Connect } from '../world/relay-dialogue';
import { RelayCaller } from '../world/relay-caller';
import { doneOf, play, type Played, type PlayOptions, type Scene } from './stage/play';

export interface RelayKillsOptions extends PlayOptions {
  /** Mails that are to lose their 250. */
  lostAnswers: number;
  /** From the final dot to the kill, ms, for a random number below 1: before and after a commit about as often. */
  killAfter: (random: number) => number;
}

export interface RelayKillsResult extends Played {
  mails: number;
  /** Mails whose client got no answer to the final dot, and sent again. */
  lostAnswers: number;
  /** Of these, recipients whose messages had been made before the kill. */
  madeBefore: number;
}

const RECIPIENTS = 2;
/** Mails to one answer that is to be lost, at most. */
const MAX = 10;

/**
 * The service is killed between the final dot and the 250 of a mail of the relay, at a random moment. The client sends
 * the mail again until it is taken (docs/contract.md#relay-repeats).
 */
export async function runRelayKills(options: RelayKillsOptions): Promise<RelayKillsResult> {
  /** When the answer of a mail was lost, ms, by recipient. */
  const lostAt = new Map<string, number>();
  const tell = (scene: Scene): { madeBefore: number } => {
    const made = new Set(
      doneOf(scene, 'send').flatMap(({ value, answer }) =>
        timeOf(answer.message) <= (lostAt.get(value.to) ?? 0) ? [answer.message] : [],
      ),
    );
    return { madeBefore: made.size };
  };
  return play(options, { workspaces: 1 }, (scene) => killMails(scene, options, lostAt), tell);
}

async function killMails(
  { stage, outside, senders, random, progress }: Scene,
  { lostAnswers: wanted, killAfter }: RelayKillsOptions,
  lostAt: Map<string, number>,
): Promise<{ mails: number; lostAnswers: number }> {
  let [lost, n] = [0, 0];
  for (; lost < wanted && n < wanted * MAX; n++) {
    const to = Array.from({ length: RECIPIENTS }, (_, i) => `delivered+${n}.${i}@pelanggan.test`);
    const mail = { account: senders[0]!, messageId: `<relay-${n}@toko.example>`, to };
    const kills: Promise<unknown>[] = [];
    const kill = (): void => void kills.push(sleep(killAfter(random.next())).then(() => stage.kill()));
    const isTaken = await new RelayCaller(outside, { connect: connectByTls, onDot: kill }).take('caller', mail);
    if (kills.length === 0) throw new Error(`The relay did not take mail ${n}; see ${stage.folder}.`);
    await Promise.all(kills);
    if (!isTaken) {
      lost += 1;
      for (const one of to) lostAt.set(one, stage.now());
    }
    await stage.mustStart();
    while (!(await new RelayCaller(outside, { connect: connectByTls }).take('caller', mail))) await sleep(50);
    if (n % 20 === 19) progress(`${lost} of ${wanted} answers lost`);
  }
  return { mails: n, lostAnswers: lost };
}

/** To the relay with TLS from the start, whose certificate nobody signed. */
export const connectByTls: Connect = (to) => connect({ ...to, rejectUnauthorized: false });

/** A UUIDv7 begins with its time, ms. */
const timeOf = (id: string): number => parseInt(id.replace('-', '').slice(0, 12), 16);
