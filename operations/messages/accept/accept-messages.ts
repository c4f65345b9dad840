import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessageStatus } from '../../../domain/messages/message';
import type { Acceptance, AcceptOutcome } from '../../../stores/ports/message-store';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest, PreparedMessage } from './accept-request';
import { checkSubmitted } from './check-submitted';
import { Penalties } from './penalties';
import { Refusal, type Checked } from './refusal';
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

/** Accepts one message, as `acceptMessages` does. */
export async function acceptMessage(deps: AcceptDeps, request: AcceptRequest): Promise<Accepted | Refusal> {
  const penalties = new Penalties(deps);
  const judged = judge(deps, await prepare(deps, request, penalties));
  let result: Accepted | Refusal;
  if (judged instanceof Refusal) result = judged;
  else {
    const [outcome] = await deps.stores.messages.accept([judged.acceptance]);
    result = toResult(judged, outcome!, penalties);
  }
  await penalties.publish();
  return result;
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
  const judged = await judgeAll(deps, requests, penalties);
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
    const slice = requests
      .slice(at, at + SLICE)
      .map(async (request) => judge(deps, await prepare(deps, request, penalties)));
    judged.push(...(await Promise.all(slice)));
  }
  return judged;
}

type Prepared = Checked<PreparedMessage>;

const prepare = (deps: AcceptDeps, request: AcceptRequest, penalties: Penalties): Prepared | Promise<Prepared> =>
  'fields' in request ? checkSubmitted(deps, request, penalties) : request;

/** Makes the acceptance of a message that was not refused. */
const judge = (deps: AcceptDeps, message: Prepared): Judged =>
  message instanceof Refusal ? message : { acceptance: toAcceptance(deps, message), warnings: message.warnings ?? [] };

function toResult(
  { acceptance, warnings }: Exclude<Judged, Refusal>,
  outcome: AcceptOutcome,
  penalties: Penalties,
): Accepted | Refusal {
  if (outcome.kind === 'refused') return refuseRecipient(acceptance, outcome.reason, penalties);
  if (outcome.kind === 'duplicate') return { ...outcome, warnings: [] };
  return { kind: 'accepted', id: acceptance.facts.id, status: 'queued', warnings };
}
