import { randomUUID } from 'node:crypto';
import { SECOND } from '../../../lib/clock';
import type {
  ClaimedTask,
  DueClaimRequest,
  DueTask,
  DueTaskKey,
  DueTasks,
  TaskWakes,
  StoredTask,
} from '../../ports/due-tasks';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { groupedReads } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';
import { NEVER_READY, type DueTaskDocument } from './due-task-document';
import { finishTask, nextRun } from './finish-task';
import { scheduleTasks, taskId } from './schedule-tasks';

/** Tasks of a lane that one command deletes. */
const CANCEL_STEP = 500;

const toTask = ({ _id, kind, workspaceId, lane, dueAt, payload, attempt }: DueTaskDocument) => ({
  kind,
  id: _id.slice(kind.length + 1),
  workspaceId,
  lane,
  dueAt,
  payload: JSON.parse(payload) as StoredTask['payload'],
  attempt,
});

/** MongoDB driver of DueTasks. */
export const taskWakes = (mongo: Mongo): TaskWakes => ({ hasten: (key, dueAt) => hasten(mongo, key, dueAt) });

export function dueTasks(mongo: Mongo): DueTasks {
  const tasks = documents(mongo.db, 'dueTasks');
  return guarded<DueTasks>({
    schedule: (added) => schedule(mongo, added),
    claim: (request) => claim(mongo, request),
    finish: (held, next) => finishTask(mongo, held, next),
    giveUp: async (held, reason, at) => {
      return compareAndSet(
        tasks,
        { _id: taskId(held), token: held.token },
        { $set: { readyAt: NEVER_READY, givenUp: { reason, at } }, $unset: { token: true } },
      );
    },
    cancel: async (kind, which) => {
      if ('lane' in which) return cancelLane(mongo, kind, which.lane);
      const key = { _id: taskId({ kind, id: which.id }), readyAt: { $lt: NEVER_READY } };
      return (await tasks.deleteOne(key)).deletedCount;
    },
    lanesDue: (kind, now, after, limit) => lanesDue(mongo, kind, now, after, limit),
    kinds: async () => [...(await firstOfKinds(mongo)).keys()].sort(),
    // Every kind is looked at each second, usually for nothing.
    nextDue: groupedReads(async () => new Map([...(await firstOfKinds(mongo))].filter(([, at]) => at < NEVER_READY))),
    givenUp: async (kind, after, limit) => {
      if (limit <= 0) return [];
      const from = after === null ? `${kind}:` : taskId({ kind, id: after });
      const page = tasks
        .find({ kind, _id: { $gt: from }, givenUp: { $exists: true } })
        .sort({ _id: 1 })
        .limit(limit)
        .hint('due_tasks_given_up');
      return (await page.toArray()).map(({ givenUp, ...task }) => ({
        ...toTask(task),
        reason: givenUp!.reason,
        givenUpAt: givenUp!.at,
      }));
    },
    redrive: async (key, next) => {
      return compareAndSet(
        tasks,
        { _id: taskId(key), givenUp: { $exists: true } },
        { $set: nextRun(next), $unset: { givenUp: true } },
      );
    },
  });
}

/** When the first task of each kind can be claimed. Steps from kind to kind in their index (a distinct scan). */
async function firstOfKinds({ db }: Mongo): Promise<Map<string, number>> {
  const found = documents(db, 'dueTasks').aggregate<{ _id: string; at: number }>(
    [{ $sort: { kind: 1, readyAt: 1 } }, { $group: { _id: '$kind', at: { $first: '$readyAt' } } }],
    { hint: 'due_tasks_ready' },
  );
  return new Map((await found.toArray()).map(({ _id: kind, at }) => [kind, at]));
}

/**
 * An existing task may just have been written by another caller, so the answer waits until a transaction is durable.
 */
const schedule = (mongo: Mongo, tasks: readonly DueTask[]): Promise<void> =>
  transact(mongo, (session) => scheduleTasks(mongo, session, tasks));

/** When several claims run at once, each task goes to the first write. Its token shows which. */
async function claim({ db }: Mongo, { kind, lane, now, leaseUntil, limit }: DueClaimRequest): Promise<ClaimedTask[]> {
  if (limit <= 0) return [];
  const tasks = documents(db, 'dueTasks');
  const due = { readyAt: { $lte: now } };
  const page = await tasks
    .find({ kind, ...(lane === undefined ? {} : { lane }), ...due }, { projection: { _id: 1 } })
    .sort({ readyAt: 1, _id: 1 })
    .limit(limit)
    .hint(lane === undefined ? 'due_tasks_ready' : 'due_tasks_of_lane')
    .toArray();
  const ids = page.map(({ _id: id }) => id);
  if (ids.length === 0) return [];
  const token = randomUUID();
  await tasks.updateMany({ _id: { $in: ids }, ...due }, { $set: { token, readyAt: leaseUntil }, $inc: { attempt: 1 } });
  const claimed = await tasks.find({ _id: { $in: ids }, token }).toArray();
  const place = new Map(ids.map((id, n) => [id, n]));
  return claimed
    .sort((a, b) => place.get(a._id)! - place.get(b._id)!)
    .map((task): ClaimedTask => ({ ...toTask(task), token }));
}

async function hasten({ db }: Mongo, key: DueTaskKey, dueAt: number): Promise<boolean> {
  const tasks = documents(db, 'dueTasks');
  const which = { _id: taskId(key) };
  const task = await tasks.findOne(which, { projection: { readyAt: 1, token: 1 } });
  if (!task || task.readyAt === NEVER_READY) return true;
  if (task.token !== undefined) return false;
  if (task.readyAt <= dueAt + SECOND) return true;
  const waiting = { ...which, token: { $exists: false }, readyAt: task.readyAt };
  return compareAndSet(tasks, waiting, { $set: { dueAt, readyAt: dueAt } });
}

async function cancelLane({ db }: Mongo, kind: string, lane: string): Promise<number> {
  const tasks = documents(db, 'dueTasks');
  const waiting = { readyAt: { $lt: NEVER_READY } };
  for (let cancelled = 0; ;) {
    const page = await tasks
      .find({ kind, lane, ...waiting }, { projection: { _id: 1 } })
      .sort({ readyAt: 1 })
      .limit(CANCEL_STEP)
      .hint('due_tasks_of_lane')
      .toArray();
    if (page.length === 0) return cancelled;
    const { deletedCount } = await tasks.deleteMany({ _id: { $in: page.map(({ _id: id }) => id) }, ...waiting });
    cancelled += deletedCount;
  }
}

/**
 * Steps from lane to lane in their index (a distinct scan). Its cost does not grow with the number of waiting tasks.
 */
async function lanesDue(
  { db }: Mongo,
  kind: string,
  now: number,
  after: string | null,
  limit: number,
): Promise<string[]> {
  if (limit <= 0) return [];
  const found = documents(db, 'dueTasks').aggregate<{ _id: string }>(
    [
      { $match: { kind, lane: after === null ? { $gte: '' } : { $gt: after } } },
      { $sort: { kind: 1, lane: 1, readyAt: 1 } },
      { $group: { _id: '$lane', readyAt: { $first: '$readyAt' } } },
      { $match: { readyAt: { $lte: now } } },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ],
    { hint: 'due_tasks_of_lane' },
  );
  return (await found.toArray()).map(({ _id: lane }) => lane);
}
