import type { Collection, Db, ObjectId } from 'mongodb';
import type { Audience } from '../../../domain/contacts/audience';
import type { FormAutoPause } from '../../../domain/contacts/form-auto-pause';
import type { Consent } from '../../../domain/contacts/opt-in';
import type { LedgerKind } from '../../../domain/ledger/coins';
import type { Contact } from '../../../domain/contacts/contact';
import type { AttemptOutcome, MessageFacts, MessageState, StatusChange } from '../../../domain/messages/message';
import type { Template } from '../../../domain/templates/template';
import type { SendingDomain } from '../../../domain/settings/sending-domain';
import type { SuppressionReason } from '../../../domain/contacts/suppression';
import type { UnreadReport } from '../../../domain/bounces/unread-report';
import type { ApiKey, SmtpLogin, Workspace } from '../../../domain/settings/workspace';
import type { SettingName } from '../../ports/settings-store';
import type { CampaignDocuments } from '../campaigns/campaign-documents';
import type { RecordDocument } from '../records/record-document';
import type { EngagementDocument, MessageHourDocument, SignalDocument } from '../engagement/engagement-documents';
import type { JourneyDocuments } from '../journeys/enrollment-fields';
import type { ConversionDocument } from '../conversions/conversion-fields';
import type { DueTaskDocument } from '../queue/due-task-document';
import type { WakeupDocument, SendDayDocument } from '../queue/queue-documents';
import type { WebhookDeliveryDocument, WebhookDocument, WebhookEventDocument } from '../webhooks/delivery-fields';
import type { OutboxEntry, Stored } from './stored';
import type { GroupStartDocument, ParkedDocument } from '../log/log-documents';

export type { OutboxEntry };

export interface AttemptEntry {
  n: number;
  claimedAt: number;
  fencedAt: number | null;
  finishedAt: number | null;
  outcome: AttemptOutcome | null;
  reply: string | null;
}

/**
 * The progress of a message being sent: `claimed` before the fence, `past_fence` while the hand-off may still be in
 * progress, `unknown` when only evidence can tell, `handed_over` at sent_to_mta. Derived from the state, so that one
 * small index serves the timers.
 */
export const STAGES = ['claimed', 'past_fence', 'unknown', 'handed_over'] as const;
export type Stage = (typeof STAGES)[number];

/** One message with everything that changes with it. Ids grow in the order of acceptance. */
export interface MessageDocument extends Omit<MessageFacts, 'id' | 'metadata'>, MessageState {
  _id: string;
  /** As JSON: callers choose its field names. */
  metadata: string | null;
  /** Left out when the caller gave none. */
  idempotencyKey?: string;
  history: StatusChange[];
  attempts: AttemptEntry[];
  links?: string[];
  /** Keyed hash of the address, for a message that may still get feedback after its contact was deleted. */
  recipientHash?: string;
  /** See `Stage`; left out when there is none. */
  stage?: Stage;
  /** The last open or click; left out before the first. */
  openedAt?: number;
  /** The last click; left out before the first. */
  clickedAt?: number;
  /** The same of people; null when only machines did it, left out before the first open or click. */
  openedByPeopleAt?: number | null;
  clickedByPeopleAt?: number | null;
  /** When the newest attempt was claimed; left out before the first. */
  claimedAt?: number;
  /** Records of changes; left out while there are none. */
  outbox?: OutboxEntry[];
  /** When the oldest entry of the outbox was written; left out while the outbox is empty. */
  outboxAt?: number;
  /** True while attachments that must be deleted may still exist. */
  dropping?: true;
}

/** The content read only to hand a message over; same `_id`. */
export interface BodyDocument {
  _id: string;
  html: string;
  text: string | null;
  /** As JSON: a name is no field. */
  variables?: string;
}

/**
 * One part of an attachment. `_id` is `<message>:<n>:<part>`, both numbers with four digits, so that it gives the
 * order.
 */
export interface AttachmentDocument {
  _id: string;
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/** The records of one transaction; deleted once they are published. */
export interface OutboxDocument {
  _id: ObjectId;
  outbox: OutboxEntry[];
  outboxAt: number;
}

export interface ContactDocument extends Stored<Contact> {
  /**
   * Incremented by every write of something that must not outlive the contact, so that a deletion at the same time
   * conflicts.
   */
  touched?: number;
  /**
   * False until the contact is counted in its block (see ListBlockDocument). Counting at creation would make concurrent
   * creations conflict.
   */
  counted: boolean;
}

/** The counts of a list that is paged by number, by blocks of ids. `_id` is `<list>:<owner>:<block>`. */
export interface ListBlockDocument {
  _id: string;
  list: 'contacts' | 'members';
  /** The workspace for contacts, the audience for members. */
  owner: number;
  block: number;
  n: number;
}

export interface AudienceDocument extends Stored<Omit<Audience, 'formBrake'>> {
  /** Left out until a confirmation mail of its form bounced. */
  formBrake?: FormAutoPause;
  /** Incremented at the start of a campaign, so that a removal at the same time conflicts. */
  touched?: number;
}

/** `_id` is `<audience>:<contact>`. */
export interface MemberDocument {
  _id: string;
  audienceId: number;
  contactId: number;
  joinedAt: number;
  confirmedAt: number | null;
  pendingUntil: number | null;
  asked: number;
  byForm: boolean;
}

/** `_id` is `<contact>:<at>:<source>:<audience, or 0>`. */
export interface ConsentDocument extends Consent {
  _id: string;
  contactId: number;
}

/**
 * A deleted contact whose messages are still to be anonymised, and what must be removed from them. `_id` is that of the
 * contact.
 */
export interface AnonymisingDocument {
  _id: number;
  workspaceId: number;
  email: string;
  emailHash: string;
  name: string | null;
}

export interface SuppressionDocument {
  _id: ObjectId;
  /** 0 = the global list. */
  workspaceId: number;
  addressHash: string;
  reason: SuppressionReason;
  messageId: string | null;
  createdAt: number;
}

/** A row of the ledger. `_id` is `<workspace>:<natural id>`. */
export type UnreadReportDocument = Stored<UnreadReport>;

export interface LedgerDocument {
  _id: string;
  workspaceId: number;
  /** Numbered by the account, from 1. */
  seq: number;
  kind: LedgerKind;
  amount: number;
  messageId: string | null;
  at: number;
}

/** The view of the ledger. `_id` is the workspace. */
export interface AccountDocument {
  _id: number;
  balance: number;
  /** The newest row of the ledger. */
  seq: number;
  purchase?: { expiresAt: number | null };
  /** Incremented by bookings that lock the account before they read on, so that others conflict. */
  touched?: number;
}

/** When a gated entry was last booked. `_id` is `<workspace>:<key>`. */
export interface GateDocument {
  _id: string;
  workspaceId: number;
  at: number;
}

export interface LeaseDocument {
  _id: string;
  owner: string | null;
  epoch: number;
  expiresAt: number;
  /** Incremented by every claim under the lease, so that a change of owner at the same time conflicts. */
  claims?: number;
}

export interface OperatorLogDocument {
  _id: number;
  at: number;
  actor: string;
  action: string;
  target: string;
  workspaceId: number | null;
}

/** The networks that a login was right from, the latest first, by its username. */
export interface LoginNetworksDocument {
  _id: string;
  networks: { network: string; at: number }[];
}

type LaterFields = 'campaignApproval' | 'rates' | 'unconfirmed';
type Rotation = 'dkimPending' | 'dkimRetired';

/** The document type of each collection. */
export interface Documents extends CampaignDocuments, JourneyDocuments {
  /** `since`: the release that its versions count from. */
  meta: { _id: 'schema'; version: number; since?: string; writers?: number };
  counters: { _id: string; last: number };
  settings: { _id: SettingName; value: string };
  /** Without `campaignApproval`, `rates` or `unconfirmed`: older than they are. */
  workspaces: Stored<Omit<Workspace, LaterFields> & Partial<Pick<Workspace, LaterFields>>>;
  apiKeys: Stored<ApiKey>;
  smtpLogins: Stored<SmtpLogin>;
  loginNetworks: LoginNetworksDocument;
  /** Without `dkimPending` and `dkimRetired`: older than rotations. */
  domains: Stored<Omit<SendingDomain, Rotation> & Partial<Pick<SendingDomain, Rotation>>>;
  templates: Stored<Template>;
  contacts: ContactDocument;
  anonymising: AnonymisingDocument;
  listBlocks: ListBlockDocument;
  audiences: AudienceDocument;
  members: MemberDocument;
  contactConsents: ConsentDocument;
  engagement: EngagementDocument;
  conversions: ConversionDocument;
  webhooks: WebhookDocument;
  webhookEvents: WebhookEventDocument;
  webhookDeliveries: WebhookDeliveryDocument;
  suppressions: SuppressionDocument;
  unreadReports: UnreadReportDocument;
  messages: MessageDocument;
  messageHours: MessageHourDocument;
  bodies: BodyDocument;
  attachments: AttachmentDocument;
  signals: SignalDocument;
  outbox: OutboxDocument;
  ledger: LedgerDocument;
  accounts: AccountDocument;
  gates: GateDocument;
  sendDays: SendDayDocument;
  looks: WakeupDocument;
  leases: LeaseDocument;
  dueTasks: DueTaskDocument;
  operatorLog: OperatorLogDocument;
  directory: RecordDocument;
  parked: ParkedDocument;
  groupStarts: GroupStartDocument;
}
export type CollectionName = keyof Documents;

/** A collection by its name, typed with its documents. */
export function documents<N extends CollectionName>(db: Db, name: N): Collection<Documents[N]> {
  return db.collection<Documents[N]>(name);
}

/** A domain value as a document. */
export function toDocument<T extends { id: unknown }>({ id, ...rest }: T): Stored<T> {
  return { _id: id, ...rest };
}

/** The domain value of a document. */
export function fromDocument<T extends { _id: unknown }>({ _id: id, ...rest }: T): Omit<T, '_id'> & { id: T['_id'] } {
  return { id, ...rest };
}
