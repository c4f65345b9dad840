import type { MailClass } from '../../../domain/destinations/pace';
import type { OutgoingRecord } from '../../../streams/records';
import type { MessageStatus } from '../../../domain/messages/message';
import type { CountedList } from '../../../domain/contacts/list-blocks';
import type { Database } from './database';

/** The position of a message in the list of its workspace. */
export interface MessagePlace {
  seq: number;
  workspace_id: number;
  created_at: number;
}

/** What a write may do inside its transaction. */
export interface Transaction {
  db: Database;
  /** Appends records to the log, in the same transaction. */
  emit(records: readonly OutgoingRecord[]): void;
  /**
   * Wakes the throttle for a workspace. Emits one record of `messages.accepted`, even if many messages share the
   * transaction.
   */
  wake(workspaceId: number, messageId: string, mails?: MailClass): void;
  /** Records that the item `id` joined (1) or left (-1) a counted list; see counted-list. */
  count(list: CountedList, owner: number, id: number, by: 1 | -1): void;
  /** Records that a message of status `from`, or a new one (null), now has status `to`; see message-counts. */
  moved(message: MessagePlace, from: MessageStatus | null, to: MessageStatus): void;
}

/** Where the stores submit their writes. */
export interface Commits {
  /** Runs the work in the next transaction. Resolves with its value once the transaction is durable. */
  write<T>(work: (tx: Transaction) => T): Promise<T>;
}
