import { PREMIUM_PER_MINUTE } from '../../../domain/queue/send-rate';
import { DAY, MINUTE } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { CampaignRef } from '../../../stores/ports/campaign-runs';
import { auditData } from '../audit-data';
import { ApiCaller } from '../caller';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import type { StartSubject, Subject } from '../webhooks/subject';
import { CommandLine } from './command-line';
import { judgeCampaign, type CampaignVerdict } from './judge';
import { prepareCampaign, suppress } from './prepare';

export interface CampaignOptions {
  program: string;
  start: StartSubject;
  seed: number;
  contacts: number;
  /** Seconds between kills, on average. */
  every: number;
  /** Kills at most; default: as long as the campaign runs. */
  mostKills?: number;
  progress: (text: string) => void;
}

export interface CampaignResult extends CampaignVerdict {
  refusedLines: number;
  kills: number;
  /** Looks at the counts while the campaign ran. */
  looks: number;
  /** Lines imported a second. */
  importRate: number;
  /** Of the sending, kills included, ms. */
  took: number;
}

/**
 * A minute's mails for each contact. A campaign may send a twentieth of them in three seconds, so one of any size goes
 * on for more than six; a large one is faster than any machine.
 */
const RATE_EACH = 6;
/** More than a hard bounce of every mail costs. */
const COINS_EACH = 5;
const LOOK = 250;
/** Looks without a change after which only the clock can go on. */
const STILL = 8;
/** Refused mails are tried again after minutes; mails without a record are given up after days. */
const RETRY = 10 * MINUTE;
/** Real time without any change after which the rest is lost, ms. */
const SILENCE = 120_000;
const REPORT_EVERY = 10_000;
/** The first kill comes within this time, before even a small campaign can be over, ms. */
const FIRST_KILL = 1_000;

/**
 * The proof of campaigns: contacts are imported, a campaign is sent to them while the service is killed again and
 * again, and its counts are looked at all the time. Then what the sink received is compared with who should have got
 * it.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { contacts, program } = options;
  let sender: Sender | null = null;
  const seed = async (installation: Subject['installation']): Promise<void> => {
    [sender = null] = await seedWorkspaces(installation, 1, contacts * COINS_EACH);
    await suppress(installation, sender!, contacts);
  };
  const rate = Math.max(PREMIUM_PER_MINUTE, RATE_EACH * contacts);
  const subject = await options.start(program, seed, { KURIR_PREMIUM_PER_MINUTE: String(rate) });
  try {
    return await play(options, subject, sender!);
  } finally {
    await subject.close();
  }
}

async function play(options: CampaignOptions, subject: Subject, sender: Sender): Promise<CampaignResult> {
  const { contacts, program, progress } = options;
  const { installation, journal, folder } = subject;
  const kurir = new CommandLine(program, installation);
  const { campaign, refused, importRate, ...prepared } = await prepareCampaign(kurir, sender, { contacts, folder });
  progress(`${contacts} contacts were imported, ${refused} lines refused`);
  const began = performance.now();
  const caller = new ApiCaller(subject.origins.map((origin) => `${origin}/v1`));
  const watch = new Watch({ caller, sender, campaign, subject, progress });
  const over = new AbortController();
  const sendAndWatch = async (): Promise<void> => {
    await kurir.run('campaign', 'send', String(campaign.workspaceId), String(campaign.id));
    await watch.until(({ recipients, pending }) => recipients === contacts && pending === 0, RETRY);
  };
  await Promise.all([sendAndWatch().finally(() => over.abort()), killMeanwhile(options, subject, over.signal)]);
  const took = performance.now() - began;
  progress(`nothing is pending after ${subject.kills} kills`);
  await watch.until((_counts, status) => status === 'completed', DAY);
  await untilIdle(subject);
  const faults = [...prepared.faults, ...watch.faults, ...(await subject.stop())];
  const verdict = await judgeCampaign({ installation, journal, sender, campaign, contacts });
  faults.push(...verdict.faults, ...(await auditData(installation)));
  return { ...verdict, faults, refusedLines: refused, kills: subject.kills, looks: watch.looks, importRate, took };
}

async function killMeanwhile(
  { seed, every, mostKills = Infinity }: CampaignOptions,
  subject: Subject,
  over: AbortSignal,
): Promise<void> {
  const random = seededRandom(seed);
  for (let pause = FIRST_KILL * random(); subject.kills < mostKills; pause = every * 1_000 * (0.25 + 1.5 * random())) {
    await sleep(pause, over);
    if (over.aborted) return;
    await subject.kill();
  }
}

/** Waits until the service is idle and the sink has no report left, three times in a row. */
async function untilIdle(subject: Subject): Promise<void> {
  const end = performance.now() + SILENCE;
  for (let times = 0; times < 3 && performance.now() < end; await sleep(LOOK)) {
    times = (await subject.isIdle()) && (await subject.pendingReports()) === 0 ? times + 1 : 0;
  }
}

interface WatchParts {
  caller: ApiCaller;
  sender: Sender;
  campaign: CampaignRef;
  subject: Subject;
  progress: (text: string) => void;
}

type Counts = Record<'recipients' | 'delivered' | 'bounced' | 'failed' | 'skipped' | 'pending' | 'in_hand', number>;

/** Looks at the counts of the campaign, which must close each time (I16). */
class Watch {
  readonly faults: string[] = [];
  looks = 0;
  private reported = 0;

  constructor(private readonly parts: WatchParts) {}

  /** Looks until that holds. Where nothing but time can go on, the clock is advanced by `step` ms. */
  async until(holds: (counts: Counts, status: string) => boolean, step: number): Promise<void> {
    const { subject } = this.parts;
    let before = '';
    let still = 0;
    for (let changed = performance.now(); performance.now() - changed < SILENCE; await sleep(LOOK)) {
      const look = await this.look();
      if (look === null) continue;
      if (holds(look.counts, look.status)) return;
      const now = JSON.stringify(look);
      still = now === before ? still + 1 : 0;
      if (still === 0) [before, changed] = [now, performance.now()];
      if (still < STILL || (await subject.pendingReports()) > 0) continue;
      await subject.advance(step);
      still = 0;
    }
    this.faults.push(`the campaign does not go on: ${before}`);
  }

  private async look(): Promise<{ counts: Counts; status: string } | null> {
    const { caller, sender, campaign, subject, progress } = this.parts;
    const reply = await caller.request(sender.apiKey, `/campaigns/${campaign.id}`);
    if (reply?.status !== 200) return null;
    this.looks += 1;
    const { counts, status } = reply.body as { counts: Counts; status: string };
    const { recipients, ...others } = counts;
    const sum = Object.values(others).reduce((total, n) => total + n, 0);
    if (sum !== recipients) this.faults.push(`the counts do not close: ${JSON.stringify(counts)}`);
    if (performance.now() - this.reported > REPORT_EVERY) {
      this.reported = performance.now();
      progress(`${status}, ${subject.kills} kills: ${JSON.stringify(counts)}`);
    }
    return { counts, status };
  }
}
