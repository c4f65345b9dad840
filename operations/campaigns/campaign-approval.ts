import { contentOf, type Approval, type Campaign } from '../../domain/campaigns/campaign';
import type { Workspace } from '../../domain/settings/workspace';
import { CAMPAIGN_SHOWN, showCampaign } from './campaign-view';
import { contentHash } from './content-hash';
import { campaign, operation, OperationError, option, type Session, text, workspace } from '../definition';

/** True if nobody has to approve what the caller starts. */
export const isOwner = ({ access }: Pick<Session, 'access'>, workspaceId: number): boolean =>
  access === null || access.may('owner', workspaceId);

/** The approval of a content that the caller writes: an owner's is approved where approvals are asked for. */
export function approvalOfEdit(session: Session, { id, campaignApproval }: Workspace): Approval | null {
  if (!campaignApproval || !isOwner(session, id)) return null;
  return { state: 'given', by: session.actor, at: session.clock.now() };
}

/** Sets the approval of the content that the caller sees. Throws OperationError when it is another one by now. */
export async function setApproval(session: Session, of: Campaign, state: Approval['state'] | null): Promise<Campaign> {
  const approval = state && { state, by: session.actor, at: session.clock.now() };
  const { workspaceId, id } = of;
  const outcome = await session.stores.campaigns.approve(workspaceId, id, contentOf(of), approval);
  if (outcome.kind === 'edited') return outcome.campaign;
  const why = {
    changed: 'was changed meanwhile',
    refused: 'is neither a draft nor scheduled',
    unknown: 'was deleted meanwhile',
  }[outcome.kind];
  throw new OperationError(`<campaign>: campaign ${id} ${why}.`, 'Look at it again.', '<campaign>');
}

/** `--seen`, of what is refused when somebody changed the campaign since the caller looked at it. */
export const seen = option(
  '<hash>',
  'content_hash of campaign show: refused when the content is another one by now',
  text(16),
);

/** Throws OperationError when the content is not the one that was seen. */
export function checkSeen(one: Campaign, hash: string | undefined): void {
  if (hash === undefined || hash === contentHash(one)) return;
  throw new OperationError('--seen: the content is another one by now.', 'Look at it again.', '--seen');
}

const CAMPAIGN = { workspace, campaign };

const deciding = (
  name: 'ask' | 'approve' | 'decline',
  role: 'editor' | 'owner',
  state: Approval['state'] | null,
  { summary, example, notes }: { summary: string; example: string; notes?: string },
) =>
  operation(`campaign.${name}`, role, {
    summary,
    arguments: CAMPAIGN,
    options: { seen },
    examples: [[`campaign ${name} "Toko Melati" 12`, example]],
    notes,
    handler: async (input, session) => {
      const { id, workspaceId } = input.campaign;
      checkSeen(input.campaign, input.seen);
      await session.note(`campaign ${name}`, String(id), workspaceId);
      return showCampaign(session, await setApproval(session, input.campaign, state));
    },
    ...CAMPAIGN_SHOWN,
  });

/** The operations by which an owner agrees to a campaign before it starts. */
export const CAMPAIGN_APPROVAL = {
  ask: deciding('ask', 'editor', 'asked', {
    summary: 'ask an owner to approve a campaign, where the workspace wants that',
    example: 'the overview of owners shows it',
    notes: 'kurir workspace profile --campaign-approval on makes campaigns of editors need it. An edit takes it away.',
  }),
  approve: deciding('approve', 'owner', 'given', {
    summary: 'agree to the content of a campaign: editors may start it as it is',
    example: 'it may be sent or scheduled now',
  }),
  decline: deciding('decline', 'owner', null, {
    summary: 'take an approval back, or answer no to the question for it',
    example: 'it may not be sent',
  }),
};
