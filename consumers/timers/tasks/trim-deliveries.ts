import { DAY, HOUR } from '../../../lib/clock';
import type { DeliveryStore } from '../../../stores/ports/delivery-store';
import type { TimerTask } from '../timer-task';

const TRIM_EVERY = HOUR;
const PAGE = 1_000;
/** Events outlive their records in the log, so that a repeated record is known. The feed promises seven days. */
export const EVENTS_KEPT = 8 * DAY;

/** Deletes old events and deliveries; `kept` is how long deliveries are kept, ms. */
export function trimDeliveries(deliveries: Pick<DeliveryStore, 'trim'>, kept: number): TimerTask {
  let trimmedAt = 0;
  return {
    name: 'trimming webhook deliveries',
    run: async (now) => {
      if (now - trimmedAt < TRIM_EVERY) return false;
      if ((await deliveries.trim({ events: now - EVENTS_KEPT, deliveries: now - kept }, PAGE)) > 0) return true;
      trimmedAt = now;
      return false;
    },
  };
}
