import type { Contact } from '../../../domain/contacts/contact';
import type { Draft, MessageSender } from '../../../domain/messages/make-message';
import type { Attachment, Channel, MessageBody } from '../../../domain/messages/message';
import type { Workspace } from '../../../domain/settings/workspace';
import type { Source } from '../../../schemas/rules/normalize';
import type { StepRun } from '../../../stores/ports/journey-runs';

/** A message as a caller submitted it over REST or SMTP. Its fields are still to be normalized and checked. */
export interface SubmittedMessage {
  workspace: Workspace;
  channel: Extract<Channel, 'api' | 'smtp'>;
  /** The fields of POST /messages, as received. */
  fields: object;
  source: Source;
  idempotencyKey: string | null;
}

/** The recipient of a prepared message. */
export type PreparedRecipient =
  /**
   * An address as written. It may be refused, with a penalty; otherwise its contact is found or created. `ofService`:
   * the service itself writes to it, so a contact that is created is not subscribed to anything.
   */
  | { address: string; ofService?: true }
  /** An existing contact. It is never refused here: the claim checks it. */
  | { contact: Pick<Contact, 'id' | 'email'> }
  /**
   * An existing contact that is refused as an address is, without a penalty. The message is accepted once for its id,
   * together with its `round`.
   */
  | { contact: Pick<Contact, 'id' | 'email' | 'emailHash'>; messageId: string; round?: StepRun };

/**
 * A message with checked content and sender. Campaigns and journeys build it from content that was checked when it was
 * written; for a submitted message, `checkSubmitted` builds it.
 */
export interface PreparedMessage {
  sender: MessageSender;
  draft: Draft;
  recipient: PreparedRecipient;
  /** Null: the content is that of its campaign or journey. */
  body: MessageBody | null;
  attachments?: readonly Attachment[];
  idempotencyKey?: string | null;
  /** What its caller should look at, in sentences, once it is accepted. */
  warnings?: readonly string[];
}

/** One message to accept. */
export type AcceptRequest = SubmittedMessage | PreparedMessage;
