import type { ListCount } from '../../../domain/audit/check-lists';
import { MESSAGE_STATUSES } from '../../../domain/messages/message';
import { BLOCK_SIZE, blockOf } from '../../../domain/contacts/list-blocks';
import type { ReadOnlyFile } from './read-only-file';

/** Minimum number of counters per page. */
const PAGE = 500;

/** Rows with a number in ascending order, and the sums to take over a block of them. */
interface Rows {
  from: string;
  /** With one placeholder for the owner of the list: a workspace or an audience. */
  where: string;
  number: string;
  sums: readonly string[];
}

/** A table of counters by block, and the rows that it counts. */
interface Counters {
  /** Names of the lists, one per column. */
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

interface AudienceRow {
  id: number;
  contacts_count: number;
}

/** Every counter of the lists of a workspace, with the actual count. Steps from block to block through the keys. */
export async function* listPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<ListCount[]> {
  for (const counters of COUNTERS) yield* countersOf(file, workspaceId, counters);
  const audiences = file.pages<AudienceRow>(
    PAGE,
    'SELECT id, contacts_count FROM audiences WHERE workspace_id = ?',
    workspaceId,
  );
  for (const page of audiences) for (const audience of page) yield* membersOf(file, audience);
}

/** A member whose contact is gone does not count, so its counter is reported as too high. */
function* membersOf(file: ReadOnlyFile, { id, contacts_count: counted }: AudienceRow): Generator<ListCount[]> {
  const list = `members of audience ${id}`;
  let items = 0;
  const exist = 'sum(EXISTS (SELECT 1 FROM contacts c WHERE c.id = contact_id))';
  const counts = { from: 'audience_members', where: 'audience_id = ?', number: 'contact_id', sums: [exist] };
  const where = `list = 'members' AND owner = ?`;
  const counters: Counters = { lists: [list], table: 'list_blocks', where, columns: ['n'], counts };
  for (const page of countersOf(file, id, counters)) {
    items += page.reduce((sum, count) => sum + (count.to - count.from < BLOCK_SIZE ? count.items : 0), 0);
    yield page;
  }
  yield [{ list: `${list} in all,`, from: 0, to: Number.MAX_SAFE_INTEGER, items, counted }];
}

function* countersOf(
  file: ReadOnlyFile,
  owner: number,
  { lists, table, where, columns, counts }: Counters,
): Generator<ListCount[]> {
  const level = (n: 0 | 1, sums: readonly string[]): Rows => ({
    from: table,
    where: `${where} AND level = ${n}`,
    number: 'block',
    sums,
  });
  const summed = columns.map((column) => `sum(${column})`);
  const [inner, outer] = [new Blocks(file, owner, level(0, columns)), level(1, columns)];
  const ofLists = { lists, idsOfBlock: BLOCK_SIZE };
  yield* compare(ofLists, new Blocks(file, owner, counts, BLOCK_SIZE), inner);
  // Counters of blocks of blocks are compared with counters of blocks, which were compared with the rows.
  yield* compare(
    { lists, idsOfBlock: BLOCK_SIZE ** 2 },
    new Blocks(file, owner, level(0, summed), BLOCK_SIZE),
    new Blocks(file, owner, outer),
  );
}

/** Rows in blocks of `size` consecutive numbers. */
class Blocks {
  constructor(
    private readonly file: ReadOnlyFile,
    private readonly owner: number,
    private readonly rows: Rows,
    private readonly size = 1,
  ) {}

  /** The first block that has a row, starting at `block`. Infinity if there is none. */
  next(block: number): number {
    const { from, where, number } = this.rows;
    const sql = `SELECT min(${number}) AS next FROM ${from} WHERE ${where} AND ${number} >= ?`;
    const next = this.file.get<{ next: number | null }>(sql, this.owner, block * this.size)?.next;
    return next == null ? Infinity : this.size === 1 ? next : blockOf(next);
  }

  sums(block: number): number[] {
    const { from, where, number, sums } = this.rows;
    const named = sums.map((sum, n) => `${sum} AS s${n}`).join(', ');
    const sql = `SELECT ${named} FROM ${from} WHERE ${where} AND ${number} BETWEEN ? AND ?`;
    const first = block * this.size;
    const row = this.file.get<Record<string, number | null>>(sql, this.owner, first, first + this.size - 1);
    return sums.map((_, n) => row?.[`s${n}`] ?? 0);
  }
}

function* compare(
  { lists, idsOfBlock }: { lists: readonly string[]; idsOfBlock: number },
  actual: Blocks,
  counters: Blocks,
): Generator<ListCount[]> {
  let page: ListCount[] = [];
  const next = (from: number): number => Math.min(actual.next(from), counters.next(from));
  for (let block = next(0); block !== Infinity; block = next(block + 1)) {
    const [items, counted] = [actual.sums(block), counters.sums(block)];
    const range = { from: block * idsOfBlock, to: (block + 1) * idsOfBlock - 1 };
    page.push(...lists.map((list, n) => ({ list, ...range, items: items[n] ?? 0, counted: counted[n] ?? 0 })));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
