import { MINUTE } from '../../../lib/clock';
import { HAND_OFF_LEASE } from '../../../domain/retry-schedule';
import { redispatch } from '../redispatch';
import type { TimerTask } from '../timer-task';

/** A claim that was not handed over for so long has lost its record, or waits behind a slow server; a repeat is harmless. */
const CLAIM_PATIENCE = 2 * MINUTE;

/** Claims whose record was lost are handed to dispatch again, long before their lease ends. */
export function lostClaims(deps: Parameters<typeof redispatch>[0]): TimerTask {
  let sweptAt = 0;
  return {
    name: 'lost claims',
    run: async (now) => {
      if (now - sweptAt < CLAIM_PATIENCE) return false;
      await redispatch(deps, now - CLAIM_PATIENCE + HAND_OFF_LEASE);
      sweptAt = now;
      return false;
    },
  };
}
