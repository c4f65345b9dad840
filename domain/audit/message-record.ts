import type { LedgerEntry } from '../coins';
import type { ContactStatus } from '../contact';
import type { Attempt, MessageFacts, MessageState, StatusChange } from '../message';

/** A row of the ledger, as the rules look at it. */
export type BookedRow = Omit<LedgerEntry, 'gate' | 'purchase'>;

/** The facts of a message that the rules look at, beside its id and its state. */
export const AUDITED_FACTS = ['workspaceId', 'channel', 'lane', 'createdAt'] as const satisfies (keyof MessageFacts)[];
export type AuditedMessage = Pick<MessageFacts, 'id' | (typeof AUDITED_FACTS)[number]> & Omit<MessageState, 'version'>;

/** A message and everything that is kept of it, as of one moment. */
export interface MessageRecord {
  message: AuditedMessage;
  /** In the order of the moves; what is in it is not checked yet. */
  history: readonly StatusChange[];
  /** By number. */
  attempts: readonly Attempt[];
  /** Rows whose id says they are of this message. */
  coins: readonly BookedRow[];
  /** False also for one that is empty. */
  hasBody: boolean;
  /** False when there is metadata that cannot be read. */
  metadataReadable: boolean;
  /** The workspace of the sending domain; null when there is no such domain. */
  domainWorkspaceId: number | null;
  /** The workspace of the contact; null when it was deleted. Of one that is being deleted until this message is anonymised. */
  contactWorkspaceId: number | null;
  /** Null as soon as the contact was deleted. */
  contactStatus: ContactStatus | null;
  /** False once the history was anonymised. */
  hasRecipient: boolean;
  /** Number of attachments held. */
  attachments: number;
}
