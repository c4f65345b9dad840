import type { AcceptRequest } from '../../../operations/messages/accept/accept-request';
import type { Accepted } from '../../../operations/messages/accept/accept-messages';
import { acceptWhole } from '../../../operations/messages/accept/accept-whole';
import { Refusal } from '../../../operations/messages/accept/refusal';
import type { Workspace } from '../../../domain/settings/workspace';
import {
  MAX_BATCH,
  messageBatchRules,
  messageBatchShape,
  wholeBatchRules,
} from '../../../schemas/messages/message-batch';
import { messageWarnings } from '../../../schemas/messages/message-warnings';
import { listed, normalize } from '../../../schemas/rules/normalize';
import { validate } from '../../../schemas/rules/rules';
import { messageShape } from '../../../schemas/messages/send-message';
import { unknownNames } from '../../../schemas/rules/unknown-fields';
import type { ApiDeps } from '../../deps';
import { invalidFields } from '../../errors';
import type { RequestBody } from '../../http/read-body';
import { presentAccepted } from '../../../schemas/responses/present-message';
import { route } from '../../route';
import { readIdempotencyKey } from './idempotency-key';
import { presentRefusal } from './refused';

/**
 * POST /messages/batch: up to 500 messages, each judged alone, in one commit. 200 with a result for each, in order. A
 * repeated Idempotency-Key answers the messages of its first use (docs/contract.md#batch-of-messages).
 */
export const sendBatch = route({
  method: 'POST',
  path: '/messages/batch',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: messageBatchShape, rules: messageBatchRules },
  async handle(deps, { workspace, headers, readBody }) {
    const key = readIdempotencyKey(headers['idempotency-key']);
    const { items, source } = readItems(await readBody());
    const keys = key === null ? [] : placeKeys(deps.keyring.hash('callers-keys', key));
    const firsts = await findFirsts(deps, workspace, keys);
    if (firsts.some((first) => first !== null)) {
      return { status: 200, body: { data: firsts.slice(0, items.length).map(repeated) } };
    }

    const requests = items.map((fields, n): AcceptRequest | null =>
      isFields(fields) ? { workspace, channel: 'api', fields, source, idempotencyKey: keys[n] ?? null } : null,
    );
    const results = await acceptWhole(
      deps,
      requests.filter((request) => request !== null),
    );
    let next = 0;
    const data = requests.map((request, n) => (request ? present(results[next++]!, items[n] as object) : NO_FIELDS));
    return { status: 200, body: { data } };
  },
});

/** The messages as they came. ApiError 422 for a fault of the whole. */
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

const refusal = (result: Refusal): object => {
  const { status, body } = presentRefusal(result);
  return { status_code: status, ...body };
};

const NO_FIELDS = refusal(new Refusal('invalid_fields', 'The message must be an object.'));
const REFUSED_BEFORE = {
  status_code: 422,
  message: 'Refused when this Idempotency-Key was first used.',
  code: 'refused_before',
};

const repeated = (first: Pick<Accepted, 'id' | 'status'> | null): object =>
  first ? presentAccepted(first.id, first.status) : REFUSED_BEFORE;

function present(result: Accepted | Refusal, fields: object): object {
  if (result instanceof Refusal) return refusal(result);
  const names = result.kind === 'accepted' ? unknownNames(messageShape, fields) : [];
  const warnings = [...messageWarnings(names), ...result.warnings];
  return presentAccepted(result.id, result.status, warnings);
}
