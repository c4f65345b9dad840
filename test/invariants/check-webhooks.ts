import { WEBHOOK_WORK, type WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import { SECOND } from '../../lib/clock';
import type { Rig } from './rig';

/** The waits from one attempt to the next, ms (docs/contract.md#webhook-delivery). */
const WAITS = [30, 60, 90, 120].map((seconds) => seconds * SECOND);
const MOST = 5;
/** The shortest time until the attempt of a process that died is made again, ms. */
const LEASE = 30 * SECOND;

/** What does not hold of the webhooks once the installation is idle: I10, I11 and I15. */
export async function aboutWebhooks(rig: Rig): Promise<string[]> {
  const { hooks, stores } = rig;
  const found = [...hooks.contradictions];
  if ((await stores.dueTasks.nextDue(WEBHOOK_WORK)) !== null) found.push('I2: a webhook delivery still waits');
  for (const { id } of hooks.known) {
    if (id === null) continue;
    const { items } = await stores.deliveries.list(id, { offset: 0, limit: 10_000 });
    for (const delivery of items) found.push(...aboutDelivery(rig, delivery));
  }
  return found;
}

function aboutDelivery({ hooks }: Rig, { id, state, attempts }: WebhookDelivery): string[] {
  const begun = hooks.begun.get(id) ?? [];
  const found: string[] = [];
  if (state === 'waiting') found.push(`I2: ${id} still waits`);
  if (state === 'delivered' && !hooks.taken.has(id)) found.push(`I10: ${id} is delivered and was never taken`);
  if (Math.max(attempts.length, begun.length) > MOST) {
    found.push(`I10: ${id} has ${attempts.length} attempts and was sent ${begun.length} times`);
  }
  // A cancelled delivery takes no result, so an attempt that a process died in is not written down.
  if (state !== 'cancelled' && begun.length > attempts.length) {
    found.push(`I10: ${id} was sent ${begun.length} times and counts ${attempts.length}`);
  }
  if (begun.some((at, n) => n > 0 && at - begun[n - 1]! < LEASE)) {
    found.push(`I10: ${id} was sent at ${begun.join(', ')}`);
  }
  attempts.forEach(({ at, durationMs }, n) => {
    const next = attempts[n + 1];
    // Of an attempt that a process died in, only the due time is known.
    if (next && durationMs !== null && next.at - at < WAITS[n]!) {
      found.push(`I10: attempt ${n + 2} of ${id} followed ${(next.at - at) / SECOND} s after attempt ${n + 1}`);
    }
  });
  return found;
}
