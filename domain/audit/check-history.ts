import { TRANSITIONS } from '../messages/lifecycle';
import { MESSAGE_STATUSES, type MessageStatus, type StatusChange } from '../messages/message';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/**
 * The status is the last entry of the history, and the history is a path through the transition table that starts at
 * acceptance (I6).
 */
export function checkHistory({ message, history }: MessageRecord): readonly Difference[] {
  const last = history.at(-1)?.status;
  const status = unless(last === message.status, 'status', message.id, `${last ?? 'a history'}`, message.status);
  const path = checkPath(message.id, message.createdAt, history);
  return status.length + path.length === 0 ? NO_DIFFERENCE : [...status, ...path];
}

function checkPath(id: string, createdAt: number, history: readonly StatusChange[]): readonly Difference[] {
  const first = history[0];
  if (first?.status !== 'queued' || first.at !== createdAt) {
    const found = first ? `${first.status} at ${showTime(first.at)}` : 'nothing';
    return unless(false, 'history', id, `queued at ${showTime(createdAt)} first`, found);
  }
  for (let n = 1; n < history.length; n += 1) {
    const [from, to] = [history[n - 1]!.status, history[n]!.status];
    if (nextOf(from).includes(to) && Number.isSafeInteger(history[n]!.at)) continue;
    return unless(false, 'history', id, `${from} -> ${nextOf(from).join(' or ') || 'nothing'}`, `${from} -> ${to}`);
  }
  return NO_DIFFERENCE;
}

/** Damaged data may hold any text. */
const nextOf = (status: MessageStatus): readonly MessageStatus[] =>
  MESSAGE_STATUSES.includes(status) ? TRANSITIONS[status] : [];
