import {
  BLOCK_SIZE,
  blockOf,
  findPlace,
  totalOf,
  type CountedList,
  type ListBlock,
} from '../../../domain/contacts/list-blocks';
import type { PageQuery } from '../../ports/page';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';

/**
 * A block of ids (level 0), or a block of blocks (level 1). With two levels, a page of a long list is found in few
 * rows.
 */
export interface LevelledBlock {
  level: 0 | 1;
  block: number;
}

/** The blocks of both levels that count an id. */
export function blocksOf(id: number): [LevelledBlock, LevelledBlock] {
  const block = blockOf(id);
  return [
    { level: 0, block },
    { level: 1, block: blockOf(block) },
  ];
}

const BLOCK = new ColumnList<LevelledBlock & { list: CountedList; owner: number; n: number }>(
  'list_blocks',
  columns('list', 'owner', 'level', 'block', 'n'),
);

interface Change extends LevelledBlock {
  list: CountedList;
  owner: number;
  by: number;
}

/**
 * Counts items of lists by block (see ListBlock). Sums up the changes of one commit first, since most are in one block.
 */
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

  /** Writes the counts; the last step of a transaction. */
  flush(): void {
    if (this.changes.size === 0) return;
    for (const { list, owner, level, block, by } of this.changes.values()) {
      if (by === 0) continue;
      BLOCK.upsert(this.db, 'DO UPDATE SET n = n + excluded.n', { list, owner, level, block, n: by });
    }
    this.changes.clear();
  }

  /** Discards the counts when the transaction is rolled back. */
  clear(): void {
    this.changes.clear();
  }
}

/** The start of a page of a list: `skip` items after the first item with an id of at least `from`. */
interface PagePlace {
  total: number;
  from: number;
  skip: number;
}

/** Finds the start of the page at `offset`. If the offset is beyond the list, no item has an id of at least `from`. */
export function findPage(db: Database, list: CountedList, owner: number, { offset }: PageQuery): PagePlace {
  const outer = db.all<ListBlock>(
    'SELECT block, n FROM list_blocks WHERE list = ? AND owner = ? AND level = 1 ORDER BY block',
    list,
    owner,
  );
  const total = totalOf(outer);
  const outerBlock = findPlace(outer, offset);
  if (!outerBlock) return { total, from: Number.MAX_SAFE_INTEGER, skip: 0 };
  const first = outerBlock.block * BLOCK_SIZE;
  const inner = db.all<ListBlock>(
    'SELECT block, n FROM list_blocks WHERE list = ? AND owner = ? AND level = 0 AND block BETWEEN ? AND ? ORDER BY block',
    list,
    owner,
    first,
    first + BLOCK_SIZE - 1,
  );
  const place = findPlace(inner, outerBlock.skip);
  return { total, from: (place?.block ?? first) * BLOCK_SIZE, skip: place?.skip ?? 0 };
}
