import { randomUUID } from 'node:crypto';
import type { ClaimedTask, DueClaimRequest, DueTaskKey, DueTasks, TaskWakes } from '../../ports/due-tasks';
import { SECOND } from '../../../lib/clock';
import { ColumnList, columns } from '../database/columns';
import type { Commits } from '../database/commits';
import { textIn, type Database } from '../database/database';
import { finishTask } from './finish-task';
import { scheduleTasks, TASK } from './schedule-tasks';

/** Number of tasks of a lane that one transaction deletes. Other writes can commit in between. */
const CANCEL_STEP = 500;

const TASK_TIME = new ColumnList<{ readyAt: number | null; token: string | null }>(
  'due_tasks',
  columns('readyAt', 'token'),
);
const CLAIMED = TASK.without('reason', 'givenUpAt', 'readyAt');
const GIVEN_UP = TASK.without('readyAt');

/** Embedded driver of DueTasks. */
export const taskWakes = (db: Database, commits: Commits): TaskWakes => ({
  hasten: (key, dueAt) => hasten(db, commits, key, dueAt),
});

export function dueTasks(db: Database, commits: Commits): DueTasks {
  return {
    schedule: (tasks) => commits.write(() => scheduleTasks(db, tasks)),
    claim: (request) => commits.write(() => claim(db, request)),
    finish: (claimed, next) => commits.write(() => finishTask(db, claimed, next)),
    giveUp: ({ kind, id, token }, reason, now) =>
      commits.write(
        () =>
          db.run(
            `UPDATE due_tasks SET ready_at = NULL, token = NULL, reason = ?, given_up_at = ?
             WHERE kind = ? AND id = ? AND token = ?`,
            textIn(reason),
            now,
            kind,
            id,
            token,
          ) === 1,
      ),
    cancel: async (kind, which) => {
      if ('id' in which) return commits.write(() => cancelOne(db, kind, which.id));
      let cancelled = 0;
      for (let step = CANCEL_STEP; step === CANCEL_STEP; cancelled += step) {
        step = await commits.write(() => cancelSome(db, kind, which.lane));
      }
      return cancelled;
    },
    lanesDue: async (kind, now, after, limit) => lanesDue(db, kind, now, after, limit),
    kinds: async () => kinds(db),
    nextDue: async (kind) =>
      db.get<{ at: number | null }>(
        'SELECT min(ready_at) AS at FROM due_tasks WHERE kind = ? AND ready_at IS NOT NULL',
        kind,
      )?.at ?? null,
    givenUp: async (kind, after, limit) =>
      GIVEN_UP.all(
        db,
        'INDEXED BY due_tasks_given_up WHERE kind = ? AND given_up_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?',
        kind,
        // An id is never empty.
        after ?? '',
        limit,
      ),
    redrive: ({ kind, id }, { dueAt, payload, attempt }) =>
      commits.write(
        () =>
          db.run(
            `UPDATE due_tasks SET due_at = ?3, ready_at = ?3, reason = NULL, given_up_at = NULL,
               payload = coalesce(?4, payload), attempt = coalesce(?5, attempt)
             WHERE kind = ?1 AND id = ?2 AND given_up_at IS NOT NULL`,
            kind,
            id,
            dueAt,
            payload ? JSON.stringify(payload) : null,
            attempt ?? null,
          ) === 1,
      ),
  };
}

async function hasten(db: Database, commits: Commits, { kind, id }: DueTaskKey, dueAt: number): Promise<boolean> {
  const task = TASK_TIME.get(db, 'WHERE kind = ? AND id = ?', kind, id);
  if (!task || task.readyAt === null) return true;
  if (task.token !== null) return false;
  if (task.readyAt <= dueAt + SECOND) return true;
  const due = 'UPDATE due_tasks SET due_at = ?1, ready_at = ?1 WHERE kind = ?2 AND id = ?3 AND token IS NULL';
  return commits.write(() => db.run(`${due} AND ready_at > ?1`, dueAt, kind, id) === 1);
}

function claim(db: Database, { kind, lane, now, leaseUntil, limit }: DueClaimRequest): ClaimedTask[] {
  const ofLane = lane === undefined ? '' : 'AND lane = ?';
  const rows = CLAIMED.all(
    db,
    `WHERE kind = ? ${ofLane} AND ready_at <= ? ORDER BY ready_at, id LIMIT ?`,
    kind,
    ...(lane === undefined ? [] : [lane]),
    now,
    limit,
  );
  const token = randomUUID();
  return rows.map((row) => {
    db.run(
      'UPDATE due_tasks SET ready_at = ?, token = ?, attempt = attempt + 1 WHERE kind = ? AND id = ?',
      leaseUntil,
      token,
      kind,
      row.id,
    );
    return { ...row, attempt: row.attempt + 1, token };
  });
}

const cancelOne = (db: Database, kind: string, id: string): number =>
  db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ? AND given_up_at IS NULL', kind, id);

function cancelSome(db: Database, kind: string, lane: string): number {
  return db.run(
    `DELETE FROM due_tasks WHERE kind = ?1 AND id IN (
       SELECT id FROM due_tasks WHERE kind = ?1 AND lane = ?2 AND ready_at IS NOT NULL LIMIT ${CANCEL_STEP})`,
    kind,
    lane,
  );
}

/** Steps from kind to kind through the primary key. */
function kinds(db: Database): string[] {
  const found: string[] = [];
  for (let last = ''; ; found.push(last)) {
    const next = db.get<{ kind: string | null }>('SELECT min(kind) AS kind FROM due_tasks WHERE kind > ?', last)!.kind;
    if (next === null) return found;
    last = next;
  }
}

/** Steps from lane to lane through their index, so the cost does not grow with the number of waiting tasks. */
function lanesDue(db: Database, kind: string, now: number, after: string | null, limit: number): string[] {
  const found: string[] = [];
  for (let last = after; found.length < limit;) {
    const { lane } = db.get<{ lane: string | null }>(
      `SELECT min(lane) AS lane FROM due_tasks WHERE kind = ? AND lane ${last === null ? '>=' : '>'} ?
         AND ready_at IS NOT NULL`,
      kind,
      last ?? '',
    )!;
    if (lane === null) break;
    const first = db.get<{ at: number }>(
      'SELECT min(ready_at) AS at FROM due_tasks WHERE kind = ? AND lane = ? AND ready_at IS NOT NULL',
      kind,
      lane,
    );
    if (first && first.at <= now) found.push(lane);
    last = lane;
  }
  return found;
}
