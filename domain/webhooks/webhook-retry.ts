import { nextAttemptAt, type DeliveryAttempt, type DeliveryState, type WebhookDelivery } from './webhook-delivery';

type Requeued = Pick<WebhookDelivery, 'state' | 'queuedAt' | 'allowed' | 'retryAt'>;
type Stored = Requeued & Pick<WebhookDelivery, 'attempts'>;

/**
 * A retry at `now` (ms): one more attempt beyond those it may make while it waits, or has made. A retry whose attempt
 * has not ended stands for those that are asked for meanwhile.
 */
export function askRetry(stored: Stored, now: number): Requeued {
  const { state, queuedAt, allowed, retryAt } = stored;
  if (state === 'waiting' && retryAt !== null) return { state, queuedAt, allowed, retryAt };
  return { ...askAgain(stored, 1, now), retryAt: now };
}

/** A replay at `now` (ms): so many attempts beyond those it may make while it waits, or has made. It ends a retry. */
export const askAgain = ({ state, allowed, attempts }: Stored, extra: number, now: number): Requeued => ({
  state: 'waiting',
  queuedAt: now,
  allowed: (state === 'waiting' ? allowed : attempts.length) + extra,
  retryAt: null,
});

/** When the next of the attempts that are no retries is due, ms: the first at once, the others after the one before. */
export function scheduledAt(
  { createdAt }: Pick<WebhookDelivery, 'createdAt'>,
  made: readonly DeliveryAttempt[],
): number {
  const own = made.filter(({ isRetry }) => !isRetry);
  const last = own.at(-1);
  return last ? nextAttemptAt(own.length, last.at) : createdAt;
}

/** True when the attempt that became due at `dueAt` (ms) is that of a retry, and not the next of the others. */
export function isRetryDue(delivery: WebhookDelivery, dueAt: number): boolean {
  const { retryAt, attempts, allowed } = delivery;
  if (retryAt === null || dueAt < retryAt) return false;
  return attempts.length + 1 >= allowed || scheduledAt(delivery, attempts) > retryAt;
}

/** What an attempt has made of a delivery, as it was decided before it was stored. Times are ms. */
interface Result {
  state: DeliveryState;
  nextAt: number | null;
  allowed: number;
  attempts: readonly DeliveryAttempt[];
}

/**
 * What becomes of a delivery after an attempt that began when it was `allowed` so many: if more were asked for
 * meanwhile, or a retry was, and it did not succeed, the next one is due at once.
 */
export function afterAttempt(
  result: Result,
  stored: Pick<WebhookDelivery, 'allowed' | 'queuedAt' | 'retryAt'> | null,
): Pick<Result, 'state' | 'nextAt'> & Pick<WebhookDelivery, 'retryAt'> {
  const { state, nextAt, attempts } = result;
  if (!stored || state === 'delivered') return { state, nextAt, retryAt: null };
  const retryAt = attempts.some(({ isRetry }) => isRetry) ? null : stored.retryAt;
  if (stored.allowed > result.allowed) return { state: 'waiting', nextAt: stored.queuedAt, retryAt };
  if (retryAt === null || state === 'cancelled') return { state, nextAt, retryAt: null };
  return { state: 'waiting', nextAt: retryAt, retryAt };
}
