import type {
  Attachment,
  Attempt,
  AttemptOutcome,
  HandOffJob,
  Message,
  MessageBody,
  MessageFacts,
  MessageState,
  MessageStatus,
  StatusChange,
} from '../../domain/message';
import type { OutgoingRecord } from '../../streams/records';
import type { NewContact } from './contact-store';

/** Whom a message is for. */
export type Recipient =
  /** An address: may be refused, else found as a contact or made one, in the same commit. */
  | { address: NewContact }
  /** A contact that was chosen, by its id: never refused here, since the claim looks at it. */
  | { contact: number };

/** A message to accept. */
export interface Acceptance {
  /** Which contact it goes to, `recipient` says. */
  facts: Omit<MessageFacts, 'contactId'>;
  recipient: Recipient;
  body: MessageBody;
  attachments: readonly Attachment[];
  attachmentsUntil: number | null;
  idempotencyKey: string | null;
  /** Beside the one that wakes the throttle. */
  records: readonly OutgoingRecord[];
}

/** Why an address is refused; looked at in this order (checks 4 to 6 of docs/contract.md#checks-in-order). */
export type RecipientRefusal = 'no_coins' | 'suppressed' | 'unsubscribed';

export type AcceptOutcome =
  | { kind: 'accepted' }
  | { kind: 'duplicate'; id: string; status: MessageStatus }
  | { kind: 'refused'; because: RecipientRefusal };

/** A pure decision on a message as it stands; null leaves it alone. May be called more than once. */
export type Decide = (message: Message) => MessageChange | null;

export interface MessageChange {
  set: Partial<Omit<MessageState, 'version'>>;
  /** When the status changes, the time that goes to the history; also the time of every other change. */
  at: number;
  /** Closes or marks the current attempt. */
  attempt?: { fencedAt?: number; finishedAt?: number; outcome?: AttemptOutcome; reply?: string };
  /** Destinations of the tracked links, in order; replaces the stored list. */
  links?: readonly string[];
  /** Deletes the attachments (docs/contract.md#attachment-retention). */
  dropAttachments?: boolean;
  records: readonly OutgoingRecord[];
}

/** `message` is the state after the change, or the state that was left alone; null when there is no such message. */
export interface Changed {
  applied: boolean;
  message: Message | null;
}

export interface MessagePage {
  total: number;
  items: Message[];
}

export interface ListQuery {
  status?: MessageStatus;
  offset: number;
  limit: number;
}

/**
 * Messages, their bodies, attachments, links, attempts and history.
 * Every write is one atomic commit together with the records it emits: after it resolved both are durable and the
 * records reach the log at least once, also after a crash (docs/architecture.md#the-commit-point-and-the-outbox).
 */
export interface MessageStore {
  /**
   * Accepts messages in one commit: all of them are durable or none is. Outcomes are in the order given; each is judged alone, as
   * it would be after those before it, so that one refused or a duplicate does not stop the others. Rejects, with nothing written,
   * when one of them cannot be written, such as an id that is taken. One message per (workspace, idempotency key), also when two
   * callers race: the loser gets `duplicate`. The throttle is woken in the same commit by a record of `messages.accepted`, which
   * messages of one workspace may share.
   */
  accept(acceptances: readonly Acceptance[]): Promise<AcceptOutcome[]>;
  findByIdempotencyKey(workspaceId: number, key: string): Promise<{ id: string; status: MessageStatus } | null>;
  get(id: string): Promise<Message | null>;
  /** In the order asked; unknown ones and those of other workspaces are left out. */
  getMany(workspaceId: number, ids: readonly string[]): Promise<Message[]>;
  /** Newest first. */
  list(workspaceId: number, query: ListQuery): Promise<MessagePage>;
  history(id: string): Promise<StatusChange[]>;
  attempts(id: string): Promise<Attempt[]>;
  /** Null when there is no such message. */
  job(id: string): Promise<HandOffJob | null>;
  links(id: string): Promise<string[]>;
  /**
   * Compare-and-set: reads, decides, writes; repeats when somebody else wrote in between. With `known`, the message as the
   * caller saw it last, the first read is spared.
   */
  change(id: string, decide: Decide, known?: Message): Promise<Changed>;
}
