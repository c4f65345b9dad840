import { makeMessage } from '../../../domain/messages/make-message';
import { firstDue } from '../../../domain/messages/message';
import { canonicalAddress } from '../../../schemas/rules/email-address';
import type { Acceptance, Recipient } from '../../../stores/ports/message-store';
import { DAY } from '../../../lib/clock';
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
  const { sender, draft, recipient, body, attachments = [], idempotencyKey = null } = message;
  const now = clock.now();
  const toText = 'address' in recipient ? recipient.address : recipient.contact.email;
  const to = 'address' in recipient ? canonicalAddress(recipient.address) : recipient.contact.email;
  const id = 'messageId' in recipient ? recipient.messageId : newId();
  return {
    facts: makeMessage(sender, draft, { id, to, toText, createdAt: now, attachmentCount: attachments.length }),
    recipient: toRecipient(deps, recipient, sender.workspace.id, to, now),
    body,
    attachments,
    attachmentsUntil:
      attachments.length > 0 ? firstDue({ sendAt: draft.sendAt ?? null, createdAt: now }) + ATTACHMENTS_HELD : null,
    idempotencyKey,
    records: [],
  };
}

function toRecipient(
  { keyring }: Pick<AcceptDeps, 'keyring'>,
  recipient: PreparedRecipient,
  workspaceId: number,
  email: string,
  at: number,
): Recipient {
  if ('address' in recipient) {
    const status = recipient.ofService && ({ status: 'not_subscribed' } as const);
    return { address: { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at, ...status } };
  }
  if (!('messageId' in recipient)) return { contact: recipient.contact.id };
  const { contact, round } = recipient;
  return { checked: { id: contact.id, emailHash: contact.emailHash, ...(round && { round }) } };
}
