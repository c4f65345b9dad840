import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { BLOCK_SIZE, blockOf, type CountedList, type ListBlock } from '../../../domain/contacts/list-blocks';
import type { Mongo } from '../database/client';
import { documents, type ContactDocument, type ListBlockDocument } from '../database/documents';
import { guard } from '../transactions/guard';
import type { Snapshot } from '../transactions/snapshot';
import { transact } from '../transactions/transact';

/** Contacts per fold. */
const FOLD = 1_000;
/** Blocks of a list in one response. */
const BLOCKS = 10_000;
/** The index of contacts not counted yet. Named explicitly, so that the query planner cannot choose another. */
export const UNCOUNTED = 'contacts_uncounted';

/** An item of a list, with the list's owner (see ListBlockDocument). */
export interface Counted {
  owner: number;
  id: number;
}

/**
 * Counts items that joined (1) or left (-1) their lists, in the transaction that writes them. Transactions that count
 * in the same block at the same time conflict. Items that many callers add at once are therefore folded in later: see
 * foldContacts.
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

/** Removes a contact that the same transaction deleted from its list. A contact not counted yet is in no block. */
export async function uncount(
  mongo: Mongo,
  session: ClientSession,
  { _id: id, workspaceId, counted }: Pick<ContactDocument, '_id' | 'workspaceId' | 'counted'>,
): Promise<void> {
  if (counted) await countItems(mongo, session, 'contacts', [{ owner: workspaceId, id }], -1);
}

/**
 * Counts at most `limit` contacts that are not counted yet, of any workspace. Returns how many there were. Several
 * processes may do so at once: each contact is counted by one of them.
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
    // Conflicts when another process counted or deleted one of them meanwhile.
    await contacts.updateMany({ _id: { $in: ids } }, { $set: { counted: true } }, { session });
    const items = found.map(({ _id: id, workspaceId: owner }) => ({ owner, id }));
    await countItems(mongo, session, 'contacts', items, 1);
    return ids.length;
  });
}

/** Counts contacts that are not counted yet, in at most `rounds` folds. */
export async function foldAll(mongo: Mongo, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    if ((await foldContacts(mongo)) < FOLD) return;
  }
}

/** The blocks of a list as of the snapshot, in order. Items not counted yet are not in them. */
export async function readBlocks({ db, moment }: Snapshot, list: CountedList, owner: number): Promise<ListBlock[]> {
  const blocks = documents(db, 'listBlocks')
    .find({ list, owner }, { ...moment, projection: { _id: 0, block: 1, n: 1 }, batchSize: BLOCKS })
    .sort({ block: 1 });
  return guard(() => blocks.toArray());
}

/** All contacts of the workspace by blocks as of the snapshot, counted or not: exact at any moment. */
export async function contactBlocks(snapshot: Snapshot, workspaceId: number): Promise<ListBlock[]> {
  const counted = await readBlocks(snapshot, 'contacts', workspaceId);
  const uncounted = await readUncounted(snapshot, workspaceId);
  if (uncounted.length === 0) return counted;
  const blocks = new Map(counted.map(({ block, n }) => [block, n]));
  for (const { block, n } of uncounted) blocks.set(block, (blocks.get(block) ?? 0) + n);
  return [...blocks].map(([block, n]) => ({ block, n })).sort((a, b) => a.block - b.block);
}

/** Groups by block on the server: after a large import there are many until they are folded. */
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
