import { BLOCK_SIZE, blockOf, findPlace, totalOf, type CountedList, type ListBlock } from '../../../domain/list-blocks';
import type { PageQuery } from '../../ports/page';
import type { Database } from '../database/database';

/** A count of blocks of ids (level 0), or of blocks of blocks (level 1): however long a list is, few rows lead to a page. */
export interface LevelledBlock {
  level: 0 | 1;
  block: number;
}

/** The blocks of both levels that an id is counted in. */
export function blocksOf(id: number): [LevelledBlock, LevelledBlock] {
  const block = blockOf(id);
  return [
    { level: 0, block },
    { level: 1, block: blockOf(block) },
  ];
}

interface Change extends LevelledBlock {
  list: CountedList;
  owner: number;
  by: number;
}

/** Counts items of lists by blocks (see ListBlock). What one commit counts is added up first: it mostly lies in one block. */
export class ListCounts {
  private readonly changes = new Map<string, Change>();

  constructor(private readonly db: Database) {}

  add(list: CountedList, owner: number, id: number, by: number): void {
    for (const { level, block } of blocksOf(id)) {
      const key = `${list} ${owner} ${level} ${block}`;
      const known = this.changes.get(key);
      if (known) known.by += by;
      else this.changes.set(key, { list, owner, level, block, by });
    }
  }

  /** Writes what was counted; the last thing a transaction does. */
  flush(): void {
    if (this.changes.size === 0) return;
    for (const { list, owner, level, block, by } of this.changes.values()) {
      if (by === 0) continue;
      this.db.run(
        `INSERT INTO list_blocks (list, owner, level, block, n) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (list, owner, level, block) DO UPDATE SET n = n + ?5`,
        list,
        owner,
        level,
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
interface PagePlace {
  total: number;
  from: number;
  skip: number;
}

/** The place of the page that begins at `offset`; with an offset beyond the list there is nothing from there on. */
export function findPage(db: Database, list: CountedList, owner: number, { offset }: PageQuery): PagePlace {
  const outer = db.all<ListBlock>(
    'SELECT block, n FROM list_blocks WHERE list = ? AND owner = ? AND level = 1 ORDER BY block',
    list,
    owner,
  );
  const total = totalOf(outer);
  const shelf = findPlace(outer, offset);
  if (!shelf) return { total, from: Number.MAX_SAFE_INTEGER, skip: 0 };
  const first = shelf.block * BLOCK_SIZE;
  const inner = db.all<ListBlock>(
    'SELECT block, n FROM list_blocks WHERE list = ? AND owner = ? AND level = 0 AND block BETWEEN ? AND ? ORDER BY block',
    list,
    owner,
    first,
    first + BLOCK_SIZE - 1,
  );
  const place = findPlace(inner, shelf.skip);
  return { total, from: (place?.block ?? first) * BLOCK_SIZE, skip: place?.skip ?? 0 };
}
