import { CONVERSION_WORK, LINKED_WITHIN } from '../../domain/conversions/attribution';
import { MINUTE, SECOND } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import { dueWork, type DueWork } from '../timers/tasks/due-work';
import { TimerWorker, type TimerWorkerDeps } from '../timers/timer-worker';

export interface SettleDeps extends TimerWorkerDeps {
  stores: Pick<Stores, 'conversions' | 'dueTasks'>;
  log: Pick<EventLog, 'behindSince'>;
}

/** Between two looks at a sale whose click may still be in the log, ms: a tenth of the time since its end. */
const LEAST_WAIT = 5 * SECOND;
const MOST_WAIT = 5 * MINUTE;

/**
 * Looks at each sale that still waits an hour after its receipt: it is linked now, or removed. After an outage its click
 * may be in the log and not stored yet. So none is removed while hits from before the end of its hour are still to be
 * handled.
 */
function settleWork({ stores: { conversions }, log, clock }: SettleDeps): DueWork {
  let look: Promise<number | null> | null = null;
  /** One look for all sales that ask at the same time. */
  const oldestHit = (): Promise<number | null> =>
    (look ??= log.behindSince('engagement').finally(() => {
      look = null;
    }));
  return {
    kind: CONVERSION_WORK,
    lease: 30 * SECOND,
    atOnce: 32,
    handle: async ({ id }) => {
      if ((await conversions.link(id)) !== 'waiting') return { kind: 'done' };
      const sale = await conversions.get(id);
      const oldest = await oldestHit();
      const end = (sale?.receivedAt ?? 0) + LINKED_WITHIN;
      if (sale && oldest !== null && oldest <= end) {
        const now = clock.now();
        const wait = Math.min(MOST_WAIT, Math.max(LEAST_WAIT, (now - end) / 10));
        return { kind: 'again', next: { dueAt: now + Math.round(wait) } };
      }
      await conversions.settle(id);
      return { kind: 'done' };
    },
  };
}

/** Ends the wait of sales for their clicks. Any number of processes may do so. */
export function createSettling(deps: SettleDeps): TimerWorker {
  const { stores } = deps;
  return new TimerWorker('conversions', [dueWork({ ...deps, dueTasks: stores.dueTasks }, settleWork(deps))], deps);
}
