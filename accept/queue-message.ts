import { DAY } from '../lib/clock';
import type { MessageFacts } from '../domain/message';
import { toAttachment } from '../schemas/attachment';
import { asciiDomainAddress, canonicalAddress } from '../schemas/email-address';
import type { MessageFields } from '../schemas/send-message';
import type { AcceptOutcome } from '../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import type { Sender } from './check-sender';

/** How long attachments may wait for hand-off (spec section 8). */
const ATTACHMENTS_HELD = 4 * DAY;

/**
 * Checks 4 to 6 and the queue, in one atomic commit of contact, message, body, attachments, idempotency key and the record
 * that wakes the throttle: coins, the suppression lists, and the recipient, who becomes a contact if he is none.
 */
export async function queueMessage(
  deps: AcceptDeps,
  request: AcceptRequest,
  accepted: { message: MessageFields; sender: Sender },
): Promise<{ id: string; addressHash: string; outcome: AcceptOutcome }> {
  const { message } = accepted;
  const email = canonicalAddress(message.to);
  const addressHash = deps.keyring.hashAddress(email);
  const workspaceId = request.workspace.id;
  const now = deps.clock.now();
  const id = deps.newId();
  const attachments = (message.attachments ?? []).map(toAttachment);
  const outcome = await deps.stores.messages.accept({
    facts: facts(id, now, email, request, accepted),
    addressee: { workspaceId, email, emailHash: addressHash, name: null, at: now },
    body: { html: message.html, text: message.text ?? null },
    attachments,
    attachmentsUntil: attachments.length > 0 ? now + ATTACHMENTS_HELD : null,
    idempotencyKey: request.idempotencyKey,
    records: [],
  });
  return { id, addressHash, outcome };
}

function facts(
  id: string,
  now: number,
  email: string,
  { workspace, channel }: AcceptRequest,
  { message, sender }: { message: MessageFields; sender: Sender },
): MessageFacts {
  return {
    id,
    workspaceId: workspace.id,
    // Of the addressee, whom the store knows or makes.
    contactId: 0,
    domainId: sender.domainId,
    channel,
    lane: 'transactional',
    campaignId: null,
    to: email,
    toText: message.to,
    subject: message.subject,
    fromEmail: sender.fromEmail,
    fromName: message.from_name ?? (workspace.businessName || workspace.name),
    replyTo: message.reply_to === undefined ? null : asciiDomainAddress(message.reply_to),
    metadata: message.metadata ?? null,
    createdAt: now,
  };
}
