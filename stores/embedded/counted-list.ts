import type { PageQuery } from '../ports/page';
import type { Database } from './database';

/** Lists that are paged by number: the contacts of a workspace, the members of an audience. Items are in order of their id. */
export type CountedList = 'contacts' | 'members';

/** Ids of one block: a page costs one block at the most, and a sum over the blocks before it. */
const BLOCK_BITS = 10;

/** The block an id is counted in. */
const blockOf = (id: number): number => Math.floor(id / 2 ** BLOCK_BITS);

/**
 * Items of lists by blocks of ids, so that the total and the place of a page are found without stepping over the items before
 * it (DESIGN section 8: lists stay flat). What one commit counts is added up first: it mostly lies in one block.
 */
export class ListCounts {
  private readonly changes = new Map<string, { list: CountedList; owner: number; block: number; by: number }>();

  constructor(private readonly db: Database) {}

  add(list: CountedList, owner: number, id: number, by: number): void {
    const block = blockOf(id);
    const key = `${list} ${owner} ${block}`;
    const known = this.changes.get(key);
    if (known) known.by += by;
    else this.changes.set(key, { list, owner, block, by });
  }

  /** Writes what was counted; the last thing a transaction does. */
  flush(): void {
    for (const { list, owner, block, by } of this.changes.values()) {
      if (by === 0) continue;
      this.db.run(
        `INSERT INTO list_blocks (list, owner, block, n) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (list, owner, block) DO UPDATE SET n = n + ?4`,
        list,
        owner,
        block,
        by,
      );
    }
    this.changes.clear();
  }

  /** Forgets what was counted, with the transaction that is rolled back. */
  clear(): void {
    this.changes.clear();
  }
}

/** Where a page of a list begins: `skip` items after the first with an id of `from` or more. */
export interface PagePlace {
  total: number;
  from: number;
  skip: number;
}

/** The place of a page; with an offset beyond the list there is nothing from there on. */
export function findPage(db: Database, list: CountedList, owner: number, { offset }: PageQuery): PagePlace {
  const blocks = db.all<{ block: number; n: number }>(
    'SELECT block, n FROM list_blocks WHERE list = ? AND owner = ? ORDER BY block',
    list,
    owner,
  );
  const total = blocks.reduce((sum, { n }) => sum + n, 0);
  let before = 0;
  for (const { block, n } of blocks) {
    if (offset < before + n) return { total, from: block * 2 ** BLOCK_BITS, skip: offset - before };
    before += n;
  }
  return { total, from: Number.MAX_SAFE_INTEGER, skip: 0 };
}
