import { HOUR, MINUTE } from '../../lib/clock';
import type { DestinationState } from './destination-state';
import type { PaceState } from './pace';

/**
 * The state of a destination that changed in the future, by a clock that was ahead, as of now; null when it is right.
 */
export function stateSetBack(state: DestinationState, now: number): DestinationState | null {
  const by = (state.why?.at ?? 0) - now;
  if (state.why === null || by <= 0) return null;
  return {
    ...state,
    factorUntil: state.factorUntil - by,
    stoppedUntil: state.stoppedUntil === null ? null : state.stoppedUntil - by,
    why: { ...state.why, at: now },
  };
}

/** A pace whose waiting mail asks again: nothing is planned, and what was given out counts as of now at most. */
export function clearedPace({ minuteAt, hourAt }: PaceState, now: number): PaceState {
  const planned = { transactional: 0, bulk: 0 };
  return { minuteAt: Math.min(minuteAt, now + MINUTE), hourAt: Math.min(hourAt, now + HOUR), planned };
}
