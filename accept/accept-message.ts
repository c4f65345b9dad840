import type { MessageStatus } from '../domain/message';
import { messageShape } from '../schemas/send-message';
import { normalize } from '../schemas/normalize';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import { isMalformed, refuseMalformed } from './check-address';
import { checkFields } from './check-fields';
import { checkSender } from './check-sender';
import { queueMessage } from './queue-message';
import { refuseAddressee } from './refuse-addressee';
import { Refusal } from './refusal';

/** `duplicate`: the idempotency key was used before; the message and status are the first one's. */
export type Accepted = { kind: 'accepted' | 'duplicate'; id: string; status: MessageStatus };

/**
 * Accepts a message or says why not: the checks of POST /messages in the order of the spec (section 4), the first that
 * fails answers. When this resolves the message, or the penalty of a refusal, is durable. Rejects when a store does.
 */
export async function acceptMessage(deps: AcceptDeps, request: AcceptRequest): Promise<Accepted | Refusal> {
  const { id: workspaceId } = request.workspace;
  const fields = normalize(messageShape, request.fields, request.source);

  const to = fields['to'];
  if (isMalformed(to)) return refuseMalformed(deps, workspaceId, to);

  const message = checkFields(fields);
  if (message instanceof Refusal) return message;

  const sender = await checkSender(deps.stores.domains, workspaceId, message);
  if (sender instanceof Refusal) return sender;

  const { id, addressHash, outcome } = await queueMessage(deps, request, { message, sender });
  if (outcome.kind === 'refused') return refuseAddressee(deps, workspaceId, addressHash, outcome.because);
  return outcome.kind === 'accepted' ? { kind: 'accepted', id, status: 'queued' } : outcome;
}
