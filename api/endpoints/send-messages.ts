import { inEnglish } from '../../schemas/rules/validation-messages';
import { storedIdempotencyKey } from '../../domain/messages/stored-idempotency-key';
import type { Workspace } from '../../domain/settings/workspace';
import { acceptMessage, type Accepted } from '../../operations/messages/accept/accept-messages';
import type { AcceptRequest } from '../../operations/messages/accept/accept-request';
import { acceptWhole } from '../../operations/messages/accept/accept-whole';
import { Refusal, type RefusalReason } from '../../operations/messages/accept/refusal';
import { MAX_BATCH, messageBatchRules, messageBatchShape, wholeBatchRules } from '../../schemas/messages/message-batch';
import { messageWarnings } from '../../schemas/messages/message-warnings';
import { MESSAGE_FIELD_TEXTS, messageRules, messageShape } from '../../schemas/messages/send-message';
import type { ValueOf } from '../../schemas/responses/closed';
import { acceptedAnswer, acceptedBatchAnswer, presentAccepted } from '../../schemas/responses/message';
import { listed, normalize } from '../../schemas/rules/normalize';
import { validate } from '../../schemas/rules/rules';
import { unknownNames } from '../../schemas/rules/unknown-fields';
import type { ApiDeps } from '../deps';
import { ERRORS, invalidFields, type ErrorBody, type ErrorCode } from '../errors';
import type { RequestBody } from '../http/read-body';
import { readIdempotencyKey } from '../idempotency-key';
import { fieldFault, type OperationRefusal } from '../openapi/operation';
import { Answer, resource } from '../route';

const route = resource({ tag: 'Messages', scope: 'send_email' });

const MESSAGE_ID = '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21';
/** The transactional domain of the demo workspace, so that the examples work as they are after a first start. */
const DEMO = { id: 2, domain: 'notify.kurir.test' };

/** The error code of each refusal; `ERRORS` gives its status. */
const CODES: Record<RefusalReason, ErrorCode> = {
  malformed_address: 'recipient_malformed',
  invalid_fields: 'validation_failed',
  unknown_domain: 'domain_unknown',
  inactive_domain: 'domain_inactive',
  foreign_from_email: 'from_email_mismatch',
  no_coins: 'no_coins',
  suppressed: 'recipient_suppressed',
  unsubscribed: 'recipient_unsubscribed',
  // Of journeys only.
  stale_step: 'recipient_unsubscribed',
};

/** The answer for a message that was not accepted. */
function refusedAnswer({ message, reason, errors }: Refusal): Answer<never> & { body: ErrorBody } {
  const code = CODES[reason];
  return new Answer<never>(ERRORS[code].status, { message, code, ...(errors && { errors: inEnglish(errors) }) });
}

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

const batched = {
  to: 'siti@pelanggan.example',
  subject: 'Pesanan Anda dikirim',
  html: '<p>Halo {{nama|Kak}}, pesanan Anda sedang dikirim.</p>',
  sending_domain_id: DEMO.id,
};

/** The messages of a batch as they came. ApiError 422 for a fault of the whole. */
function readItems({ fields, source }: RequestBody): { items: readonly unknown[]; source: RequestBody['source'] } {
  const whole = validate(wholeBatchRules, normalize(messageBatchShape, fields, source));
  if (!whole.ok) throw invalidFields(whole.errors);
  const { messages } = fields as { messages: unknown };
  return { items: (source === 'form' ? listed(messages) : messages) as unknown[], source };
}

const isFields = (item: unknown): item is object => typeof item === 'object' && item !== null && !Array.isArray(item);

/** The key of each place that a batch may have: the first use may have had more messages than this one. */
const placeKeys = (hash: string): string[] => Array.from({ length: MAX_BATCH }, (_, n) => `batch:${hash}:${n}`);

/** The messages that the first use of a key made, by place; null where it made none. */
async function findFirsts({ stores }: ApiDeps, { id }: Workspace, keys: readonly string[]) {
  return Promise.all(keys.map((key) => stores.messages.findByIdempotencyKey(id, key)));
}

type BatchResult = ValueOf<typeof acceptedBatchAnswer>['data'][number];

function refusedResult(result: Refusal): BatchResult {
  const { status, body } = refusedAnswer(result);
  return { status_code: status, ...body };
}

const NO_FIELDS = refusedResult(new Refusal('invalid_fields', 'The message must be an object.'));
const REFUSED_BEFORE = {
  status_code: 422,
  message: 'Refused when this Idempotency-Key was first used.',
  code: 'refused_before',
};

const repeated = (first: Pick<Accepted, 'id' | 'status'> | null): BatchResult =>
  first ? presentAccepted(first.id, first.status) : REFUSED_BEFORE;

function resultOf(result: Accepted | Refusal, fields: object): BatchResult {
  if (result instanceof Refusal) return refusedResult(result);
  const names = result.kind === 'accepted' ? unknownNames(messageShape, fields) : [];
  return presentAccepted(result.id, result.status, [...messageWarnings(names), ...result.warnings]);
}

/** One email or many, queued (docs/contract.md#send-a-message). */
export const sending = [
  // The key is looked up before the body is read: a repeat counts whatever its body (docs/contract.md#idempotency-key).
  // The acceptance checks apply the rules of the body, in their order.
  route('POST /messages', {
    id: 'sendMessage',
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
    body: { shape: messageShape, rules: messageRules },
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
        description: 'The Idempotency-Key was used before: the first message and its current status.',
        schema: acceptedAnswer,
        examples: { repeated: { message_id: MESSAGE_ID, status: 'delivered' } },
      },
    ],
    refusals,
    async handle(deps, { workspace, headers, readBody }) {
      const key = readIdempotencyKey(headers['idempotency-key']);
      const idempotencyKey = key === null ? null : storedIdempotencyKey(deps.keyring, key);
      const first = idempotencyKey && (await deps.stores.messages.findByIdempotencyKey(workspace.id, idempotencyKey));
      if (first) return new Answer(200, presentAccepted(first.id, first.status));

      const { fields, source } = await readBody();
      const result = await acceptMessage(deps, { workspace, channel: 'api', fields, source, idempotencyKey });
      if (result instanceof Refusal) return refusedAnswer(result);
      if (result.kind === 'duplicate') return new Answer(200, presentAccepted(result.id, result.status));
      const warnings = [...messageWarnings(unknownNames(messageShape, fields)), ...result.warnings];
      return presentAccepted(result.id, result.status, warnings);
    },
  }),

  // Each message is judged alone, all in one commit (docs/contract.md#batch-of-messages).
  route('POST /messages/batch', {
    id: 'sendBatch',
    summary: 'Send up to 500 emails',
    description:
      'Each message has the fields of `POST /messages` and is checked on its own, with the same penalties and warnings; a refused ' +
      'one does not stop the others. Accepted messages are stored in one commit. The batch counts as one request.',
    headers: {
      'Idempotency-Key': {
        description:
          '8 to 100 characters, for the whole batch. A later request with the same key returns the ids of the first, in the same order; nothing ' +
          'is sent, charged or checked again. If the first request accepted no message, the key can be used again.',
        schema: { type: 'string', minLength: 8, maxLength: 100 },
      },
    },
    body: { shape: messageBatchShape, rules: messageBatchRules },
    fields: { messages: '1 to 500 messages.' },
    requests: { two: { messages: [batched, { ...batched, to: 'budi@pelanggan.example' }] } },
    answers: [{ status: 200, description: 'A result for each message, in order.', schema: acceptedBatchAnswer }],
    refusals: [
      fieldFault('messages', 'The messages field must not have more than 500 items.'),
      fieldFault('Idempotency-Key', 'The Idempotency-Key header must have 8 to 100 characters.', 'idempotency key'),
    ],
    async handle(deps, { workspace, headers, readBody }) {
      const key = readIdempotencyKey(headers['idempotency-key']);
      const { items, source } = readItems(await readBody());
      const keys = key === null ? [] : placeKeys(deps.keyring.hash('callers-keys', key));
      const firsts = await findFirsts(deps, workspace, keys);
      if (firsts.some((first) => first !== null)) return { data: firsts.slice(0, items.length).map(repeated) };

      const requests = items.map((fields, n): AcceptRequest | null =>
        isFields(fields) ? { workspace, channel: 'api', fields, source, idempotencyKey: keys[n] ?? null } : null,
      );
      const results = await acceptWhole(
        deps,
        requests.filter((request) => request !== null),
      );
      let next = 0;
      const resultAt = (n: number): BatchResult => resultOf(results[next++]!, items[n] as object);
      return { data: requests.map((request, n) => (request ? resultAt(n) : NO_FIELDS)) };
    },
  }),
];
