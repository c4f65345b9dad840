import type { Message, MessageStatus } from '../../domain/messages/message';
import { presentReturned } from './returned-facts';
import { objectTime } from '../rules/timestamps';

/** The response of POST /messages, 201 and 200. `warnings` are left out when there are none. */
export function presentAccepted(id: string, status: MessageStatus, warnings: readonly string[] = []): object {
  return { message_id: id, status, ...(warnings.length > 0 && { warnings }) };
}

/**
 * A message's status (docs/contract.md#message-status), and its metadata: `{}` when there is none. What the relay left
 * out is told only of a mail that had it.
 */
export function presentMessage(message: Message): object {
  return {
    message_id: message.id,
    status: message.status,
    failed_reason: message.failedReason,
    dispatched_at: message.dispatchedAt === null ? null : objectTime(message.dispatchedAt),
    ...(message.sendAt !== null && { send_at: objectTime(message.sendAt) }),
    ...presentReturned(message),
    ...(message.attachmentsLeftOut > 0 && { attachments_left_out: message.attachmentsLeftOut }),
  };
}

/** An item of GET /messages (docs/contract.md#list-of-messages). `to` is null once the contact was deleted. */
export function presentMessageItem(message: Message): object {
  return {
    message_id: message.id,
    to: message.toText,
    subject: message.subject,
    channel: message.channel,
    status: message.status,
    failed_reason: message.failedReason,
    dispatched_at: message.dispatchedAt === null ? null : objectTime(message.dispatchedAt),
    created_at: objectTime(message.createdAt),
    ...(message.sendAt !== null && { send_at: objectTime(message.sendAt) }),
    ...presentReturned(message),
  };
}
