import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { MessageState } from './message';

/**
 * Waits between the hand-off attempts of one message, from one minute up to one hour
 * (docs/architecture.md#the-fence-and-evidence).
 */
const MTA_DELAYS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR];

/** The longest of these waits, ms. */
export const LONGEST_DELAY = HOUR;

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

/** How long a mail that may be sent again waits for evidence of its first hand-off, ms. */
const RESEND_WAIT = 15 * MINUTE;

/**
 * When a mail whose hand-off had no answer is sent again, where its workspace wants that: after a quarter of an hour,
 * as a server that has it reports sooner as a rule. Each further time it waits twice as long, or a server that never
 * answers would send it to its recipient all the time. Null once that is later than three days after the first claim.
 */
export function resendAt(
  { attempt, fencedAt, firstClaimedAt }: Pick<MessageState, 'attempt' | 'fencedAt' | 'firstClaimedAt'>,
  evidenceWait: number,
): number | null {
  if (fencedAt === null) return null;
  const at = fencedAt + Math.min(evidenceWait, RESEND_WAIT * 2 ** (attempt - 1));
  return at > (firstClaimedAt ?? fencedAt) + MTA_RETRY_LIMIT ? null : at;
}

/**
 * The deadline of an unanswered hand-off that passed the fence later than `now`, by a clock that was ahead, where it is
 * to be sent again: as long after now as it was after the fence, in whole seconds. Null for all others.
 */
export function resendSetBack(
  message: Pick<MessageState, 'attempt' | 'dueAt' | 'fencedAt' | 'firstClaimedAt'>,
  now: number,
  evidenceWait: number,
): number | null {
  const { dueAt, fencedAt } = message;
  if (dueAt === null || fencedAt === null || fencedAt <= now) return null;
  if (dueAt !== resendAt(message, evidenceWait)) return null;
  return dueAt - Math.ceil((fencedAt - now) / SECOND) * SECOND;
}
