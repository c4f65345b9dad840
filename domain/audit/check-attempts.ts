import type { Attempt, AttemptOutcome } from '../messages/message';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

type End = AttemptOutcome | null;

/** Outcomes of an attempt after which the sending server does not have the mail. */
const DEFINITE_FAILURES: readonly End[] = ['refused_temporarily', 'not_sent'];
/** Outcomes after which the message is queued again: the mail is not out, or is sent again though it may be. */
const QUEUED_AGAIN: readonly End[] = [...DEFINITE_FAILURES, 'unconfirmed'];
/** Outcomes after which it may have the mail: evidence can arrive before our own 250, or be the only answer. */
const HANDED_OVER: readonly End[] = ['sent', 'unknown', null];

/**
 * There is one attempt per claim, at its time, none before the message was due to be sent, in the message's workspace,
 * and with an outcome that fits the message's state.
 */
export function checkAttempts({ message, history, attempts }: MessageRecord): readonly Difference[] {
  const { id } = message;
  const claims = history.filter(({ status }) => status === 'sending');
  if (attempts.length !== claims.length || message.attempt !== claims.length) {
    const found = `attempt ${message.attempt} with ${attempts.length} kept`;
    return unless(false, 'attempts', id, `attempt ${claims.length} with ${claims.length} kept`, found);
  }
  const [first] = attempts;
  if (first && message.sendAt !== null && first.claimedAt < message.sendAt) {
    const expected = `attempt 1 claimed at ${showTime(message.sendAt)} or later`;
    return unless(false, 'attempts', id, expected, `attempt 1 claimed at ${showTime(first.claimedAt)}`);
  }
  for (const [index, attempt] of attempts.entries()) {
    const ends = index < attempts.length - 1 ? QUEUED_AGAIN : endsOf(message, hasUnconfirmed(attempts));
    const fault = checkAttempt(attempt, index + 1, claims[index]!.at, message.workspaceId, ends);
    if (fault) return unless(false, 'attempts', id, ...fault);
  }
  return NO_DIFFERENCE;
}

const ANY: readonly End[] = [...new Set([...QUEUED_AGAIN, ...HANDED_OVER, 'refused_permanently' as const])];

/** True for a message of which a hand-off without an answer was sent again. */
export const hasUnconfirmed = (attempts: MessageRecord['attempts']): boolean =>
  attempts.some(({ outcome }) => outcome === 'unconfirmed');

/** The expected and the found state of one attempt, or null when they agree. */
function checkAttempt(
  attempt: Attempt,
  n: number,
  claimedAt: number,
  workspaceId: number,
  ends: readonly End[],
): [expected: string, found: string] | null {
  if (attempt.n !== n) return [`attempt ${n}`, `attempt ${attempt.n}`];
  const where = `attempt ${n}`;
  if (attempt.workspaceId !== workspaceId) {
    return [`${where} of workspace ${workspaceId}`, `${where} of workspace ${attempt.workspaceId}`];
  }
  if (attempt.claimedAt !== claimedAt) {
    return [`${where} claimed at ${showTime(claimedAt)}`, `${where} claimed at ${showTime(attempt.claimedAt)}`];
  }
  if (!ends.includes(attempt.outcome)) {
    return [`${where} ${ends.map(showEnd).join(' or ')}`, `${where} ${showEnd(attempt.outcome)}`];
  }
  if ((attempt.outcome === null) !== (attempt.finishedAt === null)) {
    const ended = attempt.outcome === null ? 'no end' : 'an end';
    return [`${where} with ${ended}`, `${where} ended at ${showTime(attempt.finishedAt)}`];
  }
  return null;
}

const showEnd = (end: End): string => end ?? 'open';

/** `isSentAgain`: a report may be about an earlier hand-off, so the last attempt may have ended in any way. */
function endsOf({ status, unknown, reopenable }: MessageRecord['message'], isSentAgain: boolean): readonly End[] {
  switch (status) {
    case 'queued':
      return QUEUED_AGAIN;
    case 'sending':
      return unknown ? ['unknown'] : [null];
    case 'failed':
      if (isSentAgain) return ANY;
      return reopenable ? HANDED_OVER : [...DEFINITE_FAILURES, 'refused_permanently'];
    case 'sent_to_mta':
    case 'delivered':
    case 'bounced':
      return isSentAgain ? ANY : HANDED_OVER;
  }
}
