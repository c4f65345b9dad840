import { DAY, MINUTE, SECOND } from '../../lib/clock';
import { HOLD } from '../campaigns/campaign-run';
import { firstDue } from '../messages/message';
import { HAND_OFF_LEASE, nextMtaAttempt } from '../messages/retry-schedule';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/**
 * How late a deadline may be while the service runs, ms: the timers check every second, and a lease is written ahead.
 */
export const OVERDUE_GRACE = 5 * MINUTE;

/** The longest wait for evidence an operator may configure, ms. */
export const LONGEST_EVIDENCE_WAIT = 365 * DAY;

/**
 * Checks the owner and the deadline of a message (docs/architecture.md#timers). Queued: the throttle and the next
 * attempt. Before the fence: the dispatcher and the end of its lease. After it: the timers and the end of the wait for
 * evidence. Final: none.
 */
export function checkDeadline(record: MessageRecord): readonly Difference[] {
  const { id, status, dueAt } = record.message;
  const since = waitsSince(record);
  if (since !== null) return checkWait(record, since);
  const allowed = turnsOf(record);
  if (allowed ? isAllowed(record, allowed) || wasSetBack(record) : dueAt !== null) return NO_DIFFERENCE;
  const expected = allowed ? allowed.map(showTime).join(' or ') : 'a deadline';
  return unless(false, 'deadline', id, `${status} until ${expected}`, `${status} until ${showTime(dueAt)}`);
}

/** Mail that waited for its destination goes later than its turn (docs/architecture.md#pacing-by-destination). */
function isAllowed(record: MessageRecord, allowed: readonly (number | null)[]): boolean {
  const turn = turnWithoutHold(record);
  if (allowed.includes(turn)) return true;
  const { status, heldFor } = record.message;
  return status === 'queued' && heldFor !== null && turn !== null && allowed.some((at) => at !== null && turn > at);
}

/**
 * Due before what it follows from: a clock that was ahead wrote that, and the due time was set back when the clock was
 * (docs/architecture.md#the-clock).
 */
function wasSetBack(record: MessageRecord): boolean {
  const { message, attempts } = record;
  if (message.status !== 'queued' && message.status !== 'sending') return false;
  const last = attempts.at(-1);
  const from = last ? (message.status === 'queued' ? last.finishedAt : last.claimedAt) : message.createdAt;
  const turn = turnWithoutHold(record);
  return turn !== null && from !== null && turn < from;
}

/** The due time that a message of a paused campaign gets back when it goes on. */
function turnWithoutHold({ message: { status, lane, dueAt } }: MessageRecord): number | null {
  const isHeld = status === 'queued' && lane === 'campaign' && dueAt !== null && dueAt >= HOLD;
  return isHeld ? dueAt - HOLD : dueAt;
}

/**
 * When the wait for evidence began: at the hand-off's report, or else at the fence. Null: the message does not wait.
 */
function waitsSince({ message: { status, unknown, fencedAt }, history }: MessageRecord): number | null {
  if (status === 'sending' && unknown) return fencedAt;
  return status === 'sent_to_mta' ? (history.findLast((move) => move.status === status)?.at ?? null) : null;
}

/**
 * The length of the wait was the operator's setting at that time (KURIR_EVIDENCE_WAIT) and is not stored, so any
 * configurable length in whole seconds is accepted.
 */
function checkWait({ message: { id, status, dueAt } }: MessageRecord, since: number): readonly Difference[] {
  const wait = dueAt === null ? NaN : dueAt - since;
  // Negative: a clock that was ahead wrote when the wait began, and the deadline was set back.
  if (wait !== 0 && wait <= LONGEST_EVIDENCE_WAIT && wait % SECOND === 0) return NO_DIFFERENCE;
  const last = showTime(since + LONGEST_EVIDENCE_WAIT);
  const expected = `${status} until whole seconds after ${showTime(since)}, ${last} at the latest`;
  return unless(false, 'deadline', id, expected, `${status} until ${showTime(dueAt)}`);
}

/**
 * The allowed times of the next attempt or deadline; null when the data they follow from is missing, which other rules
 * report.
 */
function turnsOf({ message, attempts }: MessageRecord): (number | null)[] | null {
  const last = attempts.at(-1);
  switch (message.status) {
    case 'queued':
      return last ? turnsAfter(message, last) : [firstDue(message)];
    case 'sending':
      return message.unknown || !last ? null : [last.claimedAt + HAND_OFF_LEASE];
    case 'sent_to_mta':
      return null;
    default:
      return [null];
  }
}

/** After a refusal, the retry schedule; one second later when the hand-off was only interrupted, or is sent again. */
function turnsAfter(message: MessageRecord['message'], last: MessageRecord['attempts'][number]): (number | null)[] {
  if (last.finishedAt === null) return [];
  const next = nextMtaAttempt(last.n, message.firstClaimedAt ?? last.finishedAt, last.finishedAt);
  const isSoon = last.outcome === 'not_sent' || last.outcome === 'unconfirmed';
  return [next, isSoon ? last.finishedAt + SECOND : next].filter((at) => at !== null);
}

/**
 * Finds a deadline that passed while the service ran: `alive` (ms, null = it never ran) is a time its clock had
 * reached. Null when there is none. A queued message may wait past its due time for its rate and its day; its
 * attachments may not.
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
