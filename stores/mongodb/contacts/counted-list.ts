import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { BLOCK_SIZE, blockOf, type CountedList, type ListBlock } from '../../../domain/list-blocks';
import type { Mongo } from '../database/client';
import { documents, type ContactDocument, type ListBlockDocument } from '../database/documents';
import { guard } from '../transactions/guard';
import type { Snapshot } from '../transactions/snapshot';
import { transact } from '../transactions/transact';

/** Contacts of one fold. */
const FOLD = 1_000;
/** Blocks of a list that come with one answer. */
const BLOCKS = 10_000;
/** The index of contacts that are not counted: no other may be taken, however the planner guesses. */
const UNCOUNTED = 'contacts_uncounted';

/** An item of a list, by the list's owner (see ListBlockDocument). */
export interface Counted {
  owner: number;
  id: number;
}

/**
 * Counts items that joined (1) or left (-1) their lists, in the transaction that writes them. Transactions that count in one
 * block at once conflict, so what is made by many callers at once is folded later: see foldContacts.
 */
export async function countItems(
  { db }: Mongo,
  session: ClientSession,
  list: CountedList,
  items: readonly Counted[],
  by: 1 | -1,
): Promise<void> {
  const changes = new Map<string, { owner: number; block: number; n: number }>();
  for (const { owner, id } of items) {
    const block = blockOf(id);
    const key = `${list}:${owner}:${block}`;
    const known = changes.get(key);
    if (known) known.n += by;
    else changes.set(key, { owner, block, n: by });
  }
  if (changes.size === 0) return;
  const operations = [...changes].map(([_id, { owner, block, n }]): AnyBulkWriteOperation<ListBlockDocument> => ({
    updateOne: { filter: { _id }, update: { $inc: { n }, $setOnInsert: { list, owner, block } }, upsert: true },
  }));
  await documents(db, 'listBlocks').bulkWrite(operations, { session });
}

/**
 * Takes a contact that the same transaction deleted out of its list. One that was not counted yet is in no block.
 */
export async function uncount(
  mongo: Mongo,
  session: ClientSession,
  { _id: id, workspaceId, counted }: Pick<ContactDocument, '_id' | 'workspaceId' | 'counted'>,
): Promise<void> {
  if (counted) await countItems(mongo, session, 'contacts', [{ owner: workspaceId, id }], -1);
}

/**
 * Counts at most `limit` contacts, of whatever workspace, that are not counted yet; answers how many there were. Several may do so
 * at once: a contact is counted by one of them.
 */
export async function foldContacts(mongo: Mongo, limit = FOLD): Promise<number> {
  const contacts = documents(mongo.db, 'contacts');
  return transact(mongo, async (session) => {
    const found = await contacts
      .find({ counted: false }, { session, hint: UNCOUNTED, projection: { workspaceId: 1 } })
      .limit(limit)
      .toArray();
    if (found.length === 0) return 0;
    const ids = found.map(({ _id }) => _id);
    // Whoever counted or deleted one of them meanwhile makes this conflict.
    await contacts.updateMany({ _id: { $in: ids } }, { $set: { counted: true } }, { session });
    const items = found.map(({ _id: id, workspaceId: owner }) => ({ owner, id }));
    await countItems(mongo, session, 'contacts', items, 1);
    return ids.length;
  });
}

/** Counts contacts that are not counted yet, at most `rounds` folds of them. */
export async function foldAll(mongo: Mongo, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    if ((await foldContacts(mongo)) < FOLD) return;
  }
}

/** The blocks of a list as of the snapshot, in order; what is not counted yet is not in them. */
export async function readBlocks({ db, moment }: Snapshot, list: CountedList, owner: number): Promise<ListBlock[]> {
  const blocks = documents(db, 'listBlocks')
    .find({ list, owner }, { ...moment, projection: { _id: 0, block: 1, n: 1 }, batchSize: BLOCKS })
    .sort({ block: 1 });
  return guard(() => blocks.toArray());
}

/** Every contact of the workspace by blocks as of the snapshot, counted or not: exact at any moment. */
export async function contactBlocks(snapshot: Snapshot, workspaceId: number): Promise<ListBlock[]> {
  const counted = await readBlocks(snapshot, 'contacts', workspaceId);
  const uncounted = await readUncounted(snapshot, workspaceId);
  if (uncounted.length === 0) return counted;
  const blocks = new Map(counted.map(({ block, n }) => [block, n]));
  for (const { block, n } of uncounted) blocks.set(block, (blocks.get(block) ?? 0) + n);
  return [...blocks].map(([block, n]) => ({ block, n })).sort((a, b) => a.block - b.block);
}

/** By blocks on the server: after a large import there are many until they are folded. */
async function readUncounted({ db, moment }: Snapshot, workspaceId: number): Promise<ListBlock[]> {
  const blocks = documents(db, 'contacts').aggregate<ListBlock>(
    [
      { $match: { workspaceId, counted: false } },
      { $group: { _id: { $floor: { $divide: ['$_id', BLOCK_SIZE] } }, n: { $sum: 1 } } },
      { $project: { _id: 0, block: '$_id', n: 1 } },
    ],
    { ...moment, hint: UNCOUNTED, batchSize: BLOCKS },
  );
  return guard(() => blocks.toArray());
}
