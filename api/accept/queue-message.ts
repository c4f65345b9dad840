import { DAY } from '../../domain/clock';
import type { MessageFacts } from '../../domain/message';
import { toAttachment } from '../../schemas/attachment';
import { asciiDomainAddress } from '../../schemas/email-address';
import type { MessageFields } from '../../schemas/send-message';
import type { AcceptOutcome } from '../../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import type { Recipient } from './check-contact';
import type { Sender } from './check-sender';

/** How long attachments may wait for hand-off (spec section 8). */
const ATTACHMENTS_HELD = 4 * DAY;

/** Check 7: one atomic commit of message, body, attachments, idempotency key and the record that wakes the queue. */
export async function queueMessage(
  deps: AcceptDeps,
  request: AcceptRequest,
  accepted: { message: MessageFields; sender: Sender; recipient: Recipient },
): Promise<AcceptOutcome & { id: string }> {
  const { message, recipient } = accepted;
  const workspaceId = request.workspace.id;
  const now = deps.clock.now();
  const id = deps.newId();
  const attachments = (message.attachments ?? []).map(toAttachment);
  const outcome = await deps.stores.messages.accept({
    facts: facts(id, now, request, accepted),
    ...('create' in recipient ? { newContact: recipient.create } : {}),
    body: { html: message.html, text: message.text ?? null },
    attachments,
    attachmentsUntil: attachments.length > 0 ? now + ATTACHMENTS_HELD : null,
    idempotencyKey: request.idempotencyKey,
    records: [
      {
        topic: 'messages.accepted',
        key: String(workspaceId),
        value: { workspaceId, messageId: id },
      },
    ],
  });
  return { id, ...outcome };
}

function facts(
  id: string,
  now: number,
  { workspace, channel }: AcceptRequest,
  { message, sender, recipient }: { message: MessageFields; sender: Sender; recipient: Recipient },
): MessageFacts {
  return {
    id,
    workspaceId: workspace.id,
    contactId: 'id' in recipient ? recipient.id : 0,
    domainId: sender.domainId,
    channel,
    lane: 'transactional',
    campaignId: null,
    to: recipient.email,
    toText: message.to,
    subject: message.subject,
    fromEmail: sender.fromEmail,
    fromName: message.from_name ?? (workspace.businessName || workspace.name),
    replyTo: message.reply_to === undefined ? null : asciiDomainAddress(message.reply_to),
    metadata: message.metadata ?? null,
    createdAt: now,
  };
}
