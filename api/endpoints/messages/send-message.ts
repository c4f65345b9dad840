import { messageRules, messageShape } from '../../../schemas/messages/send-message';
import { messageWarnings } from '../../../schemas/messages/message-warnings';
import { unknownNames } from '../../../schemas/rules/unknown-fields';
import { storedIdempotencyKey } from '../../../domain/messages/stored-idempotency-key';
import { acceptMessage } from '../../../operations/messages/accept/accept-messages';
import { Refusal } from '../../../operations/messages/accept/refusal';
import { presentAccepted } from '../../../schemas/responses/present-message';
import { route } from '../../route';
import { readIdempotencyKey } from './idempotency-key';
import { presentRefusal } from './refused';

/**
 * POST /messages: 201 with a new message; for a repeated Idempotency-Key, 200 with the first message. The key is looked
 * up before the body is read: a repeat counts whatever its body (docs/contract.md#idempotency-key). The acceptance
 * checks apply the rules of the body, in their order.
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
    const first = idempotencyKey && (await deps.stores.messages.findByIdempotencyKey(workspace.id, idempotencyKey));
    if (first) return { status: 200, body: presentAccepted(first.id, first.status) };

    const { fields, source } = await readBody();
    const result = await acceptMessage(deps, { workspace, channel: 'api', fields, source, idempotencyKey });
    if (result instanceof Refusal) return presentRefusal(result);
    if (result.kind === 'duplicate') return { status: 200, body: presentAccepted(result.id, result.status) };
    const warnings = [...messageWarnings(unknownNames(messageShape, fields)), ...result.warnings];
    return { status: 201, body: presentAccepted(result.id, result.status, warnings) };
  },
});
