import type {
  Attachment,
  Attempt,
  AttemptOutcome,
  HandOffJob,
  ListedFacts,
  Message,
  MessageBody,
  MessageFacts,
  MessageState,
  MessageStatus,
  StatusChange,
} from '../../domain/messages/message';
import type { EngagementFilter, StatusFilter } from '../../domain/messages/message-hour';
import type { OutgoingRecord } from '../../streams/records';
import type { NewContact } from './contact-store';
import type { StepRun } from './journey-runs';

/** The recipient of a message. */
export type Recipient =
  /** An address: may be refused; otherwise its contact is found or created in the same commit. */
  | { address: NewContact }
  /** An existing contact, by id: never refused here, since the claim checks it. */
  | { contact: number }
  /**
   * An existing contact that is refused as an address is, for a message whose id is derived: one that is there already
   * is a duplicate.
   */
  | { checked: CheckedContact };

export interface CheckedContact {
  id: number;
  emailHash: string;
  /**
   * The round of an enrollment that did this mail. Written in the same commit, or the mail is refused as `stale_step`.
   */
  round?: StepRun;
}

/** A message to accept. */
export interface Acceptance {
  /** The contact comes from `recipient`. */
  facts: Omit<MessageFacts, 'contactId'>;
  recipient: Recipient;
  /** Null: the content is that of its campaign or journey. */
  body: MessageBody | null;
  attachments: readonly Attachment[];
  attachmentsUntil: number | null;
  idempotencyKey: string | null;
  /** Records to emit in addition to the one that wakes the throttle. */
  records: readonly OutgoingRecord[];
}

/**
 * Why an address is refused, checked in this order (checks 4 to 6 of docs/contract.md#checks-in-order); `stale_step`:
 * its enrollment ended or moved.
 */
export type RecipientRefusal = 'no_coins' | 'suppressed' | 'unsubscribed' | 'stale_step';

export type AcceptOutcome =
  | { kind: 'accepted' }
  | { kind: 'duplicate'; id: string; status: MessageStatus }
  | { kind: 'refused'; reason: RecipientRefusal };

/** A pure decision on the current message; null leaves it unchanged. May be called more than once. */
export type Decide = (message: Message) => MessageChange | null;

export interface MessageChange {
  set: Partial<Omit<MessageState, 'version'>>;
  /** The time of the change, ms. If the status changes, it is recorded in the history. */
  at: number;
  /** Closes or marks the current attempt. */
  attempt?: { fencedAt?: number; finishedAt?: number; outcome?: AttemptOutcome; reply?: string };
  /** Destinations of the tracked links, in order. Replaces the stored list. */
  links?: readonly string[];
  /** Deletes the attachments (docs/contract.md#attachment-retention). */
  dropAttachments?: boolean;
  records: readonly OutgoingRecord[];
}

/** `message` is the state after the change, or the unchanged state. Null if there is no such message. */
export interface Changed {
  applied: boolean;
  message: Message | null;
}

export interface MessagePage {
  total: number;
  /** True when there are more than `total`, which were not counted. */
  isMore?: boolean;
  items: Message[];
}

/** What a list of messages holds; without a field, whatever its value. */
export interface MessageFilter extends ListedFacts {
  status?: StatusFilter;
  engagement?: EngagementFilter;
  /** The times of acceptance from `since` to `until`, both included, ms. */
  since?: number;
  until?: number;
  /** The contact that the messages are for. It may be deleted: its messages keep its id. */
  contactId?: number;
}

export interface ListQuery extends MessageFilter {
  offset: number;
  limit: number;
  /** What has to be counted one by one is counted no further. Absent: all of it is. */
  countUpTo?: number;
}

/**
 * Messages with their bodies, attachments, links, attempts and history. Every write and the records it emits form one
 * atomic commit. Once the write has resolved, both are durable and the records reach the log at least once, even after
 * a crash (docs/architecture.md#the-commit-point-and-the-outbox).
 */
export interface MessageStore {
  /**
   * Accepts messages in one commit: all of them are durable or none is. Outcomes are in the order of the arguments.
   * Each message is judged alone, after those before it, so a refusal or duplicate does not stop the others. Rejects
   * and writes nothing if any message cannot be written: with DuplicateError when an id is taken. At most one message
   * per workspace and idempotency key, even if two callers race: the loser gets `duplicate`. A mail of a journey and
   * the round that did it are written together or not at all (see JourneyRuns.advance). The same commit emits a record
   * of `messages.accepted` that wakes the throttle; messages of one workspace may share it.
   */
  accept(acceptances: readonly Acceptance[]): Promise<AcceptOutcome[]>;
  findByIdempotencyKey(workspaceId: number, key: string): Promise<{ id: string; status: MessageStatus } | null>;
  /**
   * Null only when there is no such message at a moment after the call, also while the servers change their roles:
   * callers conclude from it that a record is not theirs.
   */
  get(id: string): Promise<Message | null>;
  /** In the order of `ids`. Leaves out unknown ones and those of other workspaces. */
  getMany(workspaceId: number, ids: readonly string[]): Promise<Message[]>;
  /** Newest first. Finds what it holds in an index, whatever the filter. */
  list(workspaceId: number, query: ListQuery): Promise<MessagePage>;
  history(id: string): Promise<StatusChange[]>;
  attempts(id: string): Promise<Attempt[]>;
  /**
   * Null if there is no such message. Content of more than `upTo` bytes is not loaded: the job has its size in
   * `withheld` instead. Without `upTo`, the content is always loaded.
   */
  job(id: string, upTo?: number): Promise<HandOffJob | null>;
  links(id: string): Promise<string[]>;
  /**
   * Compare-and-set: reads, decides and writes; repeats if another writer came in between. Pass the last seen state as
   * `known` to skip the first read.
   */
  change(id: string, decide: Decide, known?: Message): Promise<Changed>;
}
