/** What a workspace waits for: the turn of a message, a place in its rate, or its next day. */
export type WaitKind = 'turn' | 'rate' | 'day';

/**
 * When to look at a workspace again, ms, and why not before. New messages bring it forward only when it waits for a
 * turn, since otherwise the rate or the day is used up.
 */
export interface Deferred {
  at: number;
  kind: WaitKind;
}

/** The next look at a workspace. */
export interface WorkspaceWakeup extends Deferred {
  workspaceId: number;
}

/** What the owner of a shard notes about one of its workspaces. */
export interface WakeupChange {
  workspaceId: number;
  shard: number;
  /** The epoch of the shard's lease. What a later owner of a shard with the same number has written stays. */
  epoch: number;
  /** Null: nothing waits there. */
  wakeup: Deferred | null;
}

/** A place in the order of looks: by time, then by workspace. */
export type WakeupPosition = Pick<WorkspaceWakeup, 'at' | 'workspaceId'>;

/** The time of a look that was asked for from outside the throttle: now, whatever the workspace waits for. */
export const AT_ONCE = 0;

/**
 * The next look at each workspace that has mail waiting, one row each, by shard
 * (docs/architecture.md#pacing-and-claim). A row may be early, and one may be there for nothing. A purchase of coins
 * and another rate set the row of the workspace to AT_ONCE in their own transaction (CoinLedger.post,
 * WorkspaceStore.setRate). Errors: UnavailableError.
 */
export interface WakeupStore {
  /** Notes the changes, each for itself. */
  write(changes: readonly WakeupChange[]): Promise<void>;
  /** Looks of these shards after a place and at `upTo` (ms) at the latest, in order, at most `limit`. */
  list(shards: readonly number[], after: WakeupPosition, upTo: number, limit: number): Promise<WorkspaceWakeup[]>;
  /** The rows of these workspaces; those without one are left out. */
  find(workspaceIds: readonly number[]): Promise<(WakeupPosition & { shard: number })[]>;
}
