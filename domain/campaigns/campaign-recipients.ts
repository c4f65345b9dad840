import type { Campaign } from './campaign';
import type { CampaignRun } from './campaign-run';
import type { SkipReason } from './campaign-start';

/** A member who is being deleted, or taken out of the audience. */
export interface RemovedMember {
  audienceId: number;
  contactId: number;
  /** ms */
  joinedAt: number;
}

/** Why a removed member receives nothing. */
export type RemovalReason = Extract<SkipReason, 'deleted' | 'removed'>;

/** What decides whether a campaign has yet to list a member. */
export type Listing = Pick<Campaign, 'audienceId' | 'sentAt' | 'lastContactId'> &
  Pick<CampaignRun, 'expanded' | 'expandedTo'>;

/**
 * True when a member is a recipient that the manifest has not come to: the removal then writes its row, since nothing
 * else shows any more that it was a member at the start (docs/contract.md#campaign-recipients).
 */
export const isUnlisted = (
  { audienceId, sentAt, lastContactId, expanded, expandedTo }: Listing,
  { audienceId: from, contactId, joinedAt }: RemovedMember,
): boolean =>
  from === audienceId &&
  sentAt !== null &&
  !expanded &&
  joinedAt <= sentAt &&
  contactId > expandedTo &&
  contactId <= (lastContactId ?? 0);
