import { MINUTE } from '../../../lib/clock';
import { HAND_OFF_LEASE } from '../../../domain/messages/retry-schedule';
import { redispatch } from '../redispatch';
import type { TimerTask } from '../timer-task';

/** A claim not handed over after this long has lost its record, or waits behind a slow server. A repeat is harmless. */
const CLAIM_PATIENCE = 2 * MINUTE;

/** Dispatches claims whose record was lost again, long before their lease ends. */
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
