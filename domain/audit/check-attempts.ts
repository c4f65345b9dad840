import type { Attempt, AttemptOutcome } from '../message';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

type End = AttemptOutcome | null;

/** Ends of an attempt after which the mail is not with the sending server. */
const CERTAIN_NO: readonly End[] = ['refused_temporarily', 'not_sent'];
/** Ends of one after which it may be: evidence can be faster than our own 250, or the only word there is. */
const HANDED_OVER: readonly End[] = ['sent', 'unknown', null];

/** One attempt for each claim, at its time, in the message's workspace, and ended as the message's state says. */
export function checkAttempts({ message, history, attempts }: MessageRecord): readonly Difference[] {
  const { id } = message;
  const claims = history.filter(({ status }) => status === 'sending');
  if (attempts.length !== claims.length || message.attempt !== claims.length) {
    const found = `attempt ${message.attempt} with ${attempts.length} kept`;
    return unless(false, 'attempts', id, `attempt ${claims.length} with ${claims.length} kept`, found);
  }
  for (const [index, attempt] of attempts.entries()) {
    const ends = index < attempts.length - 1 ? CERTAIN_NO : endsOf(message);
    const fault = checkAttempt(attempt, index + 1, claims[index]!.at, message.workspaceId, ends);
    if (fault) return unless(false, 'attempts', id, ...fault);
  }
  return NO_DIFFERENCE;
}

/** What was expected and found of one attempt, or null. */
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

function endsOf({ status, unknown, reopenable }: MessageRecord['message']): readonly End[] {
  switch (status) {
    case 'queued':
      return CERTAIN_NO;
    case 'sending':
      return unknown ? ['unknown'] : [null];
    case 'failed':
      return reopenable ? HANDED_OVER : [...CERTAIN_NO, 'refused_permanently'];
    case 'sent_to_mta':
    case 'delivered':
    case 'bounced':
      return HANDED_OVER;
  }
}
