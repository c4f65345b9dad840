import type { LedgerEntry } from '../ledger/coins';
import type { ContactStatus } from '../contacts/contact';
import { namesOf } from '../field';
import {
  MESSAGE_FACTS,
  type Attempt,
  type MessageFacts,
  type MessageState,
  type StatusChange,
} from '../messages/message';

/** A ledger row with the fields the rules use. */
export type BookedRow = Omit<LedgerEntry, 'gate' | 'purchase'>;

/** The facts of a message that the rules use, besides its id and state. */
export const AUDITED_FACTS = ['workspaceId', 'sendAt', 'createdAt', ...namesOf(MESSAGE_FACTS, 'words')] as const;
export type AuditedMessage = Pick<MessageFacts, 'id' | (typeof AUDITED_FACTS)[number]> & Omit<MessageState, 'version'>;

/** A message and all stored data about it, as of one moment. */
export interface MessageRecord {
  message: AuditedMessage;
  /** In order of the status changes; the content is not checked yet. */
  history: readonly StatusChange[];
  /** Ordered by number. */
  attempts: readonly Attempt[];
  /** Rows whose id names this message. */
  coins: readonly BookedRow[];
  /** Its own, or that of its campaign. Also false for an empty one. */
  hasBody: boolean;
  /** False when there is metadata that cannot be read. */
  metadataReadable: boolean;
  /** The workspace of the sending domain; null when the domain does not exist. */
  domainWorkspaceId: number | null;
  /**
   * The workspace of the contact; null when it was deleted. During a deletion it stays set until this message is
   * anonymised.
   */
  contactWorkspaceId: number | null;
  /** Null as soon as the contact was deleted. */
  contactStatus: ContactStatus | null;
  /** False once the history was anonymised. */
  hasRecipient: boolean;
  /** Number of attachments held. */
  attachments: number;
}
