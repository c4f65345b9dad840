import type { ContactStatus } from './contact';
import { texts } from './texts';

/** What a claim looks at again before a message may be sent; each is asked only while everything before it holds. */
export interface Standing {
  domainActive(): boolean;
  /** Also true when the workspace is gone. */
  workspaceSuspended: boolean;
  /** Null when the contact was deleted. */
  contactStatus: ContactStatus | null;
  /** The address is on the list of the workspace or on the global one. */
  listed(): boolean;
  coinLeft: boolean;
}

/**
 * Why an accepted message will not be sent, in the order of the contract (docs/contract.md#failed-reasons); null when
 * it may be.
 */
export function refusalReason(standing: Standing): string | null {
  if (!standing.domainActive()) return texts.domainInactiveAtSend;
  if (standing.workspaceSuspended) return texts.workspaceSuspended;
  if (standing.contactStatus === null) return texts.contactDeleted;
  if (standing.contactStatus === 'unsubscribed') return texts.contactUnsubscribed;
  if (standing.contactStatus !== 'subscribed' || standing.listed()) return texts.suppressed;
  return standing.coinLeft ? null : texts.noCoins;
}

/** What limits one claim. */
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
      /** Messages that were refused and are now failed, by count. */
      refused: number;
      /** Why not more: `limit` were looked at (refused ones count, so call again), none is due any more, or a day's cap. */
      stop: 'limit' | 'empty' | 'workspace_day_cap' | 'platform_day_cap';
    };

/** How many messages a claim may look at, and what stops it there. */
export interface Allowance {
  left: number;
  stop: 'limit' | 'workspace_day_cap' | 'platform_day_cap';
}

/** The room that the request and the caps of the day leave; `own` and `platform` are the claims made so far on it. */
export function claimAllowance(request: ClaimLimits, claims: { own: number; platform: number }): Allowance {
  const leftOf = (cap: number | null, made: number): number => (cap === null ? Infinity : Math.max(0, cap - made));
  const own = leftOf(request.workspaceDayCap, claims.own);
  const platform = leftOf(request.platformDayCap, claims.platform);
  const left = Math.min(request.limit, own, platform);
  if (left === request.limit) return { left, stop: 'limit' };
  return { left, stop: own <= platform ? 'workspace_day_cap' : 'platform_day_cap' };
}

/** The answer to a claim that looked at `candidates` messages. */
export function claimResult(
  { left, stop }: Allowance,
  candidates: number,
  claimed: string[],
  refused: number,
): ClaimResult {
  const reason = candidates < left ? 'empty' : claimed.length === left ? stop : 'limit';
  return { kind: 'claimed', claimed, refused, stop: reason };
}
