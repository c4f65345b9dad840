import { hasUnconfirmed } from './check-attempts';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

type State = MessageRecord['message'];

/** Statuses in which the sending server has, or had, the mail. */
const HANDED_OVER: readonly string[] = ['sent_to_mta', 'delivered', 'bounced'];

/** True when the sending server may have the mail; false when it certainly does not, or not yet. */
export const wasHandedOver = ({ status, reopenable, fencedAt }: State): boolean =>
  HANDED_OVER.includes(status) || reopenable !== null || (status === 'sending' && fencedAt !== null);

/** True when the sending server certainly has, or had, the mail. */
export const wasTaken = ({ message: { status, reopenable }, attempts }: MessageRecord): boolean =>
  HANDED_OVER.includes(status) || (reopenable !== null && attempts.at(-1)?.outcome === 'sent');

/**
 * The fence was passed when the mail may be out, and not while it is queued
 * (docs/architecture.md#the-fence-and-evidence).
 */
export function checkFence({ message, attempts }: MessageRecord): readonly Difference[] {
  const { id, status, fence, fencedAt, unknown } = message;
  const passed = fence !== null && fencedAt !== null;
  const half = (fence === null) !== (fencedAt === null);
  const must = unknown || isOut(message, attempts);
  const mustNot = status === 'queued';
  const right = !half && !(must && !passed) && !(mustNot && passed) && !(unknown && status !== 'sending');
  if (right) return NO_DIFFERENCE;
  const found = `token ${fence === null ? 'none' : 'set'}, passed at ${showTime(fencedAt)}${unknown ? ', outcome unknown' : ''}`;
  return unless(
    false,
    'fence',
    id,
    `${status} ${must ? 'behind' : mustNot ? 'before' : 'before or behind'} the fence`,
    found,
  );
}

/** True when its last hand-off is out. Evidence of an earlier one may come before the next, where it is sent again. */
const isOut = ({ status, reopenable }: State, attempts: MessageRecord['attempts']): boolean =>
  !hasUnconfirmed(attempts) && (HANDED_OVER.includes(status) || reopenable !== null);

/**
 * dispatched_at is the time of the first report that the sending server has the mail (docs/contract.md#dispatched-at).
 */
export function checkDispatched({ message, history }: MessageRecord): readonly Difference[] {
  const allowed = dispatchTimes(message, history);
  if (allowed.includes(message.dispatchedAt)) return NO_DIFFERENCE;
  const expected = allowed.map(showTime).join(' or ');
  return unless(false, 'dispatched', message.id, expected, showTime(message.dispatchedAt));
}

function dispatchTimes(message: State, history: MessageRecord['history']): (number | null)[] {
  const taken = history.findIndex(({ status }) => HANDED_OVER.includes(status));
  const failed = history.findIndex(({ status }) => status === 'failed');
  // The server gave up before our 250 was stored: its report is the first sign, and later evidence keeps that time.
  if (taken < 0) return [message.reopenable === 'expired' && failed >= 0 ? history[failed]!.at : null];
  const first = history[taken]!.at;
  return failed >= 0 && failed < taken ? [first, history[failed]!.at] : [first];
}
