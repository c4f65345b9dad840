import { PREMIUM_PER_MINUTE } from '../../../domain/queue/send-rate';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { CampaignRef } from '../../../stores/ports/campaign-runs';
import { killMeanwhile } from '../stage/kill-meanwhile';
import { playScene, withDifferences, type Scene, type SceneEnd, type SceneOptions } from '../stage/play-scene';
import { CommandLine } from './command-line';
import { judgeCampaign, type CampaignVerdict } from './judge';
import { prepareCampaign, suppress } from './prepare';

export interface CampaignOptions extends SceneOptions {
  contacts: number;
  /** Seconds between kills, on average. */
  every: number;
  /** Kills at most; default: as long as the campaign runs. */
  mostKills?: number;
}

export interface CampaignResult extends CampaignVerdict, SceneEnd {
  refusedLines: number;
  /** Looks at the counts while the campaign ran. */
  looks: number;
  /** Lines imported a second. */
  importRate: number;
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
  const { contacts } = options;
  const rate = Math.max(PREMIUM_PER_MINUTE, RATE_EACH * contacts);
  const env = { KURIR_PREMIUM_PER_MINUTE: String(rate) };
  const prepare = ({ stage, sender }: Scene): Promise<void> => suppress(stage.installation, sender, contacts);
  const result = await playScene(
    { ...options, env },
    { workspaces: 1, coins: contacts * COINS_EACH, prepare },
    {
      act: (scene) => act(scene, options),
      look: async ({ stage, sender }, { campaign, faults, ...acted }) => {
        const { installation, journal } = stage;
        const verdict = await judgeCampaign({ installation, journal, sender, campaign, contacts });
        return { ...verdict, ...acted, faults: [...faults, ...verdict.faults] };
      },
    },
  );
  return withDifferences(result);
}

async function act(scene: Scene, { program, contacts, every, mostKills }: CampaignOptions) {
  const { stage, sender, random, progress } = scene;
  const kurir = new CommandLine(program, stage.installation);
  const { folder } = stage;
  const { campaign, refused, importRate, ...prepared } = await prepareCampaign(kurir, sender, { contacts, folder });
  progress(`${contacts} contacts were imported, ${refused} lines refused`);
  const watch = new Watch(scene, campaign);
  await killMeanwhile(stage, { random, every: every * SECOND, mostKills, first: FIRST_KILL }, async () => {
    await kurir.run('campaign', 'send', String(campaign.workspaceId), String(campaign.id));
    await watch.until(({ recipients, pending }) => recipients === contacts && pending === 0, RETRY);
  });
  progress(`nothing is pending after ${stage.kills} kills`);
  await watch.until((_counts, status) => status === 'completed', DAY);
  await stage.untilIdle();
  const faults = [...prepared.faults, ...watch.faults];
  return { campaign, faults, refusedLines: refused, looks: watch.looks, importRate };
}

type Counts = Record<'recipients' | 'delivered' | 'bounced' | 'failed' | 'skipped' | 'pending' | 'in_hand', number>;

/** Looks at the counts of the campaign, which must close each time (I16). */
class Watch {
  readonly faults: string[] = [];
  looks = 0;
  private reported = 0;

  constructor(
    private readonly scene: Scene,
    private readonly campaign: CampaignRef,
  ) {}

  /** Looks until that holds. Where nothing but time can go on, the clock is advanced by `step` ms. */
  async until(holds: (counts: Counts, status: string) => boolean, step: number): Promise<void> {
    const { stage } = this.scene;
    let before = '';
    let still = 0;
    for (let changed = performance.now(); performance.now() - changed < SILENCE; await sleep(LOOK)) {
      const look = await this.look();
      if (look === null) continue;
      if (holds(look.counts, look.status)) return;
      const now = JSON.stringify(look);
      still = now === before ? still + 1 : 0;
      if (still === 0) [before, changed] = [now, performance.now()];
      if (still < STILL || (await stage.sink.pendingReports()) > 0) continue;
      await stage.advance(step);
      still = 0;
    }
    this.faults.push(`the campaign does not go on: ${before}`);
  }

  private async look(): Promise<{ counts: Counts; status: string } | null> {
    const { caller, sender, stage, progress } = this.scene;
    const reply = await caller.request(sender.apiKey, `/campaigns/${this.campaign.id}`);
    if (reply?.status !== 200) return null;
    this.looks += 1;
    const { counts, status } = reply.body as { counts: Counts; status: string };
    const { recipients, ...others } = counts;
    const sum = Object.values(others).reduce((total, n) => total + n, 0);
    if (sum !== recipients) this.faults.push(`the counts do not close: ${JSON.stringify(counts)}`);
    if (performance.now() - this.reported > REPORT_EVERY) {
      this.reported = performance.now();
      progress(`${status}, ${stage.kills} kills: ${JSON.stringify(counts)}`);
    }
    return { counts, status };
  }
}
