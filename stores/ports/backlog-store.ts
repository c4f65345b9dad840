import type { Lane } from '../../domain/messages/message';

/** What waits in a lane of the send queue, over all workspaces. Messages on hold are left out. */
export interface LaneBacklog {
  /** Messages whose turn has come. */
  due: number;
  /** When the turn of the first of them came, ms; null when none is due. */
  oldestDueAt: number | null;
  /** Messages whose turn comes later, such as the next attempt of a refused one. */
  later: number;
}

/** Due work of one kind. */
export interface TaskBacklog {
  /** Tasks that could be claimed now. */
  due: number;
  /** Since when the first of them could be, ms; null when none is due. */
  oldestDueAt: number | null;
  givenUp: number;
}

/** Committed writes whose records are not in the log yet. */
export interface OutboxBacklog {
  writes: number;
  /** When the oldest was written or last tried again, ms; null when none waits. */
  oldestAt: number | null;
}

/**
 * What waits, over the whole installation, for `/metrics`. Nothing is counted further than `limit`, so that the cost of
 * a look has a bound. The numbers are of some moment during the call, and may be of different ones. Errors:
 * UnavailableError.
 */
export interface BacklogStore {
  lanes(now: number, limit: number): Promise<Record<Lane, LaneBacklog>>;
  /** Messages that are claimed but not yet past the fence. */
  claimed(limit: number): Promise<number>;
  /** Messages that were handed over and wait for a report. */
  awaitingReport(limit: number): Promise<number>;
  tasks(kind: string, now: number, limit: number): Promise<TaskBacklog>;
  /** Messages that wait for this past `now`, see MessageState.heldFor. */
  held(heldFor: string, now: number, limit: number): Promise<number>;
  /** Always empty where stores and log share their commits. */
  outbox(limit: number): Promise<OutboxBacklog>;
}
