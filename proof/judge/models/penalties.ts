import type { Act } from '../acts';
import { addressOf, isAddress, PENALTY, PENALTY_WINDOW, TEXTS } from '../rules';
import { isHard, recipientOf, takesOf, type Message, type Workspace } from '../run';
import type { ReportKind } from '../history';

/** Coins between what must and what may have been taken. */
export interface Bounds {
  least: number;
  most: number;
}

/** The penalty for a hard bounce or a complaint, once a message. */
export function messagePenalty(message: Message, repeatedlyFull: ReadonlySet<string>): Bounds {
  if (takesOf(message).length === 0) return { least: 0, most: 0 };
  const sure = message.reports.some(({ value, result }) => result === 'ok' && isPunished(value.kind));
  const may = message.reports.some(
    ({ value, result }) =>
      result !== 'fail' &&
      (isPunished(value.kind) || (value.kind === 'full' && repeatedlyFull.has(addressOf(recipientOf(message) ?? '')))),
  );
  return { least: sure ? PENALTY : 0, most: may ? PENALTY : 0 };
}

export const isPunished = (kind: ReportKind): boolean => isHard(kind) || kind === 'complaint';

/** Addresses whose mailbox was full three times: from then on it may count as gone. */
export function fullAddresses({ messages }: Workspace): Set<string> {
  const seen = new Map<string, number>();
  for (const message of messages) {
    if (!message.reports.some(({ value }) => value.kind === 'full')) continue;
    const to = addressOf(recipientOf(message) ?? '');
    seen.set(to, (seen.get(to) ?? 0) + 1);
  }
  return new Set([...seen].flatMap(([to, times]) => (times >= 3 ? [to] : [])));
}

/** How the relay refuses a recipient for good. */
const RELAY_REFUSALS = [550, 553];

/** Why a send was punished, by its refusal; null when it was not. */
export function forcedReason({ value, refusal }: Act<'send'>): string | null {
  if (![422, ...RELAY_REFUSALS].includes(refusal?.status ?? 0) || !refusal) return null;
  if (refusal.reason.includes(TEXTS.suppressed)) return 'suppressed';
  if (refusal.reason.includes(TEXTS.refusedUnsubscribed)) return 'unsubscribed';
  return isAddress(value.to) || value.to.trim() === '' ? null : 'malformed';
}

/** Penalties for sends that should not have been tried: once for an address and reason in 24 h. */
export function forcedPenalties(workspace: Workspace, tolerance: number): Bounds {
  const times = new Map<string, number[]>();
  for (const send of workspace.sends) {
    const reason = forcedReason(send);
    if (!reason) continue;
    const key = `${reason} ${addressOf(send.value.to)}`;
    times.set(key, [...(times.get(key) ?? []), send.at]);
  }
  const bounds = { least: 0, most: maybeForced(workspace).length * PENALTY };
  for (const refused of times.values()) {
    bounds.least += windows(refused, PENALTY_WINDOW + tolerance) * PENALTY;
    bounds.most += windows(refused, PENALTY_WINDOW - tolerance) * PENALTY;
  }
  return bounds;
}

/** How many windows of that length it takes to hold all times, each beginning at the first that is left. */
function windows(times: readonly number[], length: number): number {
  let [count, end] = [0, -Infinity];
  for (const time of times) {
    if (time < end) continue;
    count += 1;
    end = time + length;
  }
  return count;
}

/** Sends without an answer that made no message: they may have been refused with a penalty. */
export function maybeForced({ sends, messages }: Workspace): Act<'send'>[] {
  const made = new Set(messages.flatMap((message) => message.sends));
  return sends.filter((send) => send.result === 'info' && !made.has(send));
}
