import type { Filter } from 'mongodb';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import { LANES, type Lane } from '../../../domain/messages/message';
import type { BacklogStore, LaneBacklog, OutboxBacklog, TaskBacklog } from '../../ports/backlog-store';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { HOLDERS, type Holder } from '../log/outbox';
import { guarded } from '../transactions/guard';
import { NEVER_READY } from './due-task-document';
import { nextDue, workspacesWaiting } from './send-queue';

const PAGE = 100;

/** MongoDB driver of BacklogStore. */
export function backlogStore(mongo: Mongo): BacklogStore {
  return guarded<BacklogStore>({
    lanes: async (now, limit) => {
      const [oldest, ...counts] = await Promise.all([
        oldestDue(mongo, now),
        ...LANES.map((lane) => countLane(mongo, lane, now, limit)),
      ]);
      const lanes = LANES.map((lane, n) => [lane, { ...counts[n], oldestDueAt: oldest[lane] ?? null }]);
      return Object.fromEntries(lanes) as Record<Lane, LaneBacklog>;
    },
    claimed: (limit) => documents(mongo.db, 'messages').countDocuments({ stage: 'claimed' }, { limit }),
    awaitingReport: (limit) =>
      documents(mongo.db, 'messages').countDocuments({ stage: 'handed_over' }, { limit, hint: 'messages_by_stage' }),
    tasks: (kind, now, limit) => tasks(mongo, kind, now, limit),
    held: (heldFor, now, limit) =>
      documents(mongo.db, 'messages').countDocuments(
        { heldFor, dueAt: { $gt: now }, status: 'queued' },
        { limit, hint: 'messages_held' },
      ),
    outbox: (limit) => outbox(mongo, limit),
  });
}

/** The index begins with the workspace, and the server skips from one to the next. */
async function countLane(
  { db }: Mongo,
  lane: Lane,
  now: number,
  limit: number,
): Promise<Pick<LaneBacklog, 'due' | 'later'>> {
  const count = (dueAt: NonNullable<Filter<MessageDocument>['dueAt']>): Promise<number> =>
    documents(db, 'messages').countDocuments(
      { status: 'queued', workspaceId: { $gte: 0 }, lane, dueAt },
      { limit, hint: 'messages_queued' },
    );
  const [due, later] = await Promise.all([count({ $gte: 0, $lte: now }), count({ $gt: now, $lt: HOLD })]);
  return { due, later };
}

async function oldestDue(mongo: Mongo, now: number): Promise<Partial<Record<Lane, number>>> {
  const oldest: Partial<Record<Lane, number>> = {};
  for (let after = 0; ;) {
    const page = await workspacesWaiting(mongo, after, PAGE);
    const found = await Promise.all(
      page.flatMap((workspaceId) => LANES.map((lane) => nextDue(mongo, workspaceId, lane))),
    );
    for (const [lane, dueAt] of found.flat()) {
      if (dueAt <= now) oldest[lane] = Math.min(oldest[lane] ?? dueAt, dueAt);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return oldest;
    after = last;
  }
}

async function tasks({ db }: Mongo, kind: string, now: number, limit: number): Promise<TaskBacklog> {
  const all = documents(db, 'dueTasks');
  const due = { kind, readyAt: { $lte: Math.min(now, NEVER_READY - 1) } };
  const [count, first, givenUp] = await Promise.all([
    all.countDocuments(due, { limit, hint: 'due_tasks_ready' }),
    all.findOne(due, { projection: { _id: 0, readyAt: 1 }, sort: { readyAt: 1 }, hint: 'due_tasks_ready' }),
    all.countDocuments({ kind, givenUp: { $exists: true } }, { limit, hint: 'due_tasks_given_up' }),
  ]);
  return { due: count, oldestDueAt: first?.readyAt ?? null, givenUp };
}

async function outbox(mongo: Mongo, limit: number): Promise<OutboxBacklog> {
  const held = await Promise.all(HOLDERS.map((holder) => outboxOf(mongo, holder, limit)));
  const times = held.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    writes: Math.min(
      limit,
      held.reduce((sum, { writes }) => sum + writes, 0),
    ),
    oldestAt: times.length === 0 ? null : Math.min(...times),
  };
}

async function outboxOf({ db }: Mongo, holder: Holder, limit: number): Promise<OutboxBacklog> {
  const holding = db.collection<{ outboxAt?: number }>(holder);
  const waiting = { outboxAt: { $gte: 0 } };
  const [writes, first] = await Promise.all([
    holding.countDocuments(waiting, { limit }),
    holding.findOne(waiting, { projection: { _id: 0, outboxAt: 1 }, sort: { outboxAt: 1 } }),
  ]);
  return { writes, oldestAt: first?.outboxAt ?? null };
}
