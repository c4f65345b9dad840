import { DAY, HOUR, MINUTE } from '../lib/clock';

/**
 * Waits between the hand-off attempts of one message: from a minute to hourly
 * (docs/architecture.md#the-fence-and-evidence).
 */
const MTA_DELAYS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR];

/** The longest one hand-off may take on the wire, ms: RFC 5321 section 4.5.3.2 asks for ten minutes after the final dot. */
export const HAND_OFF_LIMIT = 10 * MINUTE;

/** Temporary refusals are retried for three days at most (docs/contract.md#temporary-refusals). */
export const MTA_RETRY_LIMIT = 3 * DAY;

/**
 * When attempt `attempt` (1 = the first) was refused for now at `now`: the time of the next, or null when the three days since
 * the first claim are over. The last attempt falls on the end of the three days.
 */
export function nextMtaAttempt(attempt: number, firstClaimedAt: number, now: number): number | null {
  const end = firstClaimedAt + MTA_RETRY_LIMIT;
  if (now >= end) return null;
  const delay = MTA_DELAYS[Math.min(attempt, MTA_DELAYS.length) - 1] ?? MINUTE;
  return Math.min(now + delay, end);
}

/** How long a claimed message may be in the hands of a dispatcher, ms; longer than the longest hand-off. */
export const HAND_OFF_LEASE = HAND_OFF_LIMIT + 2 * MINUTE;
