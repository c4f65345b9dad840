import type { DayRecord } from '../../../domain/audit/check-days';
import type { GroupPosition, Stray } from '../../../domain/audit/check-installation';
import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import type { LogView } from '../../../streams/log-view';
import { GROUPS, type GroupTable } from '../../../streams/topics';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { guard } from '../transactions/guard';
import { inSnapshot, pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 1_000;
/** Collections that name a workspace and have an index on it. */
const NAMING = [
  ...(['messages', 'ledger', 'gates', 'sendDays', 'engagement'] as const),
  ...(['webhookEvents', 'webhookDeliveries', 'enrollments', 'journeyPosts'] as const),
];

/** The next workspaces after `after` that any collection names, ascending. Steps through the indexes. */
export async function nextWorkspaces(mongo: Mongo, after: number, limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let last = after; found.length < limit;) {
    const next = await nextWorkspace(mongo, last);
    if (next === null) break;
    found.push(next);
    last = next;
  }
  return found;
}

async function nextWorkspace({ db }: Mongo, after: number): Promise<number | null> {
  const ids = await Promise.all([
    ...(['workspaces', 'accounts'] as const).map(async (name) => {
      const filter = { _id: { $gt: after } };
      return (await documents(db, name as 'accounts').findOne(filter, { projection: { _id: 1 }, sort: { _id: 1 } }))
        ?._id;
    }),
    ...NAMING.map(async (name) => {
      const filter = { workspaceId: { $gt: after } };
      const options = { projection: { _id: 0, workspaceId: 1 }, sort: { workspaceId: 1 as const } };
      return (await documents(db, name as 'ledger').findOne(filter, options))?.workspaceId;
    }),
  ]);
  const known = ids.filter((id) => typeof id === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

/** What belongs to nothing, at most `limit` of each kind (see AuditSource.strays). Reads along the keys, a page at a time. */
export async function findStrays(mongo: Mongo, limit: number): Promise<Stray[]> {
  return [
    ...(await straysIn(mongo, 'bodies', 'body', limit)),
    ...(await straysIn(mongo, 'attachments', 'attachment', limit)),
    ...(await strayTasks(mongo, limit)),
  ];
}

/** A delivery and its task are written together. A task of one that no longer waits is found with the deliveries. */
function strayTasks(mongo: Mongo, limit: number): Promise<Stray[]> {
  return inSnapshot(mongo, async ({ db, moment }) => {
    const found: Stray[] = [];
    const key = { $gte: taskId({ kind: WEBHOOK_WORK, id: '' }), $lt: `${WEBHOOK_WORK};` };
    const tasks = documents(db, 'dueTasks')
      .find({ _id: key }, { ...moment, projection: { _id: 1 }, batchSize: PAGE })
      .sort({ _id: 1 });
    for await (const page of pages(tasks, PAGE)) {
      const ids = page.map(({ _id }) => _id.slice(WEBHOOK_WORK.length + 1));
      const stored = documents(db, 'webhookDeliveries').find(
        { _id: { $in: ids } },
        { ...moment, projection: { _id: 1 } },
      );
      const there = new Set((await guard(() => stored.toArray())).map(({ _id }) => _id));
      found.push(...ids.filter((id) => !there.has(id)).map((of): Stray => ({ what: 'due task', of })));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  });
}

/** A body and its message are written together, so a snapshot holds both or neither. */
function straysIn(mongo: Mongo, name: 'bodies' | 'attachments', what: Stray['what'], limit: number): Promise<Stray[]> {
  return inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const found = new Map<string, Stray>();
    const contents = documents(db, name as 'bodies')
      .find({}, { ...moment, projection: { _id: 1 }, batchSize: PAGE })
      .sort({ _id: 1 });
    for await (const page of pages(contents, PAGE)) {
      const ids = [...new Set(page.map(({ _id }) => _id.split(':')[0] ?? ''))];
      for (const of of await missingIds(snapshot, ids)) found.set(of, { what, of });
      if (found.size >= limit) break;
    }
    return [...found.values()].slice(0, limit);
  });
}

/** The ids that no message has. */
export async function missingIds(
  { db, moment }: Pick<Snapshot, 'db'> & Partial<Snapshot>,
  ids: readonly string[],
): Promise<string[]> {
  const found = documents(db, 'messages').find({ _id: { $in: [...ids] } }, { ...moment, projection: { _id: 1 } });
  const there = new Set((await guard(() => found.toArray())).map(({ _id }) => _id));
  return ids.filter((id) => !there.has(id));
}

/** The platform's claims of a day are the sum over all shards. Documents used only for the caps name neither. */
export async function platformDays(mongo: Mongo): Promise<DayRecord[]> {
  return inSnapshot(mongo, async ({ db, moment }) => {
    const ofShard = { $regexMatch: { input: '$_id', regex: ':shard:' } };
    const days = documents(db, 'sendDays').aggregate<DayRecord>(
      [
        {
          $group: {
            _id: '$day',
            platform: { $sum: { $cond: [ofShard, '$claims', 0] } },
            workspaces: { $sum: { $cond: [{ $eq: ['$workspaceId', null] }, 0, '$claims'] } },
          },
        },
        { $sort: { _id: 1 } },
        { $project: { _id: 0, day: '$_id', platform: 1, workspaces: 1 } },
      ],
      moment,
    );
    return guard(() => days.toArray());
  });
}

/** Each entry holds a group's position as it was before the end of its log was read, since the log only grows. */
export async function readPositions(log: LogView): Promise<GroupPosition[]> {
  const groups: GroupTable = GROUPS;
  return (await log.groupPositions()).flatMap(({ group, topic, partition, next, newest }) => {
    if (next === null || newest < 0) return [];
    return [{ group, ...(groups[group].topics.length > 1 && { topic }), partition, next, newest }];
  });
}
