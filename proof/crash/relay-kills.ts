import { sleep } from '../../lib/sleep';
import { auditData } from './audit-data';
import { ApiCaller, type Offer } from './caller';
import type { Installation } from './installation';
import { seededRandom } from './random';
import { takeByRelay } from './relay-client';
import { untilFinal, untilIdle, type Steps } from './run';
import { seedWorkspaces, type Sender } from './seed';
import { Stage } from './stage';
import { judge, type Verdict } from './verdict';

export interface RelayKillsOptions {
  program: string;
  /** The default is an embedded one. The caller removes it. */
  installation?: Installation;
  seed: number;
  /** Mails that are to lose their 250. */
  lostAnswers: number;
  /** From the final dot to the kill, ms, for a random number below 1: before and after a commit about as often. */
  killAfter: (random: number) => number;
  steps: Steps;
  progress: (text: string) => void;
}

export interface RelayKillsResult extends Verdict {
  mails: number;
  /** Mails whose client got no answer to the final dot, and sent again. */
  lostAnswers: number;
  /** Of these, mails whose messages had been made before the kill. */
  madeBefore: number;
  differences: string[];
}

const RECIPIENTS = 2;
/** Mails to one answer that is to be lost, at most. */
const MOST = 10;

/**
 * The service is killed between the final dot and the 250 of a mail of the relay, at a random moment. The client sends
 * the mail again until it is taken. Then the data is compared with the ids that it got, and with the sink
 * (docs/contract.md#relay-repeats).
 */
export async function runRelayKills(options: RelayKillsOptions): Promise<RelayKillsResult> {
  const { program, installation } = options;
  const stage = await Stage.open({ program, ...(installation ? { installation } : {}) });
  try {
    const senders = await seedWorkspaces(stage.installation, 1);
    if (!(await stage.start())) throw new Error(`The service did not start; see ${stage.folder}.`);
    const { offers, ...counts } = await killMails(stage, senders[0]!, options);
    // Time moves on when all is sent: the readers of a cluster come back only some time after a kill.
    await untilIdle(stage);
    await untilFinal(offers, new ApiCaller([stage.baseUrl]), stage, options);
    await untilIdle(stage);
    const { code } = await stage.stop();
    const verdict = await judge({ installation: stage.installation, journal: stage.journal, senders, offers });
    const differences = await auditData(stage.installation);
    if (code !== 0) differences.push(`the service did not stop cleanly: exit code ${code}`);
    return { ...verdict, differences, mails: offers.length / RECIPIENTS, ...counts };
  } finally {
    await stage.close();
  }
}

async function killMails(
  stage: Stage,
  sender: Sender,
  { seed, lostAnswers: wanted, killAfter, progress }: RelayKillsOptions,
): Promise<{ offers: Offer[]; lostAnswers: number; madeBefore: number }> {
  const random = seededRandom(seed);
  const offers: Offer[] = [];
  let lost = 0;
  let madeBefore = 0;
  for (let n = 0; lost < wanted && n < wanted * MOST; n++) {
    const mail = Array.from({ length: RECIPIENTS }, (_, i): Offer => {
      const to = `delivered+${n}.${i}@pelanggan.test`;
      return { sender, kind: 'delivered', key: `relay-${seed}-${n}`, to, id: null };
    });
    offers.push(...mail);
    const kills: Promise<void>[] = [];
    const taken = await takeByRelay(stage.smtpsPort, mail, () => void kills.push(killSoon(stage, killAfter(random()))));
    if (kills.length === 0) throw new Error(`The relay did not take mail ${n}; see ${stage.folder}.`);
    await Promise.all(kills);
    const killedAt = Date.now();
    if (!taken) lost++;
    if (!(await stage.start())) throw new Error(`The service did not restart; see ${stage.folder}.`);
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
