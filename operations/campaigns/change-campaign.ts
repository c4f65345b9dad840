import {
  contentOf,
  NEW_CAMPAIGN,
  type Approval,
  type Campaign,
  type CampaignContent,
} from '../../domain/campaigns/campaign';
import type { Workspace } from '../../domain/settings/workspace';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { CampaignRef, MoveOutcome } from '../../stores/ports/campaign-runs';
import type { ApproveOutcome, DeleteOutcome, EditOutcome } from '../../stores/ports/campaign-store';
import type { Trail } from '../trail';

interface CampaignDeps extends Trail {
  stores: Pick<Stores, 'campaigns'>;
  clock: Clock;
}

/** Stores a new draft; `original`: what it is a copy of (docs/contract.md#prepare-a-campaign). */
export async function createCampaign(
  { stores, clock, note }: CampaignDeps,
  workspaceId: number,
  content: CampaignContent,
  original?: CampaignRef,
): Promise<Campaign> {
  const { subject } = content;
  const [action, target] = original ? ['campaign copy', `${original.id} ${subject}`] : ['campaign create', subject];
  await note?.(action, target, workspaceId);
  return stores.campaigns.create({ ...content, ...NEW_CAMPAIGN, workspaceId, createdAt: clock.now() });
}

/**
 * Replaces the content of a draft or a scheduled campaign, which takes its approval away. Where approvals are asked
 * for, what an owner writes is approved: `owner` names one, null is another member (docs/campaigns.md#approval).
 */
export async function editCampaign(
  { stores, clock, note }: CampaignDeps,
  { id: workspaceId, campaignApproval }: Workspace,
  { id }: Pick<Campaign, 'id'>,
  content: CampaignContent,
  owner: string | null,
): Promise<EditOutcome> {
  await note?.('campaign edit', `${id} ${content.subject}`, workspaceId);
  const approval = campaignApproval && owner !== null ? given(owner, clock) : null;
  return stores.campaigns.edit(workspaceId, id, content, approval);
}

const given = (by: string, clock: Clock): Approval => ({ state: 'given', by, at: clock.now() });

/** Deletes a draft: what was sent stays on record. */
export async function deleteCampaign(
  { stores, note }: Omit<CampaignDeps, 'clock'>,
  { workspaceId, id, subject }: Campaign,
): Promise<DeleteOutcome> {
  await note?.('campaign delete', `${id} ${subject}`, workspaceId);
  return stores.campaigns.delete(workspaceId, id);
}

const DECISIONS = { ask: 'asked', approve: 'given', decline: null } as const;
/** What a member decides about the content of a campaign. */
export type Decision = keyof typeof DECISIONS;

/** Decides about the content that the caller saw, in the name of `by` (docs/campaigns.md#approval). */
export async function decideOnCampaign(
  { stores, clock, note }: CampaignDeps,
  campaign: Campaign,
  decision: Decision,
  by: string,
): Promise<ApproveOutcome> {
  const { workspaceId, id } = campaign;
  await note?.(`campaign ${decision}`, String(id), workspaceId);
  const state = DECISIONS[decision];
  return stores.campaigns.approve(workspaceId, id, contentOf(campaign), state && { ...given(by, clock), state });
}

/**
 * Moves a campaign by hand (docs/contract.md#campaign-after-the-start). `suspended`: whatever waits would fail at its
 * turn, so it is not resumed.
 */
export async function moveByHand(
  { stores, clock, note }: Trail & { stores: Pick<Stores, 'campaignRuns'>; clock: Clock },
  { id: workspaceId, suspended }: Workspace,
  id: number,
  kind: 'unschedule' | 'pause' | 'resume' | 'cancel',
): Promise<MoveOutcome | { kind: 'suspended' }> {
  if (kind === 'resume' && suspended) return { kind: 'suspended' };
  await note?.(`campaign ${kind}`, String(id), workspaceId);
  const move = kind === 'pause' ? { kind, reason: null } : { kind };
  return stores.campaignRuns.move({ workspaceId, id }, move, clock.now());
}
