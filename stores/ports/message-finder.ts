import type { Message } from '../../domain/messages/message';
import type { MessageFilter } from './message-store';

/** A message in the order of acceptance: its id, and when it was accepted, ms. */
export interface MessagePoint {
  id: string;
  at: number;
}

/** What is looked for. What MessageFilter does not have is in no index: each message is looked at. */
export interface MessageSearch extends MessageFilter {
  /** A part of the subject as it was handed in; upper and lower case are the same. */
  subject?: string;
  /** A value of the metadata, in its text form: `1042` is the text and the number. */
  metadata?: { key: string; value: string };
  domainId?: number;
  /** The domain of the recipient's address, in lower case; a subdomain is another one. */
  toDomain?: string;
  /** Mails of a campaign to its recipients, ms when it went live; its test mails are not. */
  campaign?: { id: number; sentAt: number };
  /** Only those before this one, newest first: `next` of the page before. */
  after?: MessagePoint;
  limit: number;
}

export interface FoundMessages {
  /** Newest first. */
  items: Message[];
  /** The last message that was looked at. Null only when all were: what is not in the pages so far does not exist. */
  next: MessagePoint | null;
}

/** Looks for messages, for people: nothing that is sent waits for it, and no write takes longer for it. */
export interface MessageFinder {
  /**
   * The messages that fit, by time of acceptance, newest first. Looks for about a tenth of a second at most: a page may
   * be short, or empty, and `next` still says where to go on
   * (docs/decisions/0070-a-search-is-timed-and-resumable.md).
   */
  find(workspaceId: number, search: MessageSearch): Promise<FoundMessages>;
}
