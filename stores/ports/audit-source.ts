import type { CampaignRecord } from '../../domain/audit/check-campaign';
import type { ConversionRecord, PendingLinks } from '../../domain/audit/check-conversion';
import type { DerivedFault } from '../../domain/audit/check-derived';
import type { KeyRecord } from '../../domain/audit/idempotency-check';
import type { GroupPosition, Stray } from '../../domain/audit/check-installation';
import type { DayRecord } from '../../domain/audit/check-days';
import type { ListCount } from '../../domain/audit/check-lists';
import type { EnrolmentRecord } from '../../domain/audit/check-enrolment';
import type { EngagementRecord } from '../../domain/audit/check-engagement';
import type { LedgerRecord } from '../../domain/audit/check-ledger-row';
import type { PenaltyRecord } from '../../domain/audit/check-penalties';
import type { DeliveryRecord, EventRecord, WebhookFacts } from '../../domain/audit/check-webhooks';
import type { MessageRecord } from '../../domain/audit/message-record';
import type { CoinAccount, LedgerEntry } from '../../domain/ledger/coins';

/** The pages of a scan. Each is small; at most one is in memory at a time. */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** The coins of a workspace. */
export interface CoinSnapshot {
  account(): Promise<CoinAccount>;
  /** In booking order. */
  ledger(): Pages<LedgerRecord>;
  /** Penalties of forced sends. Their order is not defined. */
  penalties(): Pages<PenaltyRecord>;
  /**
   * Ledger entries by id that were committed before this moment but not yet committed by the coins group. Some may
   * already be booked. Memory use grows with the work that the group still has to do for the workspace.
   */
  pendingEntries(): Promise<ReadonlyMap<string, LedgerEntry>>;
}

/** Stored data of a workspace that is derived from its other data. */
export interface DerivedSnapshot {
  /** Claims by WIB day, as counted. */
  dayCounters(): Promise<ReadonlyMap<string, number>>;
  /** The counts of each contact, one record after another. Includes contacts without any activity. */
  engagement(): Pages<EngagementRecord>;
  /** Every counter used for paging lists, with the number of items it should count. Their order is not defined. */
  lists(): Pages<ListCount>;
  /** Derived fields whose value differs from the data they follow from. Empty if the driver stores no such fields. */
  faults(): Pages<DerivedFault>;
}

/** The webhooks of a workspace, the events for them, and the deliveries. */
export interface WebhookSnapshot {
  facts(): Promise<WebhookFacts>;
  /** Every event in the feed of the workspace, in its order. */
  events(): Pages<EventRecord>;
  /** Every delivery, also those to webhooks that were deleted. Their order is not defined. */
  deliveries(): Pages<DeliveryRecord>;
}

/** The sales of a workspace that wait or are linked, and what they are linked by. */
export interface ConversionSnapshot {
  /** Their order is not defined. */
  sales(): Pages<ConversionRecord>;
  /**
   * What was committed before this moment and not yet handled by the group `conversions`. Memory use grows with the work
   * that the group still has to do.
   */
  pending(): Promise<PendingLinks>;
}

/**
 * All stored data of one workspace as of one moment: no part shows a write that was committed later. A row that names
 * the workspace belongs to it, even if the workspace does not exist. Read the scans one at a time.
 */
export interface WorkspaceSnapshot {
  coins: CoinSnapshot;
  derived: DerivedSnapshot;
  webhooks: WebhookSnapshot;
  conversions: ConversionSnapshot;
  /** False if the workspace does not exist, even if rows name it. */
  exists(): Promise<boolean>;
  /** In order of acceptance. */
  messages(): Pages<MessageRecord>;
  /** In the order of their ids. */
  campaigns(): Pages<CampaignRecord>;
  /** Their order is not defined. */
  enrolments(): Pages<EnrolmentRecord>;
  /** Keys of the same message are adjacent. */
  idempotencyKeys(): Pages<KeyRecord>;
  /** Claim times of every attempt that names the workspace, ms, ascending. */
  claims(): Pages<number>;
  /**
   * The latest end of a lease, ms: how far the service got by its own clock, or at most some seconds more. Null if it
   * never ran.
   */
  aliveUntil(): Promise<number | null>;
}

/** Facts about the whole installation. */
export interface InstallationFacts {
  /** Null when it has no id yet. */
  id: string | null;
  /** As in WorkspaceSnapshot. */
  aliveUntil: number | null;
  /** The highest rate of premium accounts that ever was in force, mails a minute. */
  premiumPerMinute: number;
}

/**
 * The data as the audit reads it while a service may be writing (docs/architecture.md#coins). Never writes. Unlike the
 * other ports it returns faults as they are: a dangling reference is returned, not repaired or left out.
 */
export interface AuditSource {
  /** The installation as of now. */
  installation(): Promise<InstallationFacts>;
  /** Total number of messages, for showing progress. */
  messageCount(): Promise<number>;
  /** Every workspace id that any row names, ascending from `after`, at most `limit`. */
  workspaces(after: number, limit: number): Promise<number[]>;
  /** Calls `work` with a snapshot that is valid until `work` ends. One at a time. */
  workspace<T>(workspaceId: number, work: (snapshot: WorkspaceSnapshot) => Promise<T>): Promise<T>;
  /** The counters of every WIB day, all as of one moment. */
  platformDays(): Promise<DayRecord[]>;
  /** Bodies and attachments without a message, and due tasks of webhooks without a delivery, at most `limit` of each. */
  strays(limit: number): Promise<Stray[]>;
  /**
   * The position of each consumer group. Left out if the end of its log is unknown, or if the group has no position
   * yet.
   */
  positions(): Promise<GroupPosition[]>;
  /** Messages in their current state. Unknown ones are left out. */
  find(ids: readonly string[]): Promise<MessageRecord['message'][]>;
  /** The ids that belong to no message. */
  missing(ids: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}
