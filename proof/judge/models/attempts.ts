import type { Act } from '../acts';
import { WEBHOOK_ATTEMPTS, WEBHOOK_OFF_AFTER, WEBHOOK_TIMEOUT, WEBHOOK_WAITS, type Slack } from '../rules';
import type { Hook } from '../run';
import type { Times } from '../times';

type Deliver = Act<'deliver'>;

const isSuccess = ({ answer }: Deliver): boolean => answer !== null && answer.status >= 200 && answer.status < 300;

/** True when the receiver answered 2xx in time. */
export const isAccepted = (deliver: Deliver): boolean =>
  isSuccess(deliver) && deliver.end - deliver.at < WEBHOOK_TIMEOUT;

/** The same for a program that may have stood still until the answer was there: it reads it before its timer ends. */
export const mayBeAccepted = (deliver: Deliver, faults: Times): boolean =>
  isAccepted(deliver) || (isSuccess(deliver) && faults.any(deliver.at, deliver.end));

/** True when requests under one id came sooner than they may. */
export function cameTooSoon(attempts: readonly Deliver[], faults: Times, slack: Slack): boolean {
  return attempts.some((attempt, index) => {
    const next = attempts[index + 1];
    const wait = WEBHOOK_WAITS[index];
    // What was lost with a fault is no attempt that the next one waits for.
    if (!next || wait === undefined || faults.any(attempt.at - slack.clock, next.at)) return false;
    return next.at - attempt.at < wait - slack.connect;
  });
}

/**
 * True when five attempts were made without success, those included that a fault hid: a program that dies in an attempt
 * has made it. One fault hides one attempt of an event, at its due time or when the program is back; what it hid is not
 * waited after, since nobody has noted it.
 */
export function isGivenUp(seen: readonly Deliver[], from: number, faults: Times, slack: Slack): boolean {
  const hiding = faults.from(from - slack.stored).map((at) => ({ at, isSeen: false }));
  const moments = [...seen.map(({ at }) => ({ at, isSeen: true })), ...hiding].sort((a, b) => a.at - b.at);
  let [count, due, last] = [0, from - slack.stored, from];
  for (const { at, isSeen } of moments) {
    if (isSeen || (at >= due - slack.connect && at <= Math.max(due, last) + slack.leap + slack.late)) {
      due = isSeen ? at + (WEBHOOK_WAITS[count] ?? 0) : at;
      count += 1;
    }
    last = at;
  }
  return count >= WEBHOOK_ATTEMPTS;
}

/** When a hook was deleted, or switched off because it failed for days, or may have been; Infinity when never. ms. */
export function offFrom({ subscribe, delivers, droppedAt }: Hook): number {
  let success = subscribe.at;
  for (const deliver of delivers) {
    if (isAccepted(deliver)) success = deliver.end;
    // The program notes a success to the minute.
    else if (deliver.at - success >= WEBHOOK_OFF_AFTER - 2 * 60_000) return Math.min(deliver.at, droppedAt);
  }
  return droppedAt;
}
