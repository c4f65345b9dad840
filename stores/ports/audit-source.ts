import type { DerivedFault } from '../../domain/audit/check-derived';
import type { AuditedSale } from '../../domain/audit/check-conversion';
import type { GroupPosition } from '../../domain/audit/check-installation';
import type { AuditedMessage, BookedRow } from '../../domain/audit/message-record';
import type { CampaignStatus } from '../../domain/campaigns/campaign';
import type { CampaignRun, RecipientState } from '../../domain/campaigns/campaign-run';
import type { CampaignTally } from '../../domain/campaigns/campaign-tally';
import type { CoinAccount } from '../../domain/ledger/coins';
import type { ContactStatus } from '../../domain/contacts/contact';
import type { LastActivity, RollUp } from '../../domain/engagement/engagement';
import type { Enrollment, EnrollmentStep } from '../../domain/journeys/enrollment';
import type { JourneyStatus, JourneyStep } from '../../domain/journeys/journey';
import type { CountedList } from '../../domain/contacts/list-blocks';
import type { EngagementCounts, MessageHour } from '../../domain/messages/message-hour';
import type { Attempt, MessageFacts, MessageStatus, StatusChange } from '../../domain/messages/message';
import type { Signal } from '../../domain/engagement/signal';
import type { Workspace } from '../../domain/settings/workspace';
import type { Webhook } from '../../domain/webhooks/webhook';
import type { MessageEvent, WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import type { StoredRecord } from '../../streams/records';
import type { GroupName, TopicName } from '../../streams/topics';

/** Rows in pages. Each is small; at most one is in memory at a time. */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** What an engine stores the content of a message under: its number or its id. */
export type MessageKey = number | string;

/** A message with everything stored in it. */
export interface MessageRow extends Pick<
  MessageFacts,
  'contactId' | 'domainId' | 'campaignId' | 'journeyId' | 'journeyVersion' | 'journeyStep'
> {
  message: AuditedMessage;
  key: MessageKey;
  /** In order of the status changes. */
  history: readonly StatusChange[];
  /** Ordered by number, without the replies. */
  attempts: readonly Attempt[];
  /** JSON, or what stands in its place. */
  metadata: string | null;
  hasRecipient: boolean;
  /** True when attachments that may still be there no longer count, as for the hand-off. */
  isDropping: boolean;
  /** Fields that the engine derives from the others, where they do not match these. */
  faults: readonly DerivedFault[];
}

/** What other rows need to know of a message. */
export interface MailRow extends Pick<MessageFacts, 'id' | 'workspaceId' | 'contactId' | 'lane'> {
  key: MessageKey;
  campaignId: number | null;
  journeyId: number | null;
  journeyStep: number | null;
  status: MessageStatus;
  /** The last open and click, and those of people, of an engine that stores them with the message (see Kept). */
  noted: { all: LastActivity; people: LastActivity } | null;
}

/** The collections, and their rows as stored: a dangling reference is returned, not repaired or left out. */
export interface AuditRows {
  workspaces: Pick<Workspace, 'id' | 'rates'>;
  /** `seq`: the number of the newest ledger row, if the engine numbers them. */
  accounts: CoinAccount & { seq: unknown };
  messages: MessageRow;
  mails: MailRow;
  /** With 1 for what the recipient did, 0 for what not; `complained` as the engine counts it by hour. */
  statuses: { key: MessageKey; status: MessageStatus; createdAt: number; complained: number } & EngagementCounts;
  /** The time of a claim, by the workspace that its attempt names. */
  claims: { claimedAt: number };
  ledger: BookedRow & { seq: unknown };
  gates: { key: string; at: number };
  /** `of`: the key of the message. */
  idempotencyKeys: { key: string; of: MessageKey };
  /** `workspaceId`: 0 for a part of the platform's counter. */
  sendDays: { day: string; workspaceId: number; claims: number };
  leases: { expiresAt: number };
  domains: { id: number; workspaceId: number };
  /** `isCounted`: false while the blocks of the list do not count it yet. */
  contacts: { id: number; workspaceId: number; status: ContactStatus; isCounted: boolean };
  /** Deleted contacts whose messages are being anonymised. */
  leaving: { id: number; workspaceId: number };
  bodies: { of: MessageKey; isFilled: boolean };
  /** One attachment may have several rows. */
  attachments: { of: MessageKey; n: number };
  audiences: { id: number; contactsCount: number };
  members: { contactId: number };
  blocks: { level: number; block: number; n: number };
  messageBlocks: { level: number; block: number } & Record<MessageStatus, number>;
  /** The counts of hours that are kept. */
  messageHours: MessageHour;
  /** The stored rows of an hour or of all time. */
  engagement: RollUp & { contactId: number; workspaceId: number };
  signals: Pick<Signal, 'id' | 'messageId' | 'kind' | 'at' | 'link' | 'machine'>;
  campaigns: {
    id: number;
    status: CampaignStatus;
    sentAt: number | null;
    run: Pick<CampaignRun, 'rows' | 'skipped' | 'fed' | 'cancelled' | 'expanded'>;
    isFilled: boolean;
  };
  tallies: CampaignTally;
  recipients: { contactId: number; state: RecipientState; messageId: string | null };
  journeys: { id: number; status: JourneyStatus };
  /** `steps`: null when they cannot be read. */
  journeyVersions: { journeyId: number; version: number; steps: readonly JourneyStep[] | null };
  /** `key`: `<journey>:<version>:<step>`. */
  journeyMails: { key: string };
  enrollments: Enrollment;
  enrollmentSteps: Omit<EnrollmentStep, 'reason'> & { enrollmentId: string };
  /** `attempts`: as stored; they may be damaged. */
  posts: { enrollmentId: string; step: number; state: string; attempts: unknown };
  /** Sales that wait or are linked. */
  conversions: AuditedSale;
  webhooks: Pick<Webhook, 'id' | 'eventTypes' | 'isActive' | 'enabledAt'>;
  events: Pick<MessageEvent, 'id' | 'event' | 'occurredAt'> & {
    storedAt: number;
    webhooks: readonly number[] | null;
  };
  deliveries: Pick<WebhookDelivery, 'id' | 'webhookId' | 'eventId' | 'occurredAt' | 'allowed'> & {
    state: string;
    attempts: unknown;
  };
  tasks: { kind: string; id: string; lane: string };
}

type OfWorkspace =
  | ('messages' | 'statuses' | 'claims' | 'ledger' | 'gates' | 'idempotencyKeys' | 'contacts' | 'audiences')
  | ('engagement' | 'campaigns' | 'enrollments' | 'conversions' | 'webhooks' | 'events' | 'deliveries');

/**
 * Whose rows of a collection a scan reads: those of a workspace, an audience, a campaign, a kind of due work, or all.
 * Messages come in the order of acceptance and their keys with them, the ledger in booking order, events in that of
 * their feed, members, recipients, contacts and enrollments by id; the order of others is not defined.
 */
export interface ScanOwners extends Record<OfWorkspace, number> {
  members: number;
  recipients: number;
  tasks: string;
  sendDays: null;
  leases: null;
  bodies: null;
  attachments: null;
}

/** What the rows of each collection can be found by. */
export interface FindKeys {
  workspaces: { id: number };
  accounts: { id: number };
  messages: { id: string };
  mails: { id: string; key: MessageKey; contactId: number; campaignId: number };
  /**
   * `prefix`: rows whose id is the text, or starts with the text and a colon; in the order of their ids for one prefix.
   * Rows between those of several prefixes may be among them.
   */
  ledger: { prefix: readonly [workspaceId: number, text: string] };
  gates: { key: readonly [workspaceId: number, key: string] };
  sendDays: { workspaceId: number };
  domains: { id: number };
  contacts: { id: number };
  leaving: { id: number };
  bodies: { of: MessageKey };
  attachments: { of: MessageKey };
  blocks: { list: readonly [list: CountedList, owner: number] };
  messageBlocks: { workspaceId: number };
  messageHours: { workspaceId: number };
  engagement: { contactId: number };
  signals: { messageId: string };
  campaigns: { id: number };
  tallies: { campaignId: number };
  journeys: { id: number };
  journeyVersions: { key: readonly [journeyId: number, version: number] };
  journeyMails: { key: readonly [journeyId: number, version: number, step: number] };
  enrollments: { id: string };
  enrollmentSteps: { enrollmentId: string };
  posts: { enrollmentId: string };
  deliveries: { id: string };
  tasks: { key: readonly [kind: string, id: string] };
}

/** Settings, and notes of what may have been deleted for its age. */
export interface AuditSettings {
  /** Null when the installation has no id yet. */
  installationId: string | null;
  /** Deliveries of events that occurred before may have been deleted, ms; null: none was. */
  deliveriesTrimmedBefore: number | null;
  /** The same of posts of steps. */
  postsTrimmedBefore: number | null;
}

/** All stored data as of one moment: nothing shows a write that was committed later. Read one thing at a time. */
export interface AuditSnapshot {
  /** The rows of one owner, page by page. */
  scan<N extends keyof ScanOwners>(name: N, owner: ScanOwners[N]): Pages<AuditRows[N]>;
  /** The rows with one of these keys. Their order is not defined; keys without a row are left out. */
  find<N extends keyof FindKeys, K extends keyof FindKeys[N] & string>(
    name: N,
    by: K,
    keys: readonly FindKeys[N][K][],
  ): Pages<AuditRows[N]>;
  settings(): Promise<AuditSettings>;
}

/** The tail of the event log as it was around the moment of a snapshot. */
interface LogTail {
  /**
   * The log's tail: records that were committed before this moment and not yet committed by the group, of one key or of
   * all. Some may already be handled.
   */
  pending(group: GroupName, topic: TopicName, key?: string): AsyncIterable<StoredRecord>;
}

/** A snapshot with the event log. */
export type SnapshotWithLog = AuditSnapshot & LogTail;

/** What an engine keeps for its own look-ups besides the data. */
export interface Kept {
  /** Levels of the blocks that count each list; 0: the engine does not count it. */
  blockLevels: Readonly<Record<CountedList | 'messages', 0 | 1 | 2>>;
  /** True when the counts of every hour with messages are kept; else only those of some. */
  everyHour: boolean;
  /** True when each message has its last open and click. */
  lastActivity: boolean;
  /** True when the ledger rows of a workspace are numbered from 1 and its account has the last number. */
  ledgerNumbers: boolean;
}

/**
 * The data as the audit reads it while a service may be writing (docs/architecture.md#coins). Never writes. What the
 * rows mean together is decided above, in operations/audit and domain/audit.
 */
export interface AuditSource {
  readonly kept: Kept;
  /** Calls `work` with a snapshot that is valid until `work` ends. One at a time. */
  snapshot<T>(work: (snapshot: AuditSnapshot) => Promise<T>): Promise<T>;
  /** The same with the log, which takes longer to begin. */
  snapshotWithLog<T>(work: (snapshot: SnapshotWithLog) => Promise<T>): Promise<T>;
  /** Total number of messages, for showing progress. */
  messageCount(): Promise<number>;
  /** The lowest workspace id above `after` that any row names, also of one that does not exist; null: there is none. */
  nextWorkspace(after: number): Promise<number | null>;
  /**
   * The position of each consumer group. Left out if the end of its log is unknown, or if the group has no position
   * yet.
   */
  positions(): Promise<GroupPosition[]>;
  close(): Promise<void>;
}
