import type { Message } from '../../domain/messages/message';
import { TEST_EVENT, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';

/** A claimed task with what it is about: no delivery when that is gone, no message for a test. */
export interface ClaimedDelivery {
  task: ClaimedTask;
  delivery: WebhookDelivery | null;
  message: Message | null;
}

/** Reads the deliveries of one claim together, and their messages together, since each read costs as much as all. */
export async function loadClaimed(
  { deliveries, messages }: Pick<Stores, 'deliveries' | 'messages'>,
  workspaceId: number,
  tasks: readonly ClaimedTask[],
): Promise<ClaimedDelivery[]> {
  if (tasks.length === 0) return [];
  const found = await deliveries.getMany(tasks.map(({ id }) => id));
  const ids = new Set(found.filter(({ event }) => event !== TEST_EVENT).map(({ messageId }) => messageId));
  const read = ids.size === 0 ? [] : await messages.getMany(workspaceId, [...ids]);
  for (const { id } of read) ids.delete(id);
  // A single read looks longer for a message that was not found: without it the payload would say `to: null`.
  const late = await Promise.all([...ids].map((id) => messages.get(id)));
  const deliveryOf = new Map(found.map((delivery) => [delivery.id, delivery]));
  const messageOf = new Map([...read, ...late].flatMap((message) => (message ? [[message.id, message]] : [])));
  return tasks.map((task) => {
    const delivery = deliveryOf.get(task.id) ?? null;
    return { task, delivery, message: (delivery && messageOf.get(delivery.messageId)) ?? null };
  });
}
