import Joi from 'joi';
import type { Message, MessageStatus } from '../../domain/messages/message';
import { channel, messageStatus as status } from '../rules/enums';
import { objectTime as timeText } from '../rules/timestamps';
import { either, list, named, nullable, optional, type ValueOf } from './closed';
import { address, objectTime, uuid } from './fields';
import { page } from './page';
import { presentReturned, returnedRules } from './returned-facts';

const failedReason = nullable(Joi.string()).description(
  'Why it failed or bounced; for `queued` and `sent_to_mta`: why the receiving server deferred it. Otherwise null.',
);
const dispatchedAt = nullable(objectTime).description('Set once the sending server accepted the message.');
const sendAt = optional(objectTime).description('The time it is scheduled for. Only for scheduled messages.');

const message = uuid.description('The id of the message.');
const messageId = '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21';

/** POST /messages. */
export const acceptedAnswer = named(
  'AcceptedMessage',
  {
    message_id: message,
    status,
    warnings: optional(list(Joi.string())).description(
      'A sentence for each possible problem: unknown fields, merge tags that may be a mistake, and email that should be sent from ' +
        'a transactional domain. Omitted if there is none.',
    ),
  },
  'A message that was accepted.',
).example({
  message_id: messageId,
  status: 'queued',
});

/** The response of POST /messages, 201 and 200. `warnings` are left out when there are none. */
export function presentAccepted(
  id: string,
  status: MessageStatus,
  warnings: string[] = [],
): ValueOf<typeof acceptedAnswer> {
  return { message_id: id, status, ...(warnings.length > 0 && { warnings }) };
}

/** GET /messages/{id}. */
export const messageAnswer = named(
  'Message',
  {
    message_id: message,
    status,
    failed_reason: failedReason,
    dispatched_at: dispatchedAt,
    send_at: sendAt,
    ...returnedRules,
    attachments_left_out: optional(Joi.number().integer().min(1)).description(
      'Attachments of a message from the SMTP relay that are not forwarded. Omitted if there are none.',
    ),
  },
  'A message and its status.',
).example({
  message_id: messageId,
  status: 'delivered',
  failed_reason: null,
  dispatched_at: '2026-09-22T03:15:07.412000Z',
  metadata: { order: 'INV-2026-0917' },
});

/**
 * A message's status (docs/contract.md#message-status), and its metadata: `{}` when there is none. What the relay left
 * out is told only of a mail that had it.
 */
export function presentMessage(message: Message): ValueOf<typeof messageAnswer> {
  return {
    message_id: message.id,
    status: message.status,
    failed_reason: message.failedReason,
    dispatched_at: message.dispatchedAt === null ? null : timeText(message.dispatchedAt),
    ...(message.sendAt !== null && { send_at: timeText(message.sendAt) }),
    ...presentReturned(message),
    ...(message.attachmentsLeftOut > 0 && { attachments_left_out: message.attachmentsLeftOut }),
  };
}

const messageItem = named(
  'MessageItem',
  {
    message_id: message,
    to: nullable(address).description('null once the contact was deleted.'),
    subject: Joi.string().description('The subject as submitted, with its merge tags.'),
    channel,
    status,
    failed_reason: failedReason,
    dispatched_at: dispatchedAt,
    created_at: objectTime.description('When it was accepted.'),
    send_at: sendAt,
    ...returnedRules,
  },
  'A message in a list.',
).example({
  message_id: messageId,
  to: 'siti@pelanggan.example',
  subject: 'Pesanan Anda dikirim',
  channel: 'api',
  status: 'delivered',
  failed_reason: null,
  dispatched_at: '2026-09-22T03:15:07.412000Z',
  created_at: '2026-09-22T03:15:06.088000Z',
  metadata: { order: 'INV-2026-0917' },
});

/** An item of GET /messages (docs/contract.md#list-of-messages). `to` is null once the contact was deleted. */
export function presentMessageItem(message: Message): ValueOf<typeof messageItem> {
  return {
    message_id: message.id,
    to: message.toText,
    subject: message.subject,
    channel: message.channel,
    status: message.status,
    failed_reason: message.failedReason,
    dispatched_at: message.dispatchedAt === null ? null : timeText(message.dispatchedAt),
    created_at: timeText(message.createdAt),
    ...(message.sendAt !== null && { send_at: timeText(message.sendAt) }),
    ...presentReturned(message),
  };
}

/** GET /messages without `ids`. */
export const messagePageAnswer = page('MessagePage', messageItem, 'messages');

/** GET /messages with `ids`. */
export const messageBatchAnswer = named(
  'MessageBatch',
  {
    data: list(messageItem).description('The messages, in the requested order.'),
  },
  'The messages requested by id.',
);

const refusedMessage = named(
  'RefusedMessage',
  {
    status_code: Joi.number().integer().description('The status that POST /messages would have returned.'),
    message: Joi.string().description('What is wrong, for people.'),
    code: Joi.string().description(
      'What is wrong, for programs: a code of POST /messages, or `refused_before` for a message that was refused when the ' +
        'Idempotency-Key was first used.',
    ),
    errors: optional(
      Joi.object<Record<string, string[]>>().pattern(Joi.string(), Joi.array().items(Joi.string())),
    ).description('The errors of each field.'),
  },
  'A message of a batch that was not accepted.',
).example({
  status_code: 422,
  message: 'The to field must be a valid email address.',
  code: 'recipient_malformed',
  errors: { to: ['The to field must be a valid email address.'] },
});

/** POST /messages/batch (docs/contract.md#batch-of-messages). */
export const acceptedBatchAnswer = named(
  'AcceptedBatch',
  {
    data: list(either(acceptedAnswer, refusedMessage)).description('A result for each message, in order.'),
  },
  'The outcome of the messages of a batch.',
).example({
  data: [
    { message_id: messageId, status: 'queued' },
    {
      status_code: 422,
      message: 'The to field must be a valid email address.',
      code: 'recipient_malformed',
      errors: { to: ['The to field must be a valid email address.'] },
    },
  ],
});
