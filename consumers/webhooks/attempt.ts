import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { Message } from '../../domain/messages/message';
import { webhookSecretContext, type Webhook } from '../../domain/webhooks/webhook';
import { refusalOf, type DeliveryAttempt, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import { isRetryDue, scheduledAt } from '../../domain/webhooks/webhook-retry';
import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { DeliveryResult } from '../../stores/ports/delivery-store';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import { eventPayload } from '../../commands/webhooks/event-payload';
import { signedHeaders } from '../../commands/webhooks/client/sign';
import type { WebhookSender } from '../../commands/webhooks/client/webhook-sender';
import type { ClaimedDelivery } from './load-claimed';

export interface AttemptDeps {
  stores: Pick<Stores, 'deliveries' | 'messages' | 'signals'>;
  keyring: Pick<Keyring, 'open'>;
  sender: Pick<WebhookSender, 'send'>;
  clock: Clock;
}

/** A claimed delivery with the webhook it goes to. */
export interface AttemptWork extends ClaimedDelivery {
  webhook: Webhook;
  workspace: { suspended: boolean } | null;
  signal: AbortSignal;
}

/** What came of an attempt: null when no request was made. */
export interface AttemptOutcome {
  success: boolean;
  at: number;
}

/** Why an attempt has no answer that a process died in. */
export const INTERRUPTED = 'The attempt was interrupted before its result was stored.';
/** The reason of an attempt that was ended early so that the clock could move. */
export const HURRIED = 'There was no answer within 2 seconds, and the clock was advanced.';

/**
 * Makes one attempt and stores its result. Attempts that a process died in were counted at their claim, and are written
 * down here. Null when no request was made, and when another worker has the delivery by now.
 */
export async function attemptDelivery(deps: AttemptDeps, work: AttemptWork): Promise<AttemptOutcome | null> {
  const { task, delivery, message, webhook, workspace } = work;
  const { deliveries } = deps.stores;
  const nothing = { attempts: [], nextAt: null, contactId: null, allowed: delivery?.allowed ?? 0 };
  if (!delivery || refusalOf(delivery, webhook, workspace) !== null) {
    await deliveries.finish(task, { ...nothing, state: 'cancelled' });
    return null;
  }
  const mark = isRetryDue(delivery, task.dueAt) ? ({ isRetry: true } as const) : {};
  const lost = lostAttempts(task, delivery).map((attempt) => ({ ...attempt, ...mark }));
  // A retry is one attempt, also when a process died in it.
  if (delivery.attempts.length + lost.length >= delivery.allowed || lost.some(({ isRetry }) => isRetry)) {
    await deliveries.finish(task, { ...resultOf(delivery, lost), contactId: null });
    return null;
  }
  const attempt = await send(deps, work, delivery, message);
  const result = resultOf(delivery, [...lost, { ...attempt, ...mark }]);
  const stored = await deliveries.finish(task, { ...result, contactId: message?.contactId ?? null });
  return stored ? { success: attempt.error === null, at: attempt.at } : null;
}

/** Attempts that were claimed and never stored. A claim beyond what is allowed made none. */
const lostAttempts = ({ attempt, dueAt }: ClaimedTask, { attempts, allowed }: WebhookDelivery): DeliveryAttempt[] =>
  Array.from({ length: Math.max(0, Math.min(attempt - 1, allowed) - attempts.length) }, () => ({
    at: dueAt,
    status: null,
    error: INTERRUPTED,
    durationMs: null,
    answer: null,
  }));

async function send(
  { stores, keyring, sender, clock }: AttemptDeps,
  { webhook, signal }: AttemptWork,
  delivery: WebhookDelivery,
  message: Message | null,
): Promise<DeliveryAttempt> {
  const body = Buffer.from(JSON.stringify(await eventPayload(stores, delivery, message)));
  const secret = keyring.open(webhook.secretSealed, webhookSecretContext(webhook));
  const at = clock.now();
  const headers = signedHeaders({ secret, id: delivery.id, at, body });
  const { status, error, durationMs, answer } = await sender.send({ url: webhook.url, headers, body, signal });
  if (signal.aborted && signal.reason !== HURRIED) throw new Error('The program stopped during the attempt.');
  const reason = signal.aborted && error !== null ? HURRIED : error;
  return { at, status, error: reason, durationMs, answer: answer === null ? null : maskAddresses(answer) };
}

function resultOf(delivery: WebhookDelivery, attempts: readonly DeliveryAttempt[]): Omit<DeliveryResult, 'contactId'> {
  const { allowed } = delivery;
  const made = [...delivery.attempts, ...attempts];
  if (attempts.at(-1)?.error === null) return { state: 'delivered', attempts, nextAt: null, allowed };
  if (made.length >= allowed) return { state: 'given_up', attempts, nextAt: null, allowed };
  return { state: 'waiting', attempts, nextAt: scheduledAt(delivery, made), allowed };
}
