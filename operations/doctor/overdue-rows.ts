import { MINUTE, SECOND } from '../../lib/clock';
import type { MessageStatus } from '../../domain/messages/message';
import { HAND_OFF_LEASE } from '../../domain/messages/retry-schedule';
import type { Stores } from '../../stores/ports';
import { paceOf } from '../installation/pace';

/** A row past its deadline, and the part of the program that should have moved it on. */
export interface OverdueRow {
  messageId: string;
  workspaceId: number;
  status: MessageStatus;
  owner: 'timers' | 'dispatch' | 'throttle';
  /** ms */
  deadline: number;
  /** What should have happened. */
  expected: string;
}

export type OverdueStores = Pick<
  Stores,
  'queue' | 'backlogs' | 'deadlines' | 'messages' | 'coins' | 'workspaces' | 'settings'
>;

/** Everything is late now and then, ms: timers check every second, the throttle sweeps every two. */
export const LATE = 30 * SECOND;
/** A claim waits for a free connection; the timers hand it to dispatch again after two minutes. */
const LATE_HAND_OFF = 5 * MINUTE;
/** The throttle notices within this time what it does not notice at once (see LOOK_AGAIN of the pacer). */
const LATE_TURN = 10 * SECOND;
const PAGE = 500;
/** Claims waiting for their hand-off, at most; beyond that the throttle makes no new ones. */
const FULL_BACKLOG = 350;

/**
 * Finds every row that is not final and past its deadline, at most `limit` of each kind. `onWorkspace` is called for
 * each workspace examined.
 */
export async function overdueRows(
  stores: OverdueStores,
  now: number,
  limit: number,
  onWorkspace: () => void = () => undefined,
): Promise<OverdueRow[]> {
  const ids = new Map<string, Omit<OverdueRow, 'messageId' | 'workspaceId' | 'status' | 'deadline'>>();
  const late = await stores.deadlines.overdue(now - LATE, limit);
  const expired = await stores.deadlines.attachmentsExpired(now - LATE, limit);
  const unfenced = await stores.deadlines.unfenced(now - LATE_HAND_OFF + HAND_OFF_LEASE, limit);
  for (const { messageId } of unfenced) ids.set(messageId, { owner: 'dispatch', expected: 'to be sent' });
  for (const id of late) ids.set(id, { owner: 'timers', expected: 'its lease or its wait for a report to end' });
  for (const id of expired) ids.set(id, { owner: 'timers', expected: 'its attachments to be deleted' });
  const rows: OverdueRow[] = [];
  for (const [id, about] of ids) {
    const message = await stores.messages.get(id);
    if (!message) continue;
    const deadline = (expired.includes(id) ? message.attachmentsUntil : message.dueAt) ?? now;
    rows.push({ messageId: id, workspaceId: message.workspaceId, status: message.status, deadline, ...about });
  }
  return [...rows, ...(await lateTurns(stores, now, limit, onWorkspace))];
}

async function lateTurns(
  stores: OverdueStores,
  now: number,
  limit: number,
  onWorkspace: () => void,
): Promise<OverdueRow[]> {
  const rows: OverdueRow[] = [];
  const full = (await stores.backlogs.claimed(FULL_BACKLOG)) >= FULL_BACKLOG;
  for (let after = 0; ;) {
    const workspaces = await stores.queue.workspacesWaiting(after, PAGE);
    for (const workspaceId of workspaces) {
      onWorkspace();
      if (rows.length >= limit || !(await isStuck(stores, workspaceId, now))) continue;
      const turns = await stores.queue.waiting(workspaceId, now - LATE, limit - rows.length);
      for (const { messageId, dueAt } of turns) {
        const about = full
          ? { owner: 'dispatch' as const, expected: 'to be sent; the queue is waiting for the sending server' }
          : { owner: 'throttle' as const, expected: 'to be sent' };
        rows.push({ messageId, workspaceId, status: 'queued', deadline: dueAt, ...about });
      }
    }
    const last = workspaces.at(-1);
    if (last === undefined || workspaces.length < PAGE) return rows.slice(0, limit);
    after = last;
  }
}

/** True for a queue whose turn has come, that nothing holds back, and that no claims are taken from. */
async function isStuck(stores: OverdueStores, workspaceId: number, now: number): Promise<boolean> {
  const due = Math.min(...Object.values(await stores.queue.nextDue(workspaceId)));
  if (due > now - LATE) return false;
  if ((await stores.queue.recentClaims(workspaceId, now - LATE, 1, now)).length > 0) return false;
  const held = (await paceOf(stores, workspaceId, now)) ?? (await paceOf(stores, workspaceId, now - LATE_TURN));
  return held === null;
}
