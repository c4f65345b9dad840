import { canonicalAddress } from '../schemas/email-address';
import type { Acceptance } from '../stores/ports/message-store';
import { DAY } from '../lib/clock';
import type { AcceptDeps } from './accept-deps';
import type { PreparedMessage } from './accept-request';

/** How long attachments are kept before hand-off, ms (docs/contract.md#attachments). */
const ATTACHMENTS_HELD = 4 * DAY;

/** The message in the form the store accepts, with a new id and the current time. */
export function toAcceptance(
  { keyring, clock, newId }: Pick<AcceptDeps, 'keyring' | 'clock' | 'newId'>,
  { recipient, body, attachments, idempotencyKey, ...content }: PreparedMessage,
): Acceptance {
  const now = clock.now();
  const toText = 'address' in recipient ? recipient.address : recipient.contact.email;
  const to = 'address' in recipient ? canonicalAddress(recipient.address) : recipient.contact.email;
  return {
    facts: { ...content, id: newId(), to, toText, createdAt: now },
    recipient:
      'address' in recipient
        ? {
            address: {
              workspaceId: content.workspaceId,
              email: to,
              emailHash: keyring.hashAddress(to),
              name: null,
              at: now,
            },
          }
        : { contact: recipient.contact.id },
    body,
    attachments,
    attachmentsUntil: attachments.length > 0 ? now + ATTACHMENTS_HELD : null,
    idempotencyKey,
    records: [],
  };
}
