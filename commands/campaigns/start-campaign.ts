import { texts } from '../../domain/texts';
import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { CampaignRef } from '../../stores/ports/campaign-runs';

/** What starting a campaign needs. */
export interface StartDeps {
  stores: Pick<Stores, 'campaigns' | 'campaignRuns'>;
  clock: Clock;
}

export type Started = { kind: 'started'; status: 'live' | 'completed' } | ({ kind: 'refused' } & StartRefusal);

/** Members counted in one step. Other work of the process runs in between. */
const PAGE = 2_000;

/**
 * Starts a draft, or a scheduled campaign that is due (docs/contract.md#send-a-campaign). The members who qualify are
 * counted first, as of the moment of the start; whoever joins later does not receive the campaign. Null if the
 * workspace has no such campaign.
 */
export async function startCampaign(
  { stores, clock }: StartDeps,
  { workspaceId, id }: CampaignRef,
  from: 'draft' | 'scheduled' = 'draft',
): Promise<Started | null> {
  const campaign = await stores.campaigns.get(workspaceId, id);
  if (!campaign) return null;
  const at = clock.now();
  const { qualified, lastContactId } = await countMembers(stores, workspaceId, campaign.audienceId, at);
  const outcome = await stores.campaignRuns.start({ workspaceId, id, from, qualified, lastContactId, at });
  return outcome.kind === 'unknown' ? null : outcome;
}

async function countMembers(
  { campaignRuns }: StartDeps['stores'],
  workspaceId: number,
  audienceId: number,
  joinedBy: number,
): Promise<{ qualified: number; lastContactId: number | null }> {
  let qualified = 0;
  let lastContactId: number | null = null;
  for (;;) {
    const after: number = lastContactId ?? 0;
    const page = await campaignRuns.countMembers({ workspaceId, audienceId, after, joinedBy, limit: PAGE });
    qualified += page.qualified;
    lastContactId = page.last ?? lastContactId;
    if (page.done) return { qualified, lastContactId };
    await new Promise(setImmediate);
  }
}

/** The sentence for a refused start. */
export function refusalText(refusal: StartRefusal): string {
  switch (refusal.because) {
    case 'no_business_address':
      return texts.businessAddressMissing;
    case 'domain_inactive':
      return texts.domainInactive;
    case 'no_content':
      return texts.campaignContentMissing;
    case 'coins':
      return texts.campaignCoins(refusal.needed, refusal.balance);
    case 'not_approved':
      return texts.campaignNotApproved;
    case 'not_startable':
      return texts.campaignNotDraft;
  }
}
