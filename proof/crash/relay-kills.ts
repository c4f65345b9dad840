import { sleep } from '../../lib/sleep';
import type { Offer } from './caller';
import { takeByRelay } from './relay-client';
import { untilFinal, type Steps } from './run';
import { playScene, type Scene, type SceneEnd, type SceneOptions } from './stage/play-scene';
import type { Stage } from './stage/stage';
import { judge, type Verdict } from './verdict';

export interface RelayKillsOptions extends SceneOptions {
  /** Mails that are to lose their 250. */
  lostAnswers: number;
  /** From the final dot to the kill, ms, for a random number below 1: before and after a commit about as often. */
  killAfter: (random: number) => number;
  steps: Steps;
}

export interface RelayKillsResult extends Verdict, SceneEnd {
  mails: number;
  /** Mails whose client got no answer to the final dot, and sent again. */
  lostAnswers: number;
  /** Of these, mails whose messages had been made before the kill. */
  madeBefore: number;
}

const RECIPIENTS = 2;
/** Mails to one answer that is to be lost, at most. */
const MOST = 10;

/**
 * The service is killed between the final dot and the 250 of a mail of the relay, at a random moment. The client sends
 * the mail again until it is taken. Then the data is compared with the ids that it got, and with the sink
 * (docs/contract.md#relay-repeats).
 */
export const runRelayKills = (options: RelayKillsOptions): Promise<RelayKillsResult> =>
  playScene(
    options,
    { workspaces: 1 },
    {
      act: async (scene) => {
        const { stage, caller } = scene;
        const killed = await killMails(scene, options);
        // Time moves on when all is sent: the readers of a cluster come back only some time after a kill.
        await stage.untilIdle();
        await untilFinal(killed.offers, caller, stage, options);
        await stage.untilIdle();
        return killed;
      },
      look: async ({ stage, senders }, { offers, ...counts }) => ({
        ...(await judge({ installation: stage.installation, journal: stage.journal, senders, offers })),
        ...counts,
        mails: offers.length / RECIPIENTS,
      }),
    },
  );

async function killMails(
  { stage, sender, random }: Scene,
  { seed, lostAnswers: wanted, killAfter, progress }: RelayKillsOptions,
): Promise<{ offers: Offer[]; lostAnswers: number; madeBefore: number }> {
  const offers: Offer[] = [];
  let lost = 0;
  let madeBefore = 0;
  for (let n = 0; lost < wanted && n < wanted * MOST; n++) {
    const mail = Array.from({ length: RECIPIENTS }, (_, i): Offer => {
      const to = `delivered+${n}.${i}@pelanggan.test`;
      return { sender, kind: 'delivered', key: `relay-${seed}-${n}`, to, id: null };
    });
    offers.push(...mail);
    const kills: Promise<unknown>[] = [];
    const taken = await takeByRelay(stage.smtpsPort, mail, () => void kills.push(killSoon(stage, killAfter(random()))));
    if (kills.length === 0) throw new Error(`The relay did not take mail ${n}; see ${stage.folder}.`);
    await Promise.all(kills);
    const killedAt = Date.now();
    if (!taken) lost++;
    await stage.mustStart();
    while (!(await takeByRelay(stage.smtpsPort, mail))) await sleep(50);
    if (!taken && mail.every(({ id }) => id !== null && timeOf(id) <= killedAt)) madeBefore++;
    if ((n + 1) % 20 === 0) progress(`${lost} of ${wanted} answers lost`);
  }
  return { offers, lostAnswers: lost, madeBefore };
}

async function killSoon(stage: Stage, ms: number): Promise<void> {
  await sleep(ms);
  await stage.kill();
}

/** A UUIDv7 begins with its time, ms. */
const timeOf = (id: string): number => parseInt(id.replace('-', '').slice(0, 12), 16);
