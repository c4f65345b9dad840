import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessageStatus } from '../../domain/messages/message';
import type { Acceptance, AcceptOutcome } from '../../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import { checkSubmitted } from './check-submitted';
import { Penalties } from './penalties';
import { Refusal } from './refusal';
import { refuseRecipient } from './refuse-recipient';
import { toAcceptance } from './to-acceptance';

/** Requests that are checked without a pause for other work. */
const SLICE = 50;

/** `duplicate`: the idempotency key was used before; the id and the status are those of the first message. */
export interface Accepted {
  kind: 'accepted' | 'duplicate';
  id: string;
  status: MessageStatus;
  /** What the caller should look at in a mail that it sent just now. */
  warnings: readonly string[];
}

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
  const [first] = requests;
  // Nearly every call is for one message, which needs no slices.
  const judged =
    requests.length === 1 ? [await judge(deps, first!, penalties)] : await judgeAll(deps, requests, penalties);
  const acceptances = judged.flatMap((each) => (each instanceof Refusal ? [] : [each.acceptance]));
  const outcomes = acceptances.length > 0 ? await deps.stores.messages.accept(acceptances) : [];
  let next = 0;
  const results = judged.map((each) => (each instanceof Refusal ? each : toResult(each, outcomes[next++]!, penalties)));
  await penalties.publish();
  return results;
}

type Judged = Refusal | { acceptance: Acceptance; warnings: readonly string[] };

async function judgeAll(deps: AcceptDeps, requests: readonly AcceptRequest[], penalties: Penalties): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let at = 0; at < requests.length; at += SLICE) {
    // A whole batch takes longer than anybody else should wait.
    if (at > 0) await nextTurn();
    const slice = requests.slice(at, at + SLICE).map((request) => judge(deps, request, penalties));
    judged.push(...(await Promise.all(slice)));
  }
  return judged;
}

/** Refuses a request, or makes its acceptance. */
async function judge(deps: AcceptDeps, request: AcceptRequest, penalties: Penalties): Promise<Judged> {
  const message = 'fields' in request ? await checkSubmitted(deps, request, penalties) : request;
  if (message instanceof Refusal) return message;
  return { acceptance: toAcceptance(deps, message), warnings: message.warnings ?? [] };
}

function toResult(
  { acceptance, warnings }: Exclude<Judged, Refusal>,
  outcome: AcceptOutcome,
  penalties: Penalties,
): Accepted | Refusal {
  if (outcome.kind === 'refused') return refuseRecipient(acceptance, outcome.because, penalties);
  if (outcome.kind === 'duplicate') return { ...outcome, warnings: [] };
  return { kind: 'accepted', id: acceptance.facts.id, status: 'queued', warnings };
}
