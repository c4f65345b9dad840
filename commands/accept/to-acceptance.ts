import { firstDue } from '../../domain/messages/message';
import { canonicalAddress } from '../../schemas/rules/email-address';
import type { Acceptance, Recipient } from '../../stores/ports/message-store';
import { DAY } from '../../lib/clock';
import type { AcceptDeps } from './accept-deps';
import type { PreparedMessage, PreparedRecipient } from './accept-request';

/** How long attachments are kept from the first attempt that is due, ms (docs/contract.md#attachment-retention). */
const ATTACHMENTS_HELD = 4 * DAY;

/** The message in the form the store accepts, with the current time, and a new id unless it has its own. */
export function toAcceptance(
  deps: Pick<AcceptDeps, 'keyring' | 'clock' | 'newId'>,
  message: PreparedMessage,
): Acceptance {
  const { clock, newId } = deps;
  const { recipient, body, attachments, idempotencyKey } = message;
  const now = clock.now();
  const toText = 'address' in recipient ? recipient.address : recipient.contact.email;
  const to = 'address' in recipient ? canonicalAddress(recipient.address) : recipient.contact.email;
  const id = 'messageId' in recipient ? recipient.messageId : newId();
  return {
    facts: toFacts(message, { id, to, toText, createdAt: now }),
    recipient: toRecipient(deps, recipient, message.workspaceId, to, now),
    body,
    attachments,
    attachmentsUntil:
      attachments.length > 0 ? firstDue({ sendAt: message.sendAt, createdAt: now }) + ATTACHMENTS_HELD : null,
    idempotencyKey,
    records: [],
  };
}

type Facts = Acceptance['facts'];

/** Field by field: spreading the rest of a message cost as much as checking its fields. */
const toFacts = (
  message: PreparedMessage,
  { id, to, toText, createdAt }: Pick<Facts, 'id' | 'to' | 'toText' | 'createdAt'>,
): Facts => ({
  id,
  workspaceId: message.workspaceId,
  domainId: message.domainId,
  channel: message.channel,
  lane: message.lane,
  campaignId: message.campaignId,
  journeyId: message.journeyId,
  journeyVersion: message.journeyVersion,
  journeyStep: message.journeyStep,
  category: message.category,
  trackClicks: message.trackClicks,
  sendAt: message.sendAt,
  to,
  toText,
  subject: message.subject,
  fromEmail: message.fromEmail,
  fromName: message.fromName,
  replyTo: message.replyTo,
  metadata: message.metadata,
  attachmentsLeftOut: message.attachmentsLeftOut,
  createdAt,
});

function toRecipient(
  { keyring }: Pick<AcceptDeps, 'keyring'>,
  recipient: PreparedRecipient,
  workspaceId: number,
  email: string,
  at: number,
): Recipient {
  if ('address' in recipient) {
    return { address: { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at } };
  }
  if (!('messageId' in recipient)) return { contact: recipient.contact.id };
  const { contact, turn } = recipient;
  return { checked: { id: contact.id, emailHash: contact.emailHash, ...(turn && { turn }) } };
}
