import Joi from 'joi';
import { texts } from '../../../domain/texts';
import { LISTED_TEXTS } from '../../../schemas/messages/list-messages';
import { MESSAGE_FIELD_TEXTS } from '../../../schemas/messages/send-message';
import {
  acceptedAnswer,
  acceptedBatchAnswer,
  messageAnswer,
  messageBatchAnswer,
  messagePageAnswer,
} from '../../../schemas/responses/message';
import { exampleOf, examplePage } from '../examples';
import type { ListedOperation } from '../listed-operation';
import { fieldFault, type OperationParameter, type OperationRefusal } from '../operation';

const MESSAGE_ID = '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21';
/** The transactional domain of the demo workspace, so that the examples work as they are after a first start. */
const DEMO = { id: 2, domain: 'notify.kurir.test' };
const item = exampleOf(messagePageAnswer, 'data');

const SENDING = `Checks run in this order; the first failure is returned:

1. \`to\` is not an email address or is longer than 255 characters: 4-coin penalty, then 422.
2. Fields, metadata, attachments: 422.
3. The domain is not owned or not active, or \`from_email\` is not an address at that domain: 422.
4. A coin balance below 1: 422.
5. The recipient is on the suppression list: 4-coin penalty and 422.
6. The recipient becomes a contact. If the contact is unsubscribed, bounced or complained: 4-coin penalty and 422. Mail of
   a transactional domain may go to an unsubscribed one.
7. The email is queued: 201.

A penalty is taken once per address and reason in 24 hours. One coin is taken when the email is handed to the sending server,
not on acceptance.

On sending, links with double-quoted http(s) addresses become tracking links, a tracking image is appended, and if there is no
unsubscribe link, a footer with one is added; mail of a transactional domain (see GET /domains) has neither. **Merge tags** such as \`{{nama|Kak}}\` are filled in subject, html and text.
CC, BCC and custom headers are unsupported.

In a form, nested fields are written in brackets: \`metadata[order]=INV-1\`, \`attachments[0][filename]=faktur.pdf\`.`;

const refusals: readonly OperationRefusal[] = [
  {
    code: 'recipient_malformed',
    text: 'The to field must be a valid email address.',
    errors: { to: ['The to field must be a valid email address.'] },
  },
  {
    code: 'validation_failed',
    text: 'The subject field is required. (and 1 more error)',
    errors: {
      subject: ['The subject field is required.'],
      'metadata.order': ['The metadata.order field must not be greater than 500 characters.'],
    },
  },
  fieldFault('Idempotency-Key', 'The Idempotency-Key header must have 8 to 100 characters.', 'idempotency key'),
  { code: 'domain_unknown' },
  { code: 'domain_inactive' },
  { code: 'from_email_mismatch', text: 'The from_email field must be an address at mail.tokomelati.example.' },
  { code: 'no_coins' },
  { code: 'recipient_suppressed' },
  { code: 'recipient_unsubscribed' },
];

const sendMessage: ListedOperation = {
  method: 'POST',
  path: '/messages',
  id: 'sendMessage',
  tag: 'Messages',
  summary: 'Send one email to one recipient',
  description: SENDING,
  headers: {
    'Idempotency-Key': {
      description:
        '8 to 100 characters, such as `order-INV-2026-0917`, per account, without expiry. A later request with the same key returns 200 with the message ' +
        'and status of the first; nothing is sent or deducted, and its body is ignored. After a 4xx the key may be used again.',
      schema: { type: 'string', minLength: 8, maxLength: 100 },
    },
  },
  fields: MESSAGE_FIELD_TEXTS,
  requests: {
    short: {
      to: 'siti@pelanggan.example',
      subject: 'Pesanan Anda dikirim',
      html: '<p>Halo {{nama|Kak}}, pesanan Anda sedang dikirim.</p>',
      sending_domain_id: DEMO.id,
    },
    'from a template': {
      to: 'siti@pelanggan.example',
      sending_domain_id: DEMO.id,
      template_id: 5,
      variables: { order_no: 'INV-2026-0917', tracking_url: 'https://tokomelati.example/lacak/INV-2026-0917' },
    },
    'many fields': {
      to: 'siti@pelanggan.example',
      subject: 'Faktur {{bisnis}}',
      html: '<p>Halo {{nama|Kak}}, faktur Anda terlampir.</p>',
      sending_domain_id: DEMO.id,
      from_email: `faktur@${DEMO.domain}`,
      from_name: 'Toko Melati',
      reply_to: 'halo@tokomelati.example',
      text: 'Halo {{nama|Kak}}, faktur Anda terlampir.',
      metadata: { order: 'INV-2026-0917', paid: true },
      attachments: [{ filename: 'faktur.txt', content: 'RmFrdHVyIElOVi0yMDI2LTA5MTc=', content_type: 'text/plain' }],
    },
  },
  answers: [
    { status: 201, description: 'Queued.', schema: acceptedAnswer },
    {
      status: 200,
      description: 'The Idempotency-Key was used before: the first message and its status now.',
      schema: acceptedAnswer,
      examples: { repeated: { message_id: MESSAGE_ID, status: 'delivered' } },
    },
  ],
  refusals,
};

const batched = {
  to: 'siti@pelanggan.example',
  subject: 'Pesanan Anda dikirim',
  html: '<p>Halo {{nama|Kak}}, pesanan Anda sedang dikirim.</p>',
  sending_domain_id: DEMO.id,
};

const sendBatch: ListedOperation = {
  method: 'POST',
  path: '/messages/batch',
  id: 'sendBatch',
  tag: 'Messages',
  summary: 'Send up to 500 emails',
  description:
    'Each message has the fields of `POST /messages` and is judged alone, by the same checks, penalties and warnings; a refused ' +
    'one does not stop the others. What is accepted is stored in one commit. It counts as one request.',
  headers: {
    'Idempotency-Key': {
      description:
        '8 to 100 characters, for the whole. A later request with the same key answers the ids of the first, by place; nothing ' +
        'is sent, deducted or judged again. When the first request accepted none, the key may be used again.',
      schema: { type: 'string', minLength: 8, maxLength: 100 },
    },
  },
  fields: { messages: '1 to 500 messages.' },
  requests: { two: { messages: [batched, { ...batched, to: 'budi@pelanggan.example' }] } },
  answers: [{ status: 200, description: 'A result for each message, in order.', schema: acceptedBatchAnswer }],
  refusals: [
    fieldFault('messages', 'The messages field must not have more than 500 items.'),
    fieldFault('Idempotency-Key', 'The Idempotency-Key header must have 8 to 100 characters.', 'idempotency key'),
  ],
};

const listMessages: ListedOperation = {
  method: 'GET',
  path: '/messages',
  id: 'listMessages',
  tag: 'Messages',
  summary: 'List messages, or check the status of up to 100',
  description:
    'Without `ids`: newest first, 50 per page; several filters apply together. With `ids`: those messages in the requested ' +
    'order; unknown and malformed ids are left out, repeated ids are returned once, and the other parameters are ignored.',
  fields: {
    ids: 'Up to 100 message ids, separated by commas.',
    to: 'Only messages to this address, or to the contact of this id, which may be deleted.',
    since: 'Only messages accepted at this time or later. Without a zone it is UTC; a date alone is its midnight.',
    until: 'Only messages accepted at this time or earlier, read as `since`.',
    ...LISTED_TEXTS,
    status: 'Only messages with this status.',
    page: 'From 1. A page after the last is empty.',
  },
  answers: [
    {
      status: 200,
      description: 'A page, or the requested messages.',
      schema: Joi.alternatives().try(messagePageAnswer, messageBatchAnswer),
      examples: { page: examplePage('/messages', item), ids: { data: [item] } },
    },
  ],
  refusals: [
    fieldFault('ids', 'The ids field must not have more than 100 items.'),
    fieldFault('to', 'The to field must be a valid email address or the id of a contact.'),
    fieldFault(
      'since',
      'The since field must be an ISO 8601 timestamp or date such as 2026-01-05T10:00:00Z or 2026-01-05.',
    ),
    fieldFault('channel', 'The channel field must be one of api, smtp, app.'),
    fieldFault('status', 'The status field must be one of queued, sending, sent_to_mta, delivered, bounced, failed.'),
    fieldFault('page', 'The page field must be at least 1.'),
  ],
};

const messageParameter: OperationParameter = {
  description: 'The message_id. Anything other than the UUID of a message of the account returns 404.',
  schema: { type: 'string', format: 'uuid' },
  example: MESSAGE_ID,
};

const showMessage: ListedOperation = {
  method: 'GET',
  path: '/messages/:id',
  id: 'showMessage',
  tag: 'Messages',
  summary: 'Show the status of a message',
  description: 'The status, the reason for a failure, the time of the hand-off, and the metadata it was sent with.',
  parameters: { id: messageParameter },
  answers: [
    {
      status: 200,
      description: 'The message.',
      schema: messageAnswer,
      examples: {
        delivered: {
          message_id: MESSAGE_ID,
          status: 'delivered',
          failed_reason: null,
          dispatched_at: '2026-09-22T03:15:07.412000Z',
          metadata: { order: 'INV-2026-0917' },
        },
        failed: {
          message_id: MESSAGE_ID,
          status: 'failed',
          failed_reason: texts.noCoins,
          dispatched_at: null,
          metadata: {},
        },
      },
    },
  ],
};

const cancelMessage: ListedOperation = {
  method: 'DELETE',
  path: '/messages/:id',
  id: 'cancelMessage',
  tag: 'Messages',
  summary: 'Cancel a message',
  description:
    'Takes back a message that waits for its first turn, such as one with send_at. It stays, as `failed`, and costs no coin. To ' +
    'cancel it again changes nothing.',
  parameters: { id: messageParameter },
  answers: [
    {
      status: 200,
      description: 'Cancelled.',
      schema: messageAnswer,
      examples: {
        cancelled: {
          message_id: MESSAGE_ID,
          status: 'failed',
          failed_reason: texts.cancelled,
          dispatched_at: null,
          send_at: '2026-09-23T01:00:00.000000Z',
          metadata: {},
        },
      },
    },
  ],
  refusals: [{ code: 'message_too_late' }],
};

export const messageOperations: readonly ListedOperation[] = [
  sendMessage,
  sendBatch,
  showMessage,
  cancelMessage,
  listMessages,
];
