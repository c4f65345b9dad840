import { MongoBulkWriteError, type AnyBulkWriteOperation, type Db, type Filter, type Sort } from 'mongodb';
import type { WorkspaceWakeup, WakeupChange, WakeupPosition, WakeupStore } from '../../ports/wakeup-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { WakeupDocument } from './queue-documents';
import { DUPLICATE_KEY, guarded } from '../transactions/guard';

const FIELDS = { at: 1, kind: 1 } as const;
const IN_ORDER: Sort = { at: 1, _id: 1 };
const BY_ID: Sort = { _id: 1 };

/** MongoDB driver of WakeupStore. */
export function wakeupStore(mongo: Mongo): WakeupStore {
  const looks = documents(mongo.db, 'looks');
  return guarded<WakeupStore>({
    write: (changes) => write(mongo, changes),
    list: (shards, after, upTo, limit) => list(mongo, shards, after, upTo, limit),
    find: async (workspaceIds) => {
      const found = looks.find({ _id: { $in: [...workspaceIds] } }, { projection: { shard: 1, at: 1 } });
      return (await found.toArray()).map(({ _id: workspaceId, shard, at }) => ({ workspaceId, shard, at }));
    },
  });
}

/** A row that a later owner has written does not match, and its key is taken: then it stays. */
async function write({ db }: Mongo, changes: readonly WakeupChange[]): Promise<void> {
  if (changes.length === 0) return;
  try {
    await documents(db, 'looks').bulkWrite(changes.map(operation), { ordered: false });
  } catch (error) {
    const faults = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (faults.length === 0 || !faults.every(({ code }) => code === DUPLICATE_KEY)) throw error;
  }
}

function operation({ workspaceId, shard, epoch, wakeup }: WakeupChange): AnyBulkWriteOperation<WakeupDocument> {
  const filter = { _id: workspaceId, $or: [{ shard: { $ne: shard } }, { epoch: { $lte: epoch } }] };
  if (!wakeup) return { deleteOne: { filter } };
  return { updateOne: { filter, update: { $set: { shard, epoch, ...wakeup } }, upsert: true } };
}

async function list(
  { db }: Mongo,
  shards: readonly number[],
  after: WakeupPosition,
  upTo: number,
  limit: number,
): Promise<WorkspaceWakeup[]> {
  if (limit <= 0 || shards.length === 0) return [];
  const shard = { $in: [...shards] };
  const isAmongEqual = after.at >= 0 && after.workspaceId < Number.MAX_SAFE_INTEGER;
  const equal = isAmongEqual
    ? await read(db, { shard, at: after.at, _id: { $gt: after.workspaceId } }, limit, BY_ID)
    : [];
  if (equal.length === limit) return equal;
  return [...equal, ...(await read(db, { shard, at: { $gt: after.at, $lte: upTo } }, limit - equal.length))];
}

/** The ranges of the shards are merged, so that each is in order. */
async function read(
  db: Db,
  filter: Filter<WakeupDocument>,
  limit: number,
  order: Sort = IN_ORDER,
): Promise<WorkspaceWakeup[]> {
  const found = documents(db, 'looks').find(filter, { projection: FIELDS });
  return (await found.sort(order).limit(limit).hint('looks_in_order').toArray()).map(
    ({ _id: workspaceId, at, kind }) => ({ workspaceId, at, kind }),
  );
}
