import type { Campaign } from './campaign';
import { refusingStatus, type ContactStatus } from '../contacts/contact';
import { COIN_PER_MAIL } from '../ledger/coins';

/** Why a member of the audience does not receive a campaign, in this order. */
export const SKIP_REASONS = [
  'deleted',
  'removed',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'not_confirmed',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A member of the audience, as the start of a campaign and the making of its manifest see it. */
export interface MemberState {
  /** Null when the contact was deleted. */
  contactStatus: ContactStatus | null;
  /** True when the address is on the suppression list of the workspace or on the global one. */
  suppressed: boolean;
  /** With double opt-in: has confirmed. */
  confirmed: boolean;
}

/** Why the member does not qualify; null when it does (docs/contract.md#send-a-campaign). */
export function skipReason({ contactStatus, suppressed, confirmed }: MemberState): SkipReason | null {
  if (contactStatus === null) return 'deleted';
  if (contactStatus !== 'subscribed') return refusingStatus(contactStatus) ?? 'unsubscribed';
  if (suppressed) return 'suppressed';
  return confirmed ? null : 'not_confirmed';
}

/**
 * Why a campaign cannot be sent, in the order of the contract (docs/contract.md#send-a-campaign). The API answers for a
 * suspended workspace itself, before all else.
 */
export type StartRefusal =
  | {
      reason: 'suspended' | 'no_business_address' | 'domain_inactive' | 'no_content' | 'not_approved' | 'not_startable';
    }
  /** The coins that all recipients need, and the balance. */
  | { reason: 'coins'; needed: number; balance: number };

/** What a start is decided on. */
export interface StartFacts {
  campaign: Pick<Campaign, 'html' | 'status' | 'scheduledAt'> & Partial<Pick<Campaign, 'approval'>>;
  suspended: boolean;
  /** The workspace wants an owner to agree. */
  needsApproval: boolean;
  businessAddress: string;
  domainActive: boolean;
  /** The members who qualify. */
  qualified: number;
  balance: number;
  /** The status it must have. A scheduled one must also be due. */
  from: 'draft' | 'scheduled';
  at: number;
}

/** The first reason not to start the campaign, or null. */
export function startRefusal(facts: StartFacts): StartRefusal | null {
  const { campaign, qualified, balance } = facts;
  if (facts.suspended) return { reason: 'suspended' };
  if (facts.businessAddress.trim() === '') return { reason: 'no_business_address' };
  if (!facts.domainActive) return { reason: 'domain_inactive' };
  if (!campaign.html) return { reason: 'no_content' };
  const needed = qualified * COIN_PER_MAIL;
  if (balance < needed) return { reason: 'coins', needed, balance };
  if (facts.needsApproval && campaign.approval?.state !== 'given') return { reason: 'not_approved' };
  return isStartable(facts) ? null : { reason: 'not_startable' };
}

const isStartable = ({ campaign, from, at }: StartFacts): boolean =>
  campaign.status === from && (from === 'draft' || (campaign.scheduledAt ?? Infinity) <= at);

/** The fields of a campaign that starts; `completed` when nobody qualifies. */
export function startedFields(
  qualified: number,
  lastContactId: number | null,
  at: number,
): Pick<Campaign, 'status' | 'sentAt' | 'recipients' | 'lastContactId' | 'scheduledAt' | 'scheduleError'> & {
  status: 'live' | 'completed';
} {
  return {
    status: qualified > 0 ? 'live' : 'completed',
    sentAt: at,
    recipients: qualified,
    lastContactId,
    scheduledAt: null,
    scheduleError: null,
  };
}
