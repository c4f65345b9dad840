import type { ClaimLimits, ClaimResult } from '../../domain/claim';
import type { Lane } from '../../domain/message';

/** Proof of ownership of a shard of workspaces; every claim is fenced by it (docs/architecture.md#pacing-and-claim). */
export interface ShardLease {
  name: string;
  owner: string;
  epoch: number;
}

export interface ClaimRequest extends ClaimLimits {
  workspaceId: number;
  lane: Lane;
  now: number;
  /** End of the hand-off lease of what is claimed, ms. */
  leaseUntil: number;
  lease: ShardLease;
  /** The WIB day claims are counted on, `YYYY-MM-DD`. */
  day: string;
}

/** A queued message and when its turn was due, ms. */
export interface WaitingTurn {
  messageId: string;
  lane: Lane;
  dueAt: number;
}

/**
 * The waiting queue, which is the store itself (docs/architecture.md#pacing-and-claim).
 * A claim is one transaction: workspace, domain, contact and suppression are looked at again, one coin is taken if the
 * balance allows, queued -> sending, the attempt counted, and `messages.dispatch` records emitted. What may no longer be
 * sent becomes failed with the contract's text, without a coin. In due order, then in order of acceptance.
 */
export interface SendQueue {
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Workspaces with anything queued, whether due or not, ascending from `after`, at most `limit`. */
  workspacesWaiting(after: number, limit: number): Promise<number[]>;
  /** The earliest due time of each lane of a workspace; a lane with nothing queued is left out. */
  nextDue(workspaceId: number): Promise<Partial<Record<Lane, number>>>;
  /** Queued messages of a workspace whose turn was at `dueBy` or earlier, lane by lane in due order, at most `limit` of each lane. */
  waiting(workspaceId: number, dueBy: number, limit: number): Promise<WaitingTurn[]>;
  /** Times of the workspace's last claims, newest first, at most `limit`, none before `since`. */
  recentClaims(workspaceId: number, since: number, limit: number): Promise<number[]>;
  /** Claims on a WIB day, of a workspace or (null) of the platform. */
  claimsOn(day: string, workspaceId: number | null): Promise<number>;
  /** Messages claimed and not yet past the fence, counted up to `limit`. */
  backlog(limit: number): Promise<number>;
}
