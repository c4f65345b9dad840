import type { BounceClass } from '../bounces/bounce-class';
import type { Contact } from '../contacts/contact';
import { flag, initialOf, named, namesOf, number, object, oneOf, text, word, type ValuesOf } from '../field';

/** Message statuses of docs/contract.md#statuses. */
export const MESSAGE_STATUSES = ['queued', 'sending', 'sent_to_mta', 'delivered', 'bounced', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Where a message came from, as webhooks name it (docs/contract.md#webhook-payload). */
export const CHANNELS = ['api', 'smtp', 'app'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Lanes inside one workspace's queue, served 8:1:1 (docs/architecture.md#pacing-and-claim). */
export const LANES = ['transactional', 'journey', 'campaign'] as const;
export type Lane = (typeof LANES)[number];

const CATEGORIES = ['transactional'] as const;
/**
 * `transactional`: mail about what the recipient asked for (docs/contract.md#transactional-mail). It has no footer,
 * open pixel or unsubscribe headers, tracked links only by `trackClicks`, and reaches a contact that unsubscribed.
 */
export type MessageCategory = (typeof CATEGORIES)[number];

export type MetadataValue = string | number | boolean | null;
export type Metadata = Record<string, MetadataValue>;

/**
 * What a submitted mail says of its thread (RFC 5322 section 3.6.4): ids in their brackets. `messageId` null: its
 * Message-ID is ours.
 */
export interface Thread {
  messageId: string | null;
  inReplyTo: readonly string[];
  references: readonly string[];
}

/**
 * Why late evidence may still settle a message: it failed without a record, or the server gave up. `unconfirmed`: an
 * earlier hand-off without an answer is sent again, and a report may be about either. Null for all others.
 */
const REOPENABLE = ['no_record', 'expired', 'unconfirmed'] as const;

/** The facts of a message that never change after acceptance: its columns, its document and more follow from this. */
export const MESSAGE_FACTS = {
  id: word(),
  workspaceId: number(),
  contactId: number(),
  domainId: number(),
  channel: oneOf(CHANNELS).listed(),
  lane: oneOf(LANES),
  campaignId: number().orNull(),
  /**
   * The journey whose mail it is, the version and the number of the step that has its content; null for other messages.
   */
  journeyId: number().orNull(),
  journeyVersion: number().orNull(),
  journeyStep: number().orNull(),
  /** Null: marketing. */
  category: oneOf(CATEGORIES).orNull(),
  /** Of a transactional message: its links are tracked, as those of marketing mail always are. */
  trackClicks: flag().initially(false),
  /** When its first attempt is due, ms (docs/contract.md#scheduled-messages); null: at once. */
  sendAt: number().orNull(),
  /** The recipient in lower case; null once the contact was deleted and the history anonymised. */
  to: word().orNull().erased('nothing'),
  /** The recipient as the caller wrote it (trimmed). */
  toText: word().orNull().erased('nothing'),
  subject: text().erased('no person'),
  fromEmail: word().erased('no address'),
  fromName: text().erased('no person'),
  replyTo: word().orNull().erased('no address'),
  metadata: named<Metadata>().orNull().erased('no person').returned(),
  /**
   * Attachments and inline images of a submitted mail, which the relay does not forward
   * (docs/contract.md#relay-connection).
   */
  attachmentsLeftOut: number().initially(0),
  /** Attachments that it was accepted with. Null: before this was stored. */
  attachmentCount: number().later(),
  /** Null: a mail that is in none, and names itself. Its ids may hold an address in any form, and name others. */
  thread: object<Thread>().later().erased('nothing'),
  createdAt: number(),
};
export type MessageFacts = ValuesOf<typeof MESSAGE_FACTS>;

/** The mutable state, always changed by compare-and-set on `version`. All times are ms since the epoch. */
export const MESSAGE_STATE = {
  status: oneOf(MESSAGE_STATUSES).initially('queued'),
  failedReason: word().orNull().erased('no address'),
  /** Time of the hand-off to the sending server (docs/contract.md#dispatched-at). */
  dispatchedAt: number().orNull(),
  /**
   * queued: next attempt; sending: end of the lease, later of the wait for evidence; sent_to_mta: end of that wait;
   * else null.
   */
  dueAt: number().orNull(),
  /** Number of claims so far; identifies the current attempt in ledger ids. */
  attempt: number().initially(0),
  firstClaimedAt: number().orNull(),
  /** Random token of the hand-off that passed the fence; null before (docs/architecture.md#the-fence-and-evidence). */
  fence: word().orNull(),
  fencedAt: number().orNull(),
  /** True once only evidence can tell the outcome of the hand-off. */
  unknown: flag().initially(false),
  reopenable: oneOf(REOPENABLE).orNull(),
  /** When the recipient first complained, or null. */
  complainedAt: number().orNull(),
  /** What the last refusal was read as, by the sending server or a report; null when there was none. */
  refusedClass: word<BounceClass>().orNull(),
  /** When that was said. */
  refusedAt: number().orNull(),
  /** When a hard bounce was reported: it has the penalty. */
  hardBouncedAt: number().orNull(),
  /**
   * Queued: what it waits for a turn of, the id of a DestinationState, or RELEASED once it waits no longer; null when
   * it has not waited since its last attempt.
   */
  heldFor: word().later(),
  /** When stored attachments expire; null when there are none. */
  attachmentsUntil: number().orNull(),
  version: number().initially(1),
};
export type MessageState = ValuesOf<typeof MESSAGE_STATE>;

/** Values that a list of messages can be narrowed to. */
export const LISTED_FACTS = namesOf(MESSAGE_FACTS, 'listed');
export type ListedFacts = { [N in (typeof LISTED_FACTS)[number]]?: NonNullable<MessageFacts[N]> };

/** The facts that are the caller's own, and come back with the message. */
export const RETURNED_FACTS = namesOf(MESSAGE_FACTS, 'returned');
export type ReturnedFacts = Pick<MessageFacts, (typeof RETURNED_FACTS)[number]>;

/** All fields of a message. */
export const MESSAGE_FIELDS = { ...MESSAGE_FACTS, ...MESSAGE_STATE };
export type Message = MessageFacts & MessageState;

/** The initial state of an accepted message, except for its times. */
const { dueAt: _dueAt, attachmentsUntil: _attachmentsUntil, ...NEW_STATE } = initialOf(MESSAGE_STATE);
export { NEW_STATE };

/** How far ahead a message or a campaign may be scheduled, days (docs/contract.md#scheduled-messages). */
export const MAX_DAYS_AHEAD = 30;

/** When the first attempt of a message is due, ms. */
export const firstDue = ({ sendAt, createdAt }: Pick<MessageFacts, 'sendAt' | 'createdAt'>): number =>
  sendAt ?? createdAt;

/** A newly accepted message. */
export const acceptedMessage = (facts: MessageFacts, attachmentsUntil: number | null): Message => ({
  ...facts,
  ...NEW_STATE,
  dueAt: firstDue(facts),
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
  /** Null: generate the text part from the html. */
  text: string | null;
  /** The values of merge tags of its own, by name in lower case: those of its template. Absent: it has none. */
  variables?: Variables;
  /** True where the messages of a campaign, or of a step of a journey, have this very object. */
  isShared?: true;
}

/** Values of merge tags of a message's own, as text. */
export type Variables = Readonly<Record<string, string>>;

/** One claim of a message and its outcome. */
export interface Attempt {
  messageId: string;
  workspaceId: number;
  n: number;
  claimedAt: number;
  fencedAt: number | null;
  finishedAt: number | null;
  outcome: AttemptOutcome | null;
  /** The sending server's reply, or what happened to the connection. */
  reply: string | null;
}
export type AttemptOutcome =
  'sent' | 'refused_temporarily' | 'refused_permanently' | 'not_sent' | 'unknown' | 'unconfirmed';

/** Everything a hand-off needs, in one read. */
export interface HandOffJob {
  message: Message;
  contact: Contact | null;
  /** Null once the contact was deleted, because its mail is deleted too. */
  body: MessageBody | null;
  attachments: Attachment[];
  /** That of the message's campaign, with its merge tags unfilled; null without one. */
  preheader: string | null;
  /** Set when body and attachments were left out because they are larger than asked for. */
  withheld?: ContentSize;
}

/** The size of a message's content as stored, bytes. */
export interface ContentSize {
  body: number;
  attachments: number;
}
