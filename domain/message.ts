import type { Contact } from './contact';

/** Message statuses of docs/contract.md#statuses. */
export const MESSAGE_STATUSES = ['queued', 'sending', 'sent_to_mta', 'delivered', 'bounced', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Where a message came from, as webhooks name it (docs/contract.md#webhook-payload). */
export type Channel = 'api' | 'smtp' | 'app';

/** Lanes inside one workspace's queue, served 8:1:1 (docs/architecture.md#pacing-and-claim). */
export const LANES = ['transactional', 'journey', 'campaign'] as const;
export type Lane = (typeof LANES)[number];

export type MetadataValue = string | number | boolean | null;
export type Metadata = Record<string, MetadataValue>;

/** What never changes after acceptance. */
export interface MessageFacts {
  id: string;
  workspaceId: number;
  contactId: number;
  domainId: number;
  channel: Channel;
  lane: Lane;
  campaignId: number | null;
  /** The recipient in lower case; null once the contact was deleted and the history anonymised. */
  to: string | null;
  /** The recipient as the caller wrote it (trimmed). */
  toText: string | null;
  subject: string;
  fromEmail: string;
  fromName: string;
  replyTo: string | null;
  metadata: Metadata | null;
  createdAt: number;
}

/** Why a `failed` message may still be moved by later evidence; null for every other message. */
export type Reopenable = 'no_record' | 'expired' | null;

/** What changes, always by compare-and-set on `version`. All times are ms since the epoch. */
export interface MessageState {
  status: MessageStatus;
  failedReason: string | null;
  /** Set once handed to the sending server (docs/contract.md#dispatched-at). */
  dispatchedAt: number | null;
  /** queued: next turn; sending: end of the lease, then of the wait for evidence; sent_to_mta: end of that wait; else null. */
  dueAt: number | null;
  /** Number of claims so far; names the current attempt in ledger ids. */
  attempt: number;
  firstClaimedAt: number | null;
  /** Random token of the hand-off that passed the fence, null before (docs/architecture.md#the-fence-and-evidence). */
  fence: string | null;
  fencedAt: number | null;
  /** True from the moment the hand-off's outcome can only come from evidence. */
  unknown: boolean;
  reopenable: Reopenable;
  /** When the recipient's complaint was heard, or null; the first one counts. */
  complainedAt: number | null;
  /** Until when attachments are held; null when there are none (any more). */
  attachmentsUntil: number | null;
  version: number;
}

export type Message = MessageFacts & MessageState;

/** The state of a message that was just accepted, but for its times. */
export const NEW_STATE: Readonly<Omit<MessageState, 'dueAt' | 'attachmentsUntil'>> = {
  status: 'queued',
  failedReason: null,
  dispatchedAt: null,
  attempt: 0,
  firstClaimedAt: null,
  fence: null,
  fencedAt: null,
  unknown: false,
  reopenable: null,
  complainedAt: null,
  version: 1,
};

/** A message that was just accepted: its first turn is due at once. */
export const acceptedMessage = (facts: MessageFacts, attachmentsUntil: number | null): Message => ({
  ...facts,
  ...NEW_STATE,
  dueAt: facts.createdAt,
  attachmentsUntil,
});

/** One entry of a message's status history. */
export interface StatusChange {
  status: MessageStatus;
  at: number;
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface MessageBody {
  html: string;
  /** Null when the text part is to be generated from the html. */
  text: string | null;
}

/** One claim of a message and what became of it. */
export interface Attempt {
  messageId: string;
  workspaceId: number;
  n: number;
  claimedAt: number;
  fencedAt: number | null;
  finishedAt: number | null;
  outcome: AttemptOutcome | null;
  /** The sending server's reply, or what the connection did. */
  reply: string | null;
}
export type AttemptOutcome = 'sent' | 'refused_temporarily' | 'refused_permanently' | 'not_sent' | 'unknown';

/** Everything the hand-off needs, read at once. */
export interface HandOffJob {
  message: Message;
  contact: Contact | null;
  /** Null once the contact was deleted, and with it what was written to it. */
  body: MessageBody | null;
  attachments: Attachment[];
}
