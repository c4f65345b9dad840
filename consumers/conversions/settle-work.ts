import { LINKED_WITHIN } from '../../domain/conversions/attribution';
import { MINUTE, SECOND, type Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import { done, type EachTask } from '../due-work/due-work';

export interface SettleDeps {
  stores: Pick<Stores, 'conversions'>;
  clock: Clock;
  log: Pick<EventLog, 'behindSince'>;
}

/** Between two looks at a sale whose click may still be in the log, ms: a tenth of the time since its end. */
const LEAST_WAIT = 5 * SECOND;
const MAX_WAIT = 5 * MINUTE;

/**
 * Looks at each sale that still waits an hour after its receipt: it is linked now, or removed. After an outage its
 * click may be in the log and not stored yet. So none is removed while hits from before the end of its hour are still
 * to be handled.
 */
export function settleWork({ stores: { conversions }, log, clock }: SettleDeps): EachTask<'conversion'> {
  let look: Promise<number | null> | null = null;
  /** One look for all sales that ask at the same time. */
  const oldestHit = (): Promise<number | null> =>
    (look ??= log.behindSince('engagement').finally(() => {
      look = null;
    }));
  return {
    each: async ({ id }) => {
      if ((await conversions.link(id)) !== 'waiting') return done;
      const sale = await conversions.get(id);
      const oldest = await oldestHit();
      const end = (sale?.receivedAt ?? 0) + LINKED_WITHIN;
      if (sale && oldest !== null && oldest <= end) {
        const now = clock.now();
        const wait = Math.min(MAX_WAIT, Math.max(LEAST_WAIT, (now - end) / 10));
        return { kind: 'again', next: { dueAt: now + Math.round(wait) } };
      }
      await conversions.settle(id);
      return done;
    },
  };
}
