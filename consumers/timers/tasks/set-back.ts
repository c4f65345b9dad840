import { settleEntries } from '../../../operations/ledger/settle-entries';
import { HAND_OFF_LEASE, LONGEST_DELAY } from '../../../domain/messages/retry-schedule';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import type { Stores } from '../../../stores/ports';
import type { LongestWaits } from '../../../stores/ports/set-back';
import { LONGEST_TASKS } from '../../../schemas/due-work/table';
import type { TimerTask } from '../timer-task';

export interface SetBackDeps {
  stores: Pick<Stores, 'setBack' | 'leases' | 'records'>;
  logger: Pick<Logger, 'warn'>;
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
}

/** No lease is taken for longer, and the clocks of two processes may differ by half a minute. */
const LEASE = MINUTE + 30 * SECOND;
/** Another process may notice a little later that its clock was ahead, and write until then. */
const ONCE_MORE = MINUTE;

/**
 * Brings back what a clock that was ahead has written (docs/architecture.md#the-clock): at the start, and when the
 * clock was set back. That it was ahead before the start is told by a lease that ends too late.
 */
export function settleSetBack({ stores, logger, evidenceWait }: SetBackDeps): TimerTask {
  let seen = -Infinity;
  let wasSetBack = false;
  /** When to settle, in order, ms. */
  let due = [-Infinity];
  return {
    name: 'what a clock that was ahead has left',
    run: async (now) => {
      if (now < seen) {
        wasSetBack = true;
        due = [now, now + ONCE_MORE];
      }
      seen = now;
      if (due[0] === undefined || due[0] > now) return false;
      const wasAhead = wasSetBack || (await stores.leases.list()).some(({ expiresAt }) => expiresAt > now + LEASE);
      const settled = await settle(stores, waitsAt(now, evidenceWait, wasAhead));
      due.shift();
      wasSetBack = due.length > 0;
      if (wasAhead)
        logger.warn({ settled }, 'the clock of this machine was ahead: deadlines that it had set were moved back');
      return false;
    },
  };
}

async function settle({ setBack, records }: SetBackDeps['stores'], waits: LongestWaits): Promise<number> {
  const entries = waits.wasAhead ? await settleEntries(records, waits.now) : 0;
  return entries + (await setBack.settle(waits));
}

const waitsAt = (now: number, evidence: number, wasAhead: boolean): LongestWaits => ({
  now,
  evidence,
  wasAhead,
  retry: LONGEST_DELAY,
  handOff: HAND_OFF_LEASE,
  lease: LEASE,
  tasks: LONGEST_TASKS,
});
