import type { MessageStatus } from '../domain/message';
import type { Acceptance, AcceptOutcome } from '../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import { checkSubmitted } from './check-submitted';
import { Penalties } from './penalties';
import { Refusal } from './refusal';
import { refuseRecipient } from './refuse-recipient';
import { toAcceptance } from './to-acceptance';

/** `duplicate`: the idempotency key was used before; the id and the status are those of the first message. */
export type Accepted = { kind: 'accepted' | 'duplicate'; id: string; status: MessageStatus };

/**
 * Accepts messages in one commit, or says why not. Returns one result per request, in the same order. Each request is
 * judged alone: a refused one or a duplicate does not stop the others. If two share an idempotency key, the second is a
 * duplicate of the first. A submitted message passes checks 1 to 3 first; a prepared one skips them. Checks 4 to 6
 * (coins, suppression, contact) are part of the commit (docs/contract.md#checks-in-order).
 *
 * Once this resolves, every accepted message and the penalty of every refusal are durable. Rejects when a store or the
 * log does; some messages may have been accepted by then, so a caller may repeat only those with an idempotency key.
 */
export async function acceptMessages(
  deps: AcceptDeps,
  requests: readonly AcceptRequest[],
): Promise<(Accepted | Refusal)[]> {
  const penalties = new Penalties(deps);
  const checked = await Promise.all(
    requests.map(async (request) => ('fields' in request ? checkSubmitted(deps, request, penalties) : request)),
  );
  const judged = checked.map((message) => (message instanceof Refusal ? message : toAcceptance(deps, message)));
  const acceptances = judged.filter((each): each is Acceptance => !(each instanceof Refusal));
  const outcomes = acceptances.length > 0 ? await deps.stores.messages.accept(acceptances) : [];
  let next = 0;
  const results = judged.map((each) => (each instanceof Refusal ? each : toResult(each, outcomes[next++]!, penalties)));
  await penalties.publish();
  return results;
}

function toResult(acceptance: Acceptance, outcome: AcceptOutcome, penalties: Penalties): Accepted | Refusal {
  if (outcome.kind === 'refused') return refuseRecipient(acceptance, outcome.because, penalties);
  return outcome.kind === 'accepted' ? { kind: 'accepted', id: acceptance.facts.id, status: 'queued' } : outcome;
}
