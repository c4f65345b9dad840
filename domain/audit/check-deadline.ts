import { DAY, MINUTE, SECOND } from '../../lib/clock';
import { HAND_OFF_LEASE, nextMtaAttempt } from '../retry-schedule';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/** A deadline may be late by this while the service runs, ms: the timers look each second, and a lease is written ahead. */
export const OVERDUE_GRACE = 5 * MINUTE;

/** The longest wait for evidence that an operator may choose, ms. */
export const LONGEST_EVIDENCE_WAIT = 365 * DAY;

/**
 * The owner and the deadline of a message (docs/architecture.md#timers): the throttle and the next turn of a queued
 * one, the dispatcher and the end of its lease before the fence, the timers and the end of the wait for evidence after
 * it; none for a final one.
 */
export function checkDeadline(record: MessageRecord): readonly Difference[] {
  const { id, status, dueAt } = record.message;
  const since = waitsSince(record);
  if (since !== null) return checkWait(record, since);
  const allowed = turnsOf(record);
  if (allowed ? allowed.includes(dueAt) : dueAt !== null) return NO_DIFFERENCE;
  const expected = allowed ? allowed.map(showTime).join(' or ') : 'a deadline';
  return unless(false, 'deadline', id, `${status} until ${expected}`, `${status} until ${showTime(dueAt)}`);
}

/** When the wait for evidence of a message began: with the word of the hand-off, or else with the fence. Null: it does not wait. */
function waitsSince({ message: { status, unknown, fencedAt }, history }: MessageRecord): number | null {
  if (status === 'sending' && unknown) return fencedAt;
  return status === 'sent_to_mta' ? (history.findLast((move) => move.status === status)?.at ?? null) : null;
}

/**
 * How long was waited for is the operator's choice of that time (KURIR_EVIDENCE_WAIT) and nowhere kept: so any length will do
 * that may be chosen, which is of whole seconds.
 */
function checkWait({ message: { id, status, dueAt } }: MessageRecord, since: number): readonly Difference[] {
  const wait = dueAt === null ? NaN : dueAt - since;
  if (wait >= SECOND && wait <= LONGEST_EVIDENCE_WAIT && wait % SECOND === 0) return NO_DIFFERENCE;
  const last = showTime(since + LONGEST_EVIDENCE_WAIT);
  const expected = `${status} until whole seconds after ${showTime(since)}, ${last} at the latest`;
  return unless(false, 'deadline', id, expected, `${status} until ${showTime(dueAt)}`);
}

/** The times the next turn or the deadline may have; null where what it follows from is gone, which other rules name. */
function turnsOf({ message, attempts }: MessageRecord): (number | null)[] | null {
  const last = attempts.at(-1);
  switch (message.status) {
    case 'queued':
      return last ? turnsAfter(message, last) : [message.createdAt];
    case 'sending':
      return message.unknown || !last ? null : [last.claimedAt + HAND_OFF_LEASE];
    case 'sent_to_mta':
      return null;
    default:
      return [null];
  }
}

/** After a refusal the schedule of retries; at once, but for a second, when the hand-off was only interrupted. */
function turnsAfter(message: MessageRecord['message'], last: MessageRecord['attempts'][number]): (number | null)[] {
  if (last.finishedAt === null) return [];
  const next = nextMtaAttempt(last.n, message.firstClaimedAt ?? last.finishedAt, last.finishedAt);
  return [next, last.outcome === 'not_sent' ? last.finishedAt + SECOND : next].filter((at) => at !== null);
}

/**
 * A deadline that passed while the service ran: `alive` (ms, null = it never ran) is a time it had reached by its own clock.
 * Null when there is none. A queued message waits for its rate and its day, so that its turn may pass; its attachments' may not.
 */
export function findOverdue(message: MessageRecord['message'], alive: number | null): Difference | null {
  const { id, status, dueAt, attachmentsUntil } = message;
  if (alive === null) return null;
  const deadline =
    status === 'queued' ? attachmentsUntil : status === 'sending' || status === 'sent_to_mta' ? dueAt : null;
  if (deadline === null || deadline + OVERDUE_GRACE >= alive) return null;
  const what = status === 'queued' ? 'queued with attachments' : status;
  return {
    rule: 'overdue',
    subject: id,
    expected: `no longer ${what} after ${showTime(deadline)}`,
    found: `${what} at ${showTime(alive)}`,
  };
}
