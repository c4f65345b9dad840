import type { ClaimLimits, ClaimResult } from '../../domain/queue/claim';
import type { MailClass } from '../../domain/destinations/pace';
import type { Lane } from '../../domain/messages/message';

/** Proves ownership of a shard of workspaces and fences every claim (docs/architecture.md#pacing-and-claim). */
export interface ShardLease {
  name: string;
  owner: string;
  epoch: number;
}

export interface ClaimRequest extends ClaimLimits {
  workspaceId: number;
  lane: Lane;
  now: number;
  /** End of the hand-off lease of the claimed messages, ms. */
  leaseUntil: number;
  lease: ShardLease;
  /** The WIB day that the claims count towards, `YYYY-MM-DD`. */
  day: string;
  /**
   * Only these messages, and the sending server that each must go over; undefined: whichever the rules name. Others of
   * the lane stay as they are. Null or absent: all.
   */
  only?: ReadonlyMap<string, string | undefined> | null;
}

/** A queued message whose turn has come. */
export interface DueMessage {
  messageId: string;
  domainId: number;
  /** The recipient in lower case; null when the contact is deleted. */
  to: string | null;
  /** How often it was claimed before. */
  attempt: number;
}

/** A message that has to wait for its destination. */
export interface Hold {
  messageId: string;
  /** Its turn there, ms. */
  dueAt: number;
  /** See MessageState.heldFor. */
  heldFor: string;
}

/** See SendQueue.release. */
export interface Release {
  mails: MailClass;
  now: number;
  every: number;
  limit: number;
}

/** A queued message and the time its turn was due, ms. */
export interface WaitingTurn {
  messageId: string;
  lane: Lane;
  dueAt: number;
}

/**
 * The send queue, which is the store itself (docs/architecture.md#pacing-and-claim). A claim is one transaction: it
 * checks workspace, domain, contact and suppression again, takes one coin if the balance allows, sets queued ->
 * sending, counts the attempt and emits `messages.dispatch` records. A message that may no longer be sent becomes
 * failed with the text of the contract, without a coin. A message of a paused campaign is put on hold: its due time
 * moves ahead by HOLD. One of a cancelled campaign is refused. Messages are claimed in due order, then in order of
 * acceptance.
 */
export interface SendQueue {
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** The messages that a claim of this lane would check, in its order, at most `limit`. */
  due(workspaceId: number, lane: Lane, now: number, limit: number): Promise<DueMessage[]>;
  /**
   * Moves the turns of messages that are due at `now`, and notes what they wait for. It counts no attempt. What was
   * claimed or moved meanwhile stays as it is.
   */
  hold(workspaceId: number, holds: readonly Hold[], now: number): Promise<void>;
  /**
   * Lets messages of a class go that wait for `heldFor` past `now`: the first in turn is due at once and each next one
   * `every` ms later, at most `limit`. Their workspaces are looked at at once. Returns how many.
   */
  release(heldFor: string, turns: Release): Promise<number>;
  /** Workspaces with queued messages, due or not, ascending from `after`, at most `limit`. */
  workspacesWaiting(after: number, limit: number): Promise<number[]>;
  /** The earliest due time of each lane of a workspace. Leaves out lanes with nothing queued but what is on hold. */
  nextDue(workspaceId: number): Promise<Partial<Record<Lane, number>>>;
  /**
   * Queued messages of a workspace whose turn was due at `dueBy` or earlier, lane by lane in due order, at most `limit`
   * per lane.
   */
  waiting(workspaceId: number, dueBy: number, limit: number): Promise<WaitingTurn[]>;
  /**
   * Times of the workspace's latest claims, newest first, at most `limit`, none before `since` or, where it is given,
   * after `until`.
   */
  recentClaims(workspaceId: number, since: number, limit: number, until?: number): Promise<number[]>;
  /** Number of claims on a WIB day, of a workspace or (null) of the platform. */
  claimsOn(day: string, workspaceId: number | null): Promise<number>;
  /**
   * Number of messages claimed but not yet past the fence: of transactional mail, and of that of campaigns and
   * journeys; counted up to `limit` for both together.
   */
  backlogByClass(limit: number): Promise<Record<MailClass, number>>;
}
