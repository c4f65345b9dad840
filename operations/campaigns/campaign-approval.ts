import { campaignReason } from './campaign-refusals';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { ApproveOutcome } from '../../stores/ports/campaign-store';
import { CAMPAIGN_SHOWN, showCampaign } from './campaign-view';
import { decideOnCampaign, type Decision } from './change-campaign';
import { contentHash } from './content-hash';
import { campaign, operation, OperationError, option, type Session, text, workspace } from '../definition';

/** The name of an owner who calls, whose word is an approval; null for anybody else. */
export const ownerOf = ({ access, actor }: Session, workspaceId: number): string | null =>
  access === null || access.may('owner', workspaceId) ? actor : null;

/** Why an approval could not be kept, as an error. */
export function disagreementError(id: number, kind: Exclude<ApproveOutcome['kind'], 'edited'>): OperationError {
  return new OperationError(campaignReason(kind, { label: '<campaign>', id }), 'Review it again.');
}

/** `--seen`, of what is refused when somebody changed the campaign since the caller looked at it. */
export const seen = option(
  '<hash>',
  'content_hash from campaign show: fails if the content has changed since',
  text(16),
);

/** Throws OperationError when the content is not the one that was seen. */
export function checkSeen(one: Campaign, hash: string | undefined): void {
  if (hash === undefined || hash === contentHash(one)) return;
  throw new OperationError(campaignReason('seen', { label: '--seen' }), 'Review it again.');
}

const CAMPAIGN = { workspace, campaign };

const deciding = (
  name: Decision,
  role: 'editor' | 'owner',
  { summary, example, notes }: { summary: string; example: string; notes?: string },
) =>
  operation(`campaign.${name}`, role, {
    summary,
    arguments: CAMPAIGN,
    options: { seen },
    examples: [[`campaign ${name} "Toko Melati" 12`, example]],
    notes,
    handler: async (input, session) => {
      checkSeen(input.campaign, input.seen);
      const outcome = await decideOnCampaign(session, input.campaign, name, session.actor);
      if (outcome.kind === 'edited') return showCampaign(session, outcome.campaign);
      throw disagreementError(input.campaign.id, outcome.kind);
    },
    ...CAMPAIGN_SHOWN,
  });

/** The operations by which an owner agrees to a campaign before it starts. */
export const CAMPAIGN_APPROVAL = {
  ask: deciding('ask', 'editor', {
    summary: 'ask an owner to approve a campaign, if the workspace requires approval',
    example: 'shown on the overview of owners',
    notes:
      'Turn approval on with kurir workspace profile --campaign-approval on: campaigns of editors then need it. An edit withdraws it.',
  }),
  approve: deciding('approve', 'owner', {
    summary: 'approve the content of a campaign, so that editors can send it',
    example: 'it can now be sent or scheduled',
  }),
  decline: deciding('decline', 'owner', {
    summary: 'withdraw an approval, or decline a request for one',
    example: 'it cannot be sent',
  }),
};
