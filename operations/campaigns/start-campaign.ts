import { texts } from '../../domain/texts';
import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import type { Clock } from '../../lib/clock';
import { countQualified } from './count-qualified';
import type { Stores } from '../../stores/ports';
import type { CampaignRef } from '../../stores/ports/campaign-runs';

/** What starting a campaign needs. */
export interface StartDeps {
  stores: Pick<Stores, 'campaigns' | 'campaignRuns'>;
  clock: Clock;
}

export type Started = { kind: 'started'; status: 'live' | 'completed' } | ({ kind: 'refused' } & StartRefusal);

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
  const order = { workspaceId, audienceId: campaign.audienceId, joinedBy: at };
  const { qualified, lastContactId } = (await countQualified(stores, order))!;
  const outcome = await stores.campaignRuns.start({ workspaceId, id, from, qualified, lastContactId, at });
  return outcome.kind === 'unknown' ? null : outcome;
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
