import { HOLD } from '../../../domain/campaigns/campaign-run';
import { LANES, type Lane } from '../../../domain/messages/message';
import type { BacklogStore, LaneBacklog, TaskBacklog } from '../../ports/backlog-store';
import type { Database } from '../database/database';
import { nextDue, workspacesWaiting } from './send-queue';

const PAGE = 100;

/** Embedded driver of BacklogStore. */
export function backlogStore(db: Database): BacklogStore {
  return {
    lanes: (now, limit) => lanes(db, now, limit),
    claimed: async (limit) => count(db, `messages WHERE status = 'sending' AND fenced_at IS NULL`, limit),
    awaitingReport: async (limit) =>
      // Both conditions: SQLite does not infer that of the index from the equality.
      count(db, `messages WHERE status = 'sent_to_mta' AND status IN ('sending', 'sent_to_mta')`, limit),
    tasks: async (kind, now, limit) => tasks(db, kind, now, limit),
    held: async (heldFor, now, limit) =>
      count(db, `messages WHERE held_for = ? AND due_at > ? AND status = 'queued'`, limit, heldFor, now),
    outbox: async () => ({ writes: 0, oldestAt: null }),
  };
}

const count = (db: Database, rows: string, limit: number, ...values: (string | number)[]): number =>
  db.get<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} LIMIT ?)`, ...values, limit)!.n;

const QUEUED = `messages WHERE status = 'queued' AND workspace_id = ? AND lane = ?`;

/** Goes from workspace to workspace, and lets other work go on between pages of them. */
async function lanes(db: Database, now: number, limit: number): Promise<Record<Lane, LaneBacklog>> {
  const found = emptyLanes();
  for (let after = 0; ;) {
    const page = workspacesWaiting(db, after, PAGE);
    for (const workspaceId of page) addWorkspace(db, found, { workspaceId, now, limit });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last;
    await new Promise(setImmediate);
  }
}

const emptyLanes = (): Record<Lane, LaneBacklog> => {
  const none = (): LaneBacklog => ({ due: 0, oldestDueAt: null, later: 0 });
  return { transactional: none(), journey: none(), campaign: none() };
};

interface Look {
  workspaceId: number;
  now: number;
  limit: number;
}

function addWorkspace(db: Database, found: Record<Lane, LaneBacklog>, { workspaceId, now, limit }: Look): void {
  const first = nextDue(db, workspaceId);
  for (const lane of LANES) {
    const sum = found[lane];
    const dueAt = first[lane];
    if (dueAt === undefined) continue;
    const rest = (counted: number): number => Math.max(0, limit - counted);
    if (dueAt <= now) {
      sum.due += count(db, `${QUEUED} AND due_at <= ?`, rest(sum.due), workspaceId, lane, now);
      sum.oldestDueAt = Math.min(sum.oldestDueAt ?? dueAt, dueAt);
    }
    const later = `${QUEUED} AND due_at > ? AND due_at < ?`;
    sum.later += count(db, later, rest(sum.later), workspaceId, lane, now, HOLD);
  }
}

function tasks(db: Database, kind: string, now: number, limit: number): TaskBacklog {
  const first = db.get<{ at: number | null }>(
    'SELECT min(ready_at) AS at FROM due_tasks WHERE kind = ? AND ready_at <= ?',
    kind,
    now,
  );
  return {
    due: count(db, 'due_tasks WHERE kind = ? AND ready_at <= ?', limit, kind, now),
    oldestDueAt: first?.at ?? null,
    givenUp: count(
      db,
      'due_tasks INDEXED BY due_tasks_given_up WHERE kind = ? AND given_up_at IS NOT NULL',
      limit,
      kind,
    ),
  };
}
