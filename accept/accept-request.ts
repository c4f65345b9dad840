import type { Contact } from '../domain/contact';
import type { Attachment, Channel, MessageBody, MessageFacts } from '../domain/message';
import type { Workspace } from '../domain/workspace';
import type { Source } from '../schemas/normalize';

/** A message as a caller submitted it, by REST or SMTP. Its fields are normalized and checked first. */
export interface SubmittedMessage {
  workspace: Workspace;
  channel: Extract<Channel, 'api' | 'smtp'>;
  /** The fields of POST /messages, as they came. */
  fields: object;
  source: Source;
  idempotencyKey: string | null;
}

/** Whom a prepared message is for. */
export type PreparedRecipient =
  /** An address as it was written. May be refused, at a penalty; otherwise found as a contact, or made one. */
  | { address: string }
  /** A contact that was chosen. Never refused here: the claim looks at it. */
  | { contact: Pick<Contact, 'id' | 'email'> };

/**
 * A message whose content and sender are checked: a campaign or a journey makes it from what was checked when it was written,
 * the checks make it from a submitted one.
 */
export interface PreparedMessage extends Omit<MessageFacts, 'id' | 'contactId' | 'to' | 'toText' | 'createdAt'> {
  recipient: PreparedRecipient;
  body: MessageBody;
  attachments: readonly Attachment[];
  idempotencyKey: string | null;
}

/** One message to accept. */
export type AcceptRequest = SubmittedMessage | PreparedMessage;
