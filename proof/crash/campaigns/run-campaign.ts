import { sleep } from '../../../lib/sleep';
import { SLACK } from '../../judge/rules';
import { progressOf } from '../../world/marketer';
import { raiseRate } from '../seed';
import { killMeanwhile, type Kills } from '../stage/kill-meanwhile';
import { doneOf, play, untilFinal, type Played, type PlayOptions, type Scene } from '../stage/play';
import { person } from './people';
import { importPeople, type Imported } from './prepare';

export interface CampaignOptions extends PlayOptions, Kills {
  contacts: number;
}

export interface CampaignResult extends Played, Imported {
  /** Recipients that got no mail, by reason. */
  skipped: Record<string, number>;
}

/**
 * A minute's mails for each contact. A campaign may send a twentieth of them in three seconds, so one of any size goes
 * on for more than six; a large one is faster than any machine.
 */
const RATE_EACH = 6;
/** More than a hard bounce of every mail costs. */
const COINS_EACH = 5;
const LOOK = 250;
const REPORT_EVERY = 10_000;
/** The first kill comes within this time, before even a small campaign can be over, ms. */
const FIRST_KILL = 1_000;

/**
 * The proof of campaigns: contacts are imported, a campaign is sent to them while the service is killed again and
 * again, and its counts are looked at all the time.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { contacts } = options;
  const premium = Math.max(SLACK.premium, RATE_EACH * contacts);
  const given = { ...options, slack: { premium } };
  return play(
    given,
    { workspaces: 1, coins: contacts * COINS_EACH, prepare: raiseRate(premium) },
    async (scene) => {
      const { stage, outside, senders, progress } = scene;
      const { commandLine: kurir } = stage;
      const people = Array.from({ length: contacts }, (_, n) => person(n));
      const imported = await importPeople(scene, kurir, people);
      progress(`${contacts} contacts were imported, ${imported.refusedLines} lines refused`);
      const { workspaceId: workspace, campaigns, list: audience } = senders[0]!;
      const campaign = campaigns[0]!;
      const over = new AbortController();
      const looking = look(scene, campaign, over.signal);
      await killMeanwhile(scene, { ...options, first: FIRST_KILL }, async () => {
        const act = outside.recorder.begin('operator', 'campaign', { workspace, campaign, audience });
        await kurir.run('campaign', 'send', String(workspace), String(campaign));
        act.ok({ state: 'sending' });
        await untilFinal(scene);
      }).finally(() => over.abort());
      await looking;
      return imported;
    },
    (scene) => ({ skipped: skippedOf(scene) }),
  );
}

/** Looks at the counts of the campaign, which must close each time (I16). */
async function look({ outside, senders, stage, progress }: Scene, campaign: number, over: AbortSignal): Promise<void> {
  const { workspaceId: workspace, apiKey: key } = senders[0]!;
  for (let told = 0; !over.aborted; await sleep(LOOK, over)) {
    const asked = { key };
    const answer = await outside.insist('progress', {
      name: 'looker',
      value: { workspace, campaign },
      path: `/v1/campaigns/${campaign}`,
      asked,
      said: progressOf,
    });
    if (!answer || performance.now() - told < REPORT_EVERY) continue;
    told = performance.now();
    progress(`${answer.state}, ${stage.kills} kills: ${JSON.stringify(answer.counts)}`);
  }
}

function skippedOf(scene: Scene): Record<string, number> {
  const counts: Record<string, number> = {};
  const [campaign] = doneOf(scene, 'export')[0]?.answer.campaigns ?? [];
  for (const { state, reason } of campaign?.recipients ?? [])
    if (state === 'skipped') counts[reason ?? ''] = (counts[reason ?? ''] ?? 0) + 1;
  return counts;
}
