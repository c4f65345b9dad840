import { texts } from '../../domain/texts';
import { contentOf, EDITABLE, type Campaign } from '../../domain/campaigns/campaign';
import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import { MAX_DAYS_AHEAD } from '../../domain/messages/message';
import type { Workspace } from '../../domain/settings/workspace';
import { DAY, type Clock } from '../../lib/clock';
import { countQualified } from './count-qualified';
import type { Stores } from '../../stores/ports';
import type { MoveOutcome, StartOutcome } from '../../stores/ports/campaign-runs';
import type { ApproveOutcome } from '../../stores/ports/campaign-store';
import type { Trail } from '../trail';

/** What starting a campaign needs. */
export interface StartDeps extends Trail {
  stores: Pick<Stores, 'campaigns' | 'campaignRuns'>;
  clock: Clock;
}

/** The owner who starts a campaign, and so agrees to it; null: whoever starts it is none. */
type Owner = string | null;
/** Why the owner's approval could not be kept. */
type Disagreement = Exclude<ApproveOutcome, { kind: 'edited' }>;

/**
 * Starts a draft, or a scheduled campaign that is due (docs/contract.md#send-a-campaign). The members who qualify are
 * counted first, as of the moment of the start; whoever joins later does not receive the campaign. `changed`: it has
 * another content by now than the owner saw.
 */
export async function startCampaign(
  deps: StartDeps,
  campaign: Campaign,
  from: 'draft' | 'scheduled' = 'draft',
  owner: Owner = null,
): Promise<StartOutcome | Disagreement> {
  const { stores, clock, note } = deps;
  const { workspaceId, id, audienceId } = campaign;
  await note?.('campaign send', String(id), workspaceId);
  const disagreement = await agree(deps, campaign, owner);
  if (disagreement) return disagreement;
  const at = clock.now();
  const { qualified, lastContactId } = (await countQualified(stores, { workspaceId, audienceId, joinedBy: at }))!;
  return stores.campaignRuns.start({ workspaceId, id, from, qualified, lastContactId, at });
}

/**
 * Keeps the approval that follows from a start by an owner (docs/campaigns.md#approval). Null: nothing is against it.
 */
async function agree({ stores, clock }: StartDeps, campaign: Campaign, by: Owner): Promise<Disagreement | null> {
  if (by === null || campaign.approval?.state === 'given' || !EDITABLE.includes(campaign.status)) return null;
  const { workspaceId, id } = campaign;
  const approval = { state: 'given', by, at: clock.now() } as const;
  const outcome = await stores.campaigns.approve(workspaceId, id, contentOf(campaign), approval);
  return outcome.kind === 'edited' ? null : outcome;
}

/**
 * Lets a campaign start at a time, ms, no more than MAX_DAYS_AHEAD ahead; a scheduled one gets another
 * (docs/contract.md#scheduled-campaigns). What else refuses a start does so then.
 */
export async function scheduleCampaign(
  deps: StartDeps,
  { campaignApproval }: Workspace,
  campaign: Campaign,
  scheduledAt: number,
  owner: Owner,
): Promise<MoveOutcome | Disagreement | { kind: 'past' | 'too_far' | 'not_approved' }> {
  const { stores, clock, note } = deps;
  const now = clock.now();
  if (scheduledAt <= now) return { kind: 'past' };
  if (scheduledAt > now + MAX_DAYS_AHEAD * DAY) return { kind: 'too_far' };
  const isAgreed = !campaignApproval || campaign.approval?.state === 'given' || !EDITABLE.includes(campaign.status);
  if (!isAgreed && owner === null) return { kind: 'not_approved' };
  await note?.('campaign schedule', String(campaign.id), campaign.workspaceId);
  const disagreement = await agree(deps, campaign, owner);
  return disagreement ?? stores.campaignRuns.move(campaign, { kind: 'schedule', scheduledAt }, now);
}

/** The sentence for a refused start. */
export function refusalText(refusal: StartRefusal): string {
  switch (refusal.reason) {
    case 'suspended':
      return texts.workspaceSuspended;
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
