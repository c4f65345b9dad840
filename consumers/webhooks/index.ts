import { eventId, type MessageEvent } from '../../domain/webhooks/webhook-delivery';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { EventRecord } from '../../streams/record-values';
import { drop, ok } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';

export interface WebhooksDeps {
  stores: Pick<Stores, 'deliveries' | 'messages'>;
  clock: Clock;
  /** Called when deliveries may have become due. */
  wake: () => void;
}

/** Enough to share commits. */
const CONCURRENCY = 64;

/** Stores each event once, with a delivery for every webhook that selects it (docs/architecture.md#webhooks). */
export function createWebhooksConsumer({ stores, clock, wake }: WebhooksDeps): Consumer<'webhooks'> {
  return {
    group: 'webhooks',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => {
      // Another installation's event would go to the webhooks of our workspace with the same number.
      if ((await stores.messages.get(value.messageId))?.workspaceId !== value.workspaceId) return notInStore;
      if (!(await stores.deliveries.fanOut(toEvent(value), clock.now()))) return drop('already stored');
      wake();
      return ok;
    },
  };
}

/** The event of a record: the same for every repetition of it. */
export function toEvent({ workspaceId, messageId, event, occurredAt, link, reason, key }: EventRecord): MessageEvent {
  const facts = { messageId, event, occurredAt, reason: reason ?? null };
  return { ...facts, workspaceId, link: link ?? null, id: eventId({ ...facts, key }) };
}
