import type { Workspace } from '../../../domain/workspace';
import { messageRules, messageShape } from '../../../schemas/send-message';
import { storedIdempotencyKey } from '../../../domain/stored-idempotency-key';
import { acceptMessage } from '../../../accept/accept-message';
import { Refusal } from '../../../accept/refusal';
import type { ApiDeps } from '../../deps';
import { presentAccepted } from '../../presenters/message';
import { route, type Answer } from '../../route';
import { readIdempotencyKey } from './idempotency-key';

/**
 * POST /messages: 201 with a new message, 200 with the first one of a repeated Idempotency-Key. That key is looked up
 * before the body is read: a repeat is a repeat whatever its body (DESIGN section 6). The rules of the body are applied by
 * the checks of acceptance, in their order.
 */
export const sendMessage = route({
  method: 'POST',
  path: '/messages',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: messageShape, rules: messageRules },
  async handle(deps, { workspace, headers, readBody }) {
    const key = readIdempotencyKey(headers['idempotency-key']);
    const idempotencyKey = key === null ? null : storedIdempotencyKey(deps.keyring, key);
    const first = key === null ? null : await findFirst(deps, workspace, [idempotencyKey, key]);
    if (first) return { status: 200, body: presentAccepted(first.id, first.status) };

    const { fields, source } = await readBody();
    const result = await acceptMessage(deps, { workspace, channel: 'api', fields, source, idempotencyKey });
    if (result instanceof Refusal) return refused(result);
    return { status: result.kind === 'accepted' ? 201 : 200, body: presentAccepted(result.id, result.status) };
  },
});

/** The message of a key, as it is kept, or as it was kept before addresses in keys were hashed: a key has no expiry. */
async function findFirst({ stores }: ApiDeps, { id }: Workspace, spellings: readonly (string | null)[]) {
  for (const key of new Set(spellings)) {
    const first = key === null ? null : await stores.messages.findByIdempotencyKey(id, key);
    if (first) return first;
  }
  return null;
}

function refused({ message, reason, errors }: Refusal): Answer {
  return { status: 422, body: { message, code: reason, ...(errors && { errors }) } };
}
