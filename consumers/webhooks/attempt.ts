import { webhookSecretContext, type Webhook } from '../../domain/webhooks/webhook';
import { refusalOf, type DeliveryAttempt } from '../../domain/webhooks/webhook-delivery';
import { isRetryDue, scheduledAt } from '../../domain/webhooks/webhook-retry';
import type { Stores } from '../../stores/ports';
import type { AttemptClient } from '../../operations/webhooks/attempt-client';
import { eventPayload } from '../../operations/webhooks/event-payload';
import type { ClaimedDelivery } from './load-claimed';

export interface AttemptDeps {
  stores: Pick<Stores, 'deliveries' | 'messages' | 'signals'>;
  client: Pick<AttemptClient, 'attempt'>;
}

/** A claimed delivery with the webhook it goes to. */
export interface AttemptWork extends ClaimedDelivery {
  webhook: Webhook;
  workspace: { suspended: boolean } | null;
  signal: AbortSignal;
}

/**
 * Makes one attempt and stores its result. Null when no request was made, and when another worker has the delivery by
 * now.
 */
export async function attemptDelivery(
  { stores, client }: AttemptDeps,
  { task, delivery, message, webhook, workspace, signal }: AttemptWork,
): Promise<DeliveryAttempt | null> {
  const contactId = message?.contactId ?? null;
  if (!delivery || refusalOf(delivery, webhook, workspace) !== null) {
    const allowed = delivery?.allowed ?? 0;
    await stores.deliveries.finish(task, { state: 'cancelled', attempts: [], nextAt: null, allowed, contactId });
    return null;
  }
  const { id, allowed, attempts: before } = delivery;
  const { sent, ...result } = await client.attempt(
    task,
    {
      made: before.length,
      allowed,
      isRetry: isRetryDue(delivery, task.dueAt),
      nextAt: (attempts) => scheduledAt(delivery, [...before, ...attempts]),
    },
    async () => ({
      url: webhook.url,
      id,
      payload: await eventPayload(stores, delivery, message),
      secret: { sealed: webhook.secretSealed, context: webhookSecretContext(webhook) },
    }),
    signal,
  );
  const stored = await stores.deliveries.finish(task, { ...result, allowed, contactId });
  return stored ? sent : null;
}
