import type { ListCount } from '../../../domain/audit/check-lists';
import { MESSAGE_STATUSES } from '../../../domain/message';
import { BLOCK_SIZE, blockOf } from '../../ports/list-blocks';
import type { ReadOnlyFile } from './read-only-file';

/** Counters of one page at least. */
const PAGE = 500;

/** Rows of a workspace with a number in ascending order, and what is summed up over a block of them. */
interface Rows {
  from: string;
  /** With one hole for the workspace. */
  where: string;
  number: string;
  sums: readonly string[];
}

/** A table of counters by blocks, and the table that it counts. */
interface Counters {
  /** Names of the lists, one for each column. */
  lists: readonly string[];
  table: string;
  where: string;
  columns: readonly string[];
  counts: Rows;
}

const COUNTERS: readonly Counters[] = [
  {
    lists: ['contacts'],
    table: 'list_blocks',
    where: `list = 'contacts' AND owner = ?`,
    columns: ['n'],
    counts: { from: 'contacts', where: 'workspace_id = ?', number: 'id', sums: ['count(*)'] },
  },
  {
    lists: MESSAGE_STATUSES.map((status) => `${status} messages`),
    table: 'message_blocks',
    where: 'workspace_id = ?',
    columns: MESSAGE_STATUSES,
    counts: {
      from: 'messages',
      where: 'workspace_id = ?',
      number: 'seq',
      sums: MESSAGE_STATUSES.map((status) => `sum(status = '${status}')`),
    },
  },
];

/** Every counter of the lists of a workspace beside what it counts; steps from block to block through the keys. */
export async function* listPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<ListCount[]> {
  for (const { lists, table, where, columns, counts } of COUNTERS) {
    const level = (n: 0 | 1, sums: readonly string[]): Rows => ({
      from: table,
      where: `${where} AND level = ${n}`,
      number: 'block',
      sums,
    });
    const summed = columns.map((column) => `sum(${column})`);
    const [inner, outer] = [new Blocks(file, workspaceId, level(0, columns)), level(1, columns)];
    const ofLists = { lists, idsOfBlock: BLOCK_SIZE };
    yield* compare(ofLists, new Blocks(file, workspaceId, counts, BLOCK_SIZE), inner);
    // The counters of blocks of blocks are held against those of blocks, which were held against the rows.
    yield* compare(
      { lists, idsOfBlock: BLOCK_SIZE ** 2 },
      new Blocks(file, workspaceId, level(0, summed), BLOCK_SIZE),
      new Blocks(file, workspaceId, outer),
    );
  }
}

/** Rows by blocks of `size` of their numbers. */
class Blocks {
  constructor(
    private readonly file: ReadOnlyFile,
    private readonly workspaceId: number,
    private readonly rows: Rows,
    private readonly size = 1,
  ) {}

  /** The first block from `block` on that has a row; Infinity when there is none. */
  next(block: number): number {
    const { from, where, number } = this.rows;
    const sql = `SELECT min(${number}) AS next FROM ${from} WHERE ${where} AND ${number} >= ?`;
    const next = this.file.get<{ next: number | null }>(sql, this.workspaceId, block * this.size)?.next;
    return next == null ? Infinity : this.size === 1 ? next : blockOf(next);
  }

  sums(block: number): number[] {
    const { from, where, number, sums } = this.rows;
    const named = sums.map((sum, n) => `${sum} AS s${n}`).join(', ');
    const sql = `SELECT ${named} FROM ${from} WHERE ${where} AND ${number} BETWEEN ? AND ?`;
    const first = block * this.size;
    const row = this.file.get<Record<string, number | null>>(sql, this.workspaceId, first, first + this.size - 1);
    return sums.map((_, n) => row?.[`s${n}`] ?? 0);
  }
}

function* compare(
  { lists, idsOfBlock }: { lists: readonly string[]; idsOfBlock: number },
  there: Blocks,
  counters: Blocks,
): Generator<ListCount[]> {
  let page: ListCount[] = [];
  const next = (from: number): number => Math.min(there.next(from), counters.next(from));
  for (let block = next(0); block !== Infinity; block = next(block + 1)) {
    const [items, counted] = [there.sums(block), counters.sums(block)];
    const range = { from: block * idsOfBlock, to: (block + 1) * idsOfBlock - 1 };
    page.push(...lists.map((list, n) => ({ list, ...range, items: items[n] ?? 0, counted: counted[n] ?? 0 })));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
