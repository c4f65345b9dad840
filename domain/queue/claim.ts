import { refusingStatus, type ContactStatus } from '../contacts/contact';
import type { MessageCategory } from '../messages/message';
import { texts } from '../texts';

/**
 * True when a contact of this status may get mail of the category: transactional mail reaches one that unsubscribed,
 * too (docs/contract.md#transactional-mail). One that is not subscribed is in no audience, so its mail is for it alone.
 */
export const mayReceive = (status: ContactStatus, category: MessageCategory | null): boolean =>
  refusingStatus(status) === null || (status === 'unsubscribed' && category === 'transactional');

/** What a claim checks again before a message may be sent; each is evaluated only if all checks before it pass. */
export interface SendEligibility {
  domainActive(): boolean;
  /** Also true when the workspace no longer exists. */
  workspaceSuspended: boolean;
  category: MessageCategory | null;
  /** Null when the contact was deleted. */
  contactStatus: ContactStatus | null;
  /** True when the address is on the suppression list of the workspace or on the global one. */
  listed(): boolean;
  coinLeft: boolean;
}

/**
 * Why an accepted message will not be sent: the first reason in the order of the contract
 * (docs/contract.md#failed-reasons); null when it may be sent.
 */
export function refusalReason(eligibility: SendEligibility): string | null {
  if (!eligibility.domainActive()) return texts.domainInactiveAtSend;
  if (eligibility.workspaceSuspended) return texts.workspaceSuspended;
  if (eligibility.contactStatus === null) return texts.contactDeleted;
  if (!mayReceive(eligibility.contactStatus, eligibility.category)) {
    return eligibility.contactStatus === 'unsubscribed' ? texts.contactUnsubscribed : texts.suppressed;
  }
  if (eligibility.listed()) return texts.suppressed;
  return eligibility.coinLeft ? null : texts.noCoins;
}

/** The limits of one claim. */
export interface ClaimLimits {
  limit: number;
  /** Claims allowed on a WIB day; null = no limit. Enforced inside the transaction. */
  workspaceDayCap: number | null;
  platformDayCap: number | null;
}

export type ClaimResult =
  | { kind: 'fenced' }
  | {
      kind: 'claimed';
      /** Ids, in the order of the queue. */
      claimed: string[];
      /** Number of messages refused and thus failed. */
      refused: number;
      /**
       * Why the claim ended: `limit` messages were checked (refused ones count, so call again), no more are due, or a
       * daily cap.
       */
      stop: 'limit' | 'empty' | 'workspace_day_cap' | 'platform_day_cap';
    };

/** How many messages a claim may check, and what limits it. */
export interface Allowance {
  left: number;
  stop: 'limit' | 'workspace_day_cap' | 'platform_day_cap';
}

/**
 * The number of claims that the request and the daily caps leave; `own` and `platform` are the claims already made that
 * day.
 */
export function claimAllowance(request: ClaimLimits, claims: { own: number; platform: number }): Allowance {
  const leftOf = (cap: number | null, made: number): number => (cap === null ? Infinity : Math.max(0, cap - made));
  const own = leftOf(request.workspaceDayCap, claims.own);
  const platform = leftOf(request.platformDayCap, claims.platform);
  const left = Math.min(request.limit, own, platform);
  if (left === request.limit) return { left, stop: 'limit' };
  return { left, stop: own <= platform ? 'workspace_day_cap' : 'platform_day_cap' };
}

/** The result of a claim that checked `candidates` messages. */
export function claimResult(
  { left, stop }: Allowance,
  candidates: number,
  claimed: string[],
  refused: number,
): ClaimResult {
  const reason = candidates < left ? 'empty' : claimed.length === left ? stop : 'limit';
  return { kind: 'claimed', claimed, refused, stop: reason };
}
