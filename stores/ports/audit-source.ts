import type { DerivedFault } from '../../domain/audit/check-derived';
import type { KeyRecord } from '../../domain/audit/idempotency-check';
import type { GroupPosition, Stray } from '../../domain/audit/check-installation';
import type { DayRecord } from '../../domain/audit/check-days';
import type { ListCount } from '../../domain/audit/check-lists';
import type { EngagementRecord } from '../../domain/audit/check-engagement';
import type { LedgerRecord } from '../../domain/audit/check-ledger-row';
import type { PenaltyRecord } from '../../domain/audit/check-penalties';
import type { MessageRecord } from '../../domain/audit/message-record';
import type { CoinAccount, LedgerEntry } from '../../domain/coins';

/** Pages of a scan: each is small, and no more than one is held at a time. */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** The coins of a workspace. */
export interface CoinSnapshot {
  account(): Promise<CoinAccount>;
  /** In the order of booking. */
  ledger(): Pages<LedgerRecord>;
  /** Penalties of forced sends, in no promised order. */
  penalties(): Pages<PenaltyRecord>;
  /**
   * Ledger entries, by id, that were committed before this moment and that the coins group has not yet committed. Some of them
   * may be booked already. Takes memory for what the group has yet to do for the workspace.
   */
  pendingEntries(): Promise<ReadonlyMap<string, LedgerEntry>>;
}

/** What is kept of a workspace beside the data that it follows from. */
export interface DerivedSnapshot {
  /** Claims by WIB day, as the counters say. */
  dayCounters(): Promise<ReadonlyMap<string, number>>;
  /** What is counted of each contact, one record after the other, contacts without anything too. */
  engagement(): Pages<EngagementRecord>;
  /** Every counter that lists are paged by, and how many items it counts. In no promised order. */
  lists(): Pages<ListCount>;
  /** Where a field that the driver keeps says something else than what it follows from; none where it keeps no such field. */
  faults(): Pages<DerivedFault>;
}

/**
 * Everything that is kept of one workspace, all as of one moment: no write that was committed after it shows in any part. Rows
 * that only name a workspace belong to it, whether or not there is one. The scans may be read one after the other.
 */
export interface WorkspaceSnapshot {
  coins: CoinSnapshot;
  derived: DerivedSnapshot;
  /** False when there is no such workspace, whatever names it. */
  exists(): Promise<boolean>;
  /** In the order of acceptance. */
  messages(): Pages<MessageRecord>;
  /** Those of one message follow each other. */
  idempotencyKeys(): Pages<KeyRecord>;
  /** Times of every attempt that names the workspace, ms, ascending. */
  claims(): Pages<number>;
  /**
   * A time that the service had reached by its own clock, ms, at most some seconds ahead of it: the latest end of a lease.
   * Null when it never ran.
   */
  aliveUntil(): Promise<number | null>;
}

/**
 * The data as the audit reads it, beside a service that goes on writing (docs/architecture.md#coins). Nothing is ever
 * written. Unlike the other ports it sees what is wrong as it is: a reference that leads nowhere is answered, not
 * repaired or left out.
 */
export interface AuditSource {
  /** Messages kept in all, to tell progress by. */
  messageCount(): Promise<number>;
  /** Every workspace that anything names, ascending from `after`, at most `limit`. */
  workspaces(after: number, limit: number): Promise<number[]>;
  /** Hands `work` a snapshot, which holds until it is done. One at a time. */
  workspace<T>(workspaceId: number, work: (snapshot: WorkspaceSnapshot) => Promise<T>): Promise<T>;
  /** The counters of every WIB day, all as of one moment. */
  platformDays(): Promise<DayRecord[]>;
  /** Bodies and attachments of no message, at most `limit` of each. */
  strays(limit: number): Promise<Stray[]>;
  /** Where each consumer group stands; left out where the end of its log is not known, or it has none yet. */
  positions(): Promise<GroupPosition[]>;
  /** Messages as they are now; unknown ones are left out. */
  find(ids: readonly string[]): Promise<MessageRecord['message'][]>;
  /** Those of the ids that no message has. */
  missing(ids: readonly string[]): Promise<string[]>;
  /** See WorkspaceSnapshot, as of now. */
  aliveUntil(): Promise<number | null>;
  close(): Promise<void>;
}
