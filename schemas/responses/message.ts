import Joi from 'joi';
import { messageStatus as status } from '../enums';
import { inJsonSchema } from '../json-schema';
import { named } from './closed';
import { address, objectTime, uuid } from './fields';
import { page } from './page';

const failedReason = Joi.string()
  .allow(null)
  .description(
    'Why it failed or bounced; for `queued` and `sent_to_mta`: why the receiving server deferred it. Otherwise null.',
  );
const dispatchedAt = objectTime.allow(null).description('Set once the message was handed to the sending server.');
const metadata = Joi.object()
  .meta(inJsonSchema({ additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } }))
  .description("The caller's own object; `{}` when there is none.");

const message = uuid.description('The id of the message.');
const messageId = '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21';

/** POST /messages. */
export const acceptedAnswer = named(
  'AcceptedMessage',
  { message_id: message, status },
  'A message that was accepted.',
).example({
  message_id: messageId,
  status: 'queued',
});

/** GET /messages/{id}. */
export const messageAnswer = named(
  'Message',
  {
    message_id: message,
    status,
    failed_reason: failedReason,
    dispatched_at: dispatchedAt,
    metadata,
    attachments_left_out: Joi.number()
      .integer()
      .min(1)
      .optional()
      .description('Attachments of a mail of the SMTP relay, which are not forwarded. Only where there were any.'),
  },
  'A message and its status.',
).example({
  message_id: messageId,
  status: 'delivered',
  failed_reason: null,
  dispatched_at: '2026-09-22T03:15:07.412000Z',
  metadata: { order: 'INV-2026-0917' },
});

const messageItem = named(
  'MessageItem',
  {
    message_id: message,
    to: address.allow(null).description('null once the contact was deleted.'),
    subject: Joi.string().description('The subject as it was sent in, with its merge tags.'),
    channel: Joi.valid('api', 'smtp', 'app').description('The way it came in; `app`: a campaign or a journey.'),
    status,
    failed_reason: failedReason,
    dispatched_at: dispatchedAt,
    created_at: objectTime.description('When it was accepted.'),
    metadata,
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

/** GET /messages without `ids`. */
export const messagePageAnswer = page('MessagePage', messageItem, 'messages');

/** GET /messages with `ids`. */
export const messageBatchAnswer = named(
  'MessageBatch',
  {
    data: Joi.array().items(messageItem).description('The messages, in the requested order.'),
  },
  'The messages that were asked for by id.',
);
