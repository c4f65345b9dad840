import type { Db, Document, Filter } from 'mongodb';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import { firstIdOf, timeOfId } from '../../../domain/derived-id';
import { backToNow, STEP_WORK } from '../../../domain/journeys/enrollment';
import { resendSetBack } from '../../../domain/messages/retry-schedule';
import { RATE_WINDOW } from '../../../domain/queue/send-rate';
import { nextWibMidnight } from '../../../domain/wib';
import { MINUTE, SECOND } from '../../../lib/clock';
import { AT_ONCE } from '../../ports/wakeup-store';
import type { LongestWaits, SetBackStore } from '../../ports/set-back';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';
import { NEVER_READY } from './due-task-document';
import { taskId } from './schedule-tasks';

/** Rows that are read, and written, together. */
const PAGE = 500;

/** MongoDB driver of SetBackStore. Each change is a write of its own: a row that moved on meanwhile stays as it is. */
export function setBackStore(mongo: Mongo): SetBackStore {
  const steps = [settleTurns, settleDeadlines, advanceWakeups, settleTasks, settleSteps, settleLeases];
  return guarded<SetBackStore>({
    settle: async (waits) => {
      let settled = 0;
      // The leases last: while one is ahead, it is known that the clock was.
      for (const step of steps) settled += await step(mongo, waits);
      return settled;
    },
    stampedAfter: async (after, limit) => {
      const found = documents(mongo.db, 'messages').find({ _id: { $gte: firstIdOf(after + 1) } });
      const ids = await found.project<{ _id: string }>({ _id: 1 }).sort({ _id: -1 }).limit(limit).toArray();
      return { count: ids.length, last: ids[0] ? timeOfId(ids[0]._id) : null };
    },
  });
}

/** Also of messages on hold, whose turns lie HOLD ahead. */
async function settleTurns(mongo: Mongo, { now, retry, wasAhead }: LongestWaits): Promise<number> {
  const ofKind: Filter<MessageDocument>[] = [
    { heldFor: null, attempt: 0, sendAt: null },
    { heldFor: null, attempt: { $gt: 0 }, $expr: { $gt: [{ $mod: ['$dueAt', HOLD] }, now + retry] } },
    { heldFor: { $ne: null }, ...(!wasAhead && { createdAt: { $gt: now } }) },
  ];
  const free = await changeTurns(mongo, { dueAt: { $gt: now, $lt: HOLD }, $or: ofKind }, now);
  return free + (await changeTurns(mongo, { dueAt: { $gt: now + HOLD }, $or: ofKind }, now + HOLD));
}

/** Messages and looks change together, or a crash would hold some up. */
async function changeTurns(mongo: Mongo, late: Filter<MessageDocument>, dueAt: number): Promise<number> {
  const messages = documents(mongo.db, 'messages');
  for (let changed = 0; ;) {
    const count = await transact(mongo, async (session) => {
      const found = messages.find({ status: 'queued', ...late }, { projection: { workspaceId: 1 }, session });
      const rows = await found.limit(PAGE).hint('messages_queued').toArray();
      if (rows.length === 0) return 0;
      const which = { _id: { $in: rows.map(({ _id }) => _id) }, status: 'queued' as const };
      await messages.updateMany(which, { $set: { dueAt }, $inc: { version: 1 } }, { session });
      const workspaces = [...new Set(rows.map(({ workspaceId }) => workspaceId))];
      const looks = documents(mongo.db, 'looks');
      await looks.updateMany({ _id: { $in: workspaces } }, { $set: { at: AT_ONCE } }, { session });
      return rows.length;
    });
    changed += count;
    if (count < PAGE) return changed;
  }
}

/** Waits for a report are a whole number of seconds. */
async function settleDeadlines({ db }: Mongo, { now, handOff, evidence }: LongestWaits): Promise<number> {
  const messages = documents(db, 'messages');
  const claims = { stage: { $in: ['claimed', 'past_fence'] as const }, dueAt: { $gt: now + 2 * handOff } };
  const waits = { stage: { $in: ['unknown', 'handed_over'] as const }, dueAt: { $gt: now + evidence } };
  const ahead = { $ceil: { $divide: [{ $subtract: ['$dueAt', now + evidence] }, SECOND] } };
  const hint = { hint: 'messages_by_stage' };
  const toNow = { $set: { dueAt: now + handOff }, $inc: { version: 1 } };
  const toEnd = {
    dueAt: { $subtract: ['$dueAt', { $multiply: [ahead, SECOND] }] },
    version: { $add: ['$version', 1] },
  };
  const changed = await messages.updateMany(claims, toNow, hint);
  const shortened = await messages.updateMany(waits, [{ $set: toEnd }], hint);
  return changed.modifiedCount + shortened.modifiedCount + (await settleResends(db, now, evidence));
}

/** What is sent again when in doubt waits for less than for a report. */
async function settleResends(db: Db, now: number, evidence: number): Promise<number> {
  const messages = documents(db, 'messages');
  let settled = 0;
  for await (const row of messages.find({ stage: 'unknown', fencedAt: { $gt: now } }, { hint: 'messages_by_stage' })) {
    const dueAt = resendSetBack(row, now, evidence);
    if (dueAt === null) continue;
    const change = { $set: { dueAt }, $inc: { version: 1 } };
    settled += (await messages.updateOne({ _id: row._id, version: row.version }, change)).modifiedCount;
  }
  return settled;
}

/** A workspace waits for its rate and its day no longer than these last, and for a turn not beyond its first mail's. */
async function advanceWakeups({ db }: Mongo, { now }: LongestWaits): Promise<number> {
  const looks = documents(db, 'looks');
  const late = (kind: 'rate' | 'day' | 'turn', after: number) => ({ kind, at: { $gt: after } });
  const atOnce = { $set: { at: AT_ONCE } };
  const either = { $or: [late('rate', now + RATE_WINDOW), late('day', nextWibMidnight(now))] };
  let { modifiedCount: settled } = await looks.updateMany(either, atOnce);
  for await (const { _id, at } of looks.find(late('turn', now + MINUTE))) {
    const mail = { status: 'queued' as const, workspaceId: _id, dueAt: { $lt: at } };
    const waits = await documents(db, 'messages').findOne(mail, { projection: { _id: 1 }, hint: 'messages_queued' });
    if (waits) settled += (await looks.updateOne({ _id, at }, atOnce)).modifiedCount;
  }
  return settled;
}

/** What is being worked on keeps its claim for a while. */
async function settleTasks({ db }: Mongo, { now, lease, tasks }: LongestWaits): Promise<number> {
  let settled = 0;
  for (const [kind, wait] of Object.entries(tasks)) {
    const late = { kind, readyAt: { $gt: now + wait, $lt: NEVER_READY } };
    const set: Document = {
      dueAt: { $min: ['$dueAt', now] },
      readyAt: { $cond: [{ $ifNull: ['$token', false] }, now + lease, now] },
    };
    settled += (await documents(db, 'dueTasks').updateMany(late, [{ $set: set }], { hint: 'due_tasks_ready' }))
      .modifiedCount;
  }
  return settled;
}

async function settleSteps({ db }: Mongo, { now, wasAhead }: LongestWaits): Promise<number> {
  if (!wasAhead) return 0;
  const enrollments = documents(db, 'enrollments');
  const tasks = documents(db, 'dueTasks');
  let settled = 0;
  for await (const { _id, since, dueAt } of enrollments.find({ dueAt: { $gt: now }, since: { $gt: now } })) {
    const next = backToNow({ since, dueAt: dueAt! }, now);
    // The task first: an enrollment that is still ahead is found again after a crash.
    const task = { _id: taskId({ kind: STEP_WORK, id: _id }), readyAt: { $gt: now, $lt: NEVER_READY } };
    await tasks.updateOne(task, { $set: { dueAt: next.dueAt, readyAt: next.dueAt } });
    settled += (await enrollments.updateOne({ _id, since, dueAt }, { $set: next })).modifiedCount;
  }
  return settled;
}

const settleLeases = async ({ db }: Mongo, { now, lease }: LongestWaits): Promise<number> =>
  (await documents(db, 'leases').updateMany({ expiresAt: { $gt: now + lease } }, { $set: { expiresAt: now + lease } }))
    .modifiedCount;
