import { DAY, HOUR, MINUTE } from '../../lib/clock';

/**
 * Waits between the hand-off attempts of one message, from one minute up to one hour
 * (docs/architecture.md#the-fence-and-evidence).
 */
const MTA_DELAYS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR];

/** Time limit of one hand-off on the wire, ms: RFC 5321 section 4.5.3.2 asks for ten minutes after the final dot. */
export const HAND_OFF_LIMIT = 10 * MINUTE;

/** Temporary refusals are retried for at most three days (docs/contract.md#temporary-refusals). */
export const MTA_RETRY_LIMIT = 3 * DAY;

/**
 * The time of the next attempt after attempt `attempt` (1 = the first) was temporarily refused at `now`; null once
 * three days have passed since the first claim. The last attempt is made at the end of the three days.
 */
export function nextMtaAttempt(attempt: number, firstClaimedAt: number, now: number): number | null {
  const end = firstClaimedAt + MTA_RETRY_LIMIT;
  if (now >= end) return null;
  const delay = MTA_DELAYS[Math.min(attempt, MTA_DELAYS.length) - 1] ?? MINUTE;
  return Math.min(now + delay, end);
}

/** How long a dispatcher may hold a claimed message, ms; longer than the longest hand-off. */
export const HAND_OFF_LEASE = HAND_OFF_LIMIT + 2 * MINUTE;
