import { findingsOf, type Finding } from '../finding';
import { addressOf, RETRIES_END, RETRY_WAITS } from '../rules';
import { isHard, recipientOf, sentAt, takesOf, type Attempt, type Message, type Run, type Workspace } from '../run';
import type { Act } from '../acts';

/** What the sending server sees: one mail a message, whole, for its address, and retries as the contract has them. */
export function judgeHandOffs(run: Run, workspace: Workspace): Finding[] {
  const stops = stopsOf(workspace);
  return workspace.messages.flatMap((message) => {
    if (message.attempts.length === 0) return [];
    return [...judgeTakes(message), ...judgeRetries(run, message), ...judgeStops(run, message, stops)];
  });
}

function judgeTakes(message: Message): Finding[] {
  const { list, add } = findingsOf(`message ${message.id}`);
  const takes = takesOf(message);
  if (takes.length > 1) add('doubled', `The sending server has the mail ${takes.length} times.`, takes);
  // A refusal of the recipient may still come to a sender that lost the message; a whole mail may not.
  const again = message.attempts.filter(
    ({ f, result, at }) => f === 'take' && result === 'fail' && at > (takes[0]?.at ?? Infinity),
  );
  if (again.length > 0) add('doubled', 'The mail was handed over again after it was taken.', message.attempts);
  const to = recipientOf(message);
  for (const attempt of message.attempts) {
    if (to && addressOf(attempt.value.to) !== addressOf(to)) {
      add('address', `It was sent to ${to}, and handed over to ${attempt.value.to}.`, [...message.sends, attempt]);
    }
    if (attempt.f === 'take' && attempt.value.fault) {
      add('damaged', `The mail came wrong: ${attempt.value.fault}.`, [attempt]);
    }
  }
  return list;
}

/** True for a refusal for good: before the mail, or with a 5xx after it. */
export const isPermanent = (attempt: Attempt): boolean =>
  attempt.f === 'refuse' ? attempt.value.permanent : attempt.result === 'fail' && (attempt.refusal?.status ?? 0) >= 500;

/** True for any refusal. */
export const isRefused = ({ f, result }: Attempt): boolean => f === 'refuse' || result === 'fail';

function judgeRetries({ faultTimes, slack }: Run, message: Message): Finding[] {
  const { list, add } = findingsOf(`message ${message.id}`);
  // The three days begin with the first claim, by a clock that was perhaps set back before.
  const early = faultTimes.any(-Infinity, message.attempts[0]?.at ?? 0) ? slack.late : slack.clock;
  const end = sentAt(message) + RETRIES_END - early;
  let refusals = 0;
  message.attempts.forEach((attempt, index) => {
    const next = message.attempts[index + 1];
    if (!isRefused(attempt)) return;
    if (!next) return;
    const { at } = attempt;
    // A program that died before it stored the refusal does not know of it, and one whose connection broke asks again.
    if (faultTimes.any(at - slack.stored, Math.min(next.at, at + slack.stored))) return;
    if (isRefused(next) && next.at - at < slack.together) return;
    refusals += 1;
    if (isPermanent(attempt)) add('refused', 'It was handed over again after a refusal for good.', [attempt, next]);
    const wait = RETRY_WAITS[Math.min(refusals, RETRY_WAITS.length) - 1] ?? 0;
    // The last attempt is made at the end of the three days, however near.
    if (next.at - at < wait - slack.clock && next.at < end && !faultTimes.any(at, next.at)) {
      add('retry', `It was tried again after ${next.at - at} ms, not ${wait}.`, [attempt, next]);
    }
  });
  // The three days begin with the first refusal that the program certainly knows of.
  const first = message.attempts.find((one) => isRefused(one) && !faultTimes.any(one.at, one.at + slack.stored));
  const late = message.attempts.filter(({ at }) => first && at > first.at + RETRIES_END + slack.late);
  // One attempt that was due in time may come late, when nobody was there to make it; a fault may take its refusal.
  if (late.length > 1 && !faultTimes.any(late[0]?.at ?? 0, late[1]?.at ?? 0)) {
    add('retry', 'It was tried again after more than three days.', late);
  }
  return list;
}

/** What ends mail to an address that is not claimed yet. */
interface Stop {
  act: Act<'block'> | Act<'report'>;
  /** Reports are read from a queue, so a fault puts them off. */
  isReport: boolean;
}

/** Blocks and hard bounces or complaints that were acknowledged, by address. */
function stopsOf({ blocks, messages }: Workspace): Map<string, Stop[]> {
  const stops = new Map<string, Stop[]>();
  const note = (to: string, stop: Stop): void => {
    const key = addressOf(to);
    stops.set(key, [...(stops.get(key) ?? []), stop]);
  };
  for (const act of blocks) if (act.result === 'ok') note(act.value.to, { act, isReport: false });
  for (const message of messages) {
    if (takesOf(message).length === 0) continue;
    for (const act of message.reports) {
      const { kind } = act.value;
      if (act.result === 'ok' && (isHard(kind) || kind === 'complaint'))
        note(recipientOf(message) ?? '', { act, isReport: true });
    }
  }
  return stops;
}

function judgeStops({ faultTimes, slack }: Run, message: Message, stops: ReadonlyMap<string, Stop[]>): Finding[] {
  const { list, add } = findingsOf(`message ${message.id}`);
  const sent = message.sends.reduce((last, { end }) => Math.min(last, end), Infinity);
  for (const { act, isReport } of stops.get(addressOf(recipientOf(message) ?? '')) ?? []) {
    // Who is deleted and written to again is a new contact. What was asked for after a report has the refusal to show
    // it.
    if (!message.origin && Math.min(sent, message.attempts[0]?.at ?? Infinity) > act.at) continue;
    const late = message.attempts.filter(({ at }) => at > act.end + slack.claimed);
    const wrong = late.filter(({ at }) => !mayStillGo(at, act, isReport));
    if (wrong.length > 0) add('blocked', 'It was handed over long after its recipient was blocked.', [act, ...wrong]);
  }
  return list;

  /** Claimed before, by a program that was killed and goes on with it; or the report has not been read. */
  function mayStillGo(at: number, act: Stop['act'], isReport: boolean): boolean {
    if (!faultTimes.any(act.at - slack.lease, at)) return false;
    return isReport || at <= act.end + slack.lease + slack.claimed;
  }
}
