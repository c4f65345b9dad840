import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import type { PageQuery } from '../ports/page';
import { documents, type ListBlockDocument } from './documents';

type List = ListBlockDocument['list'];

/** Ids of one block: a page costs one block at the most, and a sum over the blocks before it. */
const BLOCK_SIZE = 1_024;

const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** What joined (1) or left (-1) a list, by the item's id. */
export type ListChanges = ReadonlyMap<number, 1 | -1>;

/** Counts items of a list by blocks of their ids, in the transaction that changes the list. */
export async function countInBlocks(
  db: Db,
  session: ClientSession,
  list: List,
  owner: number,
  changes: ListChanges,
): Promise<void> {
  const byBlock = new Map<number, number>();
  for (const [id, by] of changes) byBlock.set(blockOf(id), (byBlock.get(blockOf(id)) ?? 0) + by);
  const updates = [...byBlock].filter(([, by]) => by !== 0);
  if (updates.length === 0) return;
  await documents(db, 'listBlocks').bulkWrite(
    updates.map(([block, by]): AnyBulkWriteOperation<ListBlockDocument> => ({
      updateOne: {
        filter: { _id: `${list}:${owner}:${block}` },
        update: { $inc: { n: by }, $setOnInsert: { list, owner, block } },
        upsert: true,
      },
    })),
    { session },
  );
}

/** Where a page of a list begins: `skip` items after the first with an id of `from` or more. */
export interface PagePlace {
  total: number;
  from: number;
  skip: number;
}

/** The place of a page; with an offset beyond the list there is nothing from there on. */
export async function findPage(db: Db, list: List, owner: number, { offset }: PageQuery): Promise<PagePlace> {
  const blocks = await documents(db, 'listBlocks')
    .find({ list, owner }, { projection: { _id: 0, block: 1, n: 1 } })
    .sort({ block: 1 })
    .toArray();
  const total = blocks.reduce((sum, { n }) => sum + n, 0);
  let before = 0;
  for (const { block, n } of blocks) {
    if (offset < before + n) return { total, from: block * BLOCK_SIZE, skip: offset - before };
    before += n;
  }
  return { total, from: Number.MAX_SAFE_INTEGER, skip: 0 };
}
