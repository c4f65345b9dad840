import type { ListCount } from '../../domain/audit/check-lists';
import { BLOCK_SIZE, blockOf, type CountedList } from '../../domain/contacts/list-blocks';
import { hourOf } from '../../domain/engagement/engagement';
import { ENGAGEMENT_COUNTS, type MessageHour } from '../../domain/messages/message-hour';
import { MESSAGE_STATUSES, type MessageStatus } from '../../domain/messages/message';
import { HOUR } from '../../lib/clock';
import type { AuditSnapshot, Kept } from '../../stores/ports/audit-source';
import { countIn, find } from './rows';

/** What is counted by hour. */
const DID = [...ENGAGEMENT_COUNTS, 'complained'] as const;
const BY_HOUR = [...MESSAGE_STATUSES, ...DID] as const;

/** Items by block. Memory use grows by one number per 1,024 ids. */
type Blocks = Map<number, number>;

/** Every counter used for paging the lists of a workspace, with the number of items it should count. */
export async function* listCounts(rows: AuditSnapshot, kept: Kept, workspaceId: number): AsyncGenerator<ListCount[]> {
  const { contacts, messages } = kept.blockLevels;
  const items: Blocks = new Map();
  const uncounted: Blocks = new Map();
  for await (const page of rows.scan('contacts', workspaceId)) {
    for (const { id } of page) countIn(items, blockOf(id));
    for (const { id, isCounted } of page) if (!isCounted) countIn(uncounted, blockOf(id));
  }
  yield compare('contacts', contacts, items, await countersOf(rows, 'contacts', workspaceId, uncounted));
  yield* messageCounts(rows, kept, messages, workspaceId);
  yield* memberCounts(rows, kept.blockLevels.members, workspaceId);
}

async function* messageCounts(
  rows: AuditSnapshot,
  { everyHour }: Kept,
  levels: number,
  workspaceId: number,
): AsyncGenerator<ListCount[]> {
  const hours = new Map(BY_HOUR.map((name) => [name, new Map<number, number>()]));
  const items = new Map<MessageStatus, Blocks>(MESSAGE_STATUSES.map((status) => [status, new Map()]));
  for await (const page of rows.scan('statuses', workspaceId)) {
    for (const { key, status, createdAt, ...did } of page) {
      const blocks = items.get(status);
      if (blocks) {
        countIn(blocks, blockOf(Number(key)));
        countIn(hours.get(status)!, hourOf(createdAt));
      }
      for (const name of DID) countIn(hours.get(name)!, hourOf(createdAt), did[name]);
    }
  }
  yield* hourCounts(await find(rows, 'messageHours', 'workspaceId', [workspaceId]), hours, everyHour);
  if (levels === 0) return;
  const counters = await find(rows, 'messageBlocks', 'workspaceId', [workspaceId]);
  for (const [status, blocks] of items) {
    const counted = new Counters(counters.map((row) => ({ ...row, n: row[status] })));
    yield compare(`${status} messages`, levels, blocks, counted);
  }
}

function* hourCounts(
  kept: readonly MessageHour[],
  hours: ReadonlyMap<(typeof BY_HOUR)[number], Blocks>,
  everyHour: boolean,
): Generator<ListCount[]> {
  for (const [name, items] of hours) {
    const counted = new Map(kept.map((of) => [of.hour, of[name]]));
    const starts = new Set([...(everyHour ? items.keys() : []), ...counted.keys()]);
    yield [...starts].map((from) => ({
      list: `${name} messages by time of acceptance,`,
      from,
      to: from + HOUR - 1,
      items: items.get(from) ?? 0,
      counted: counted.get(from) ?? 0,
    }));
  }
}

async function* memberCounts(rows: AuditSnapshot, levels: number, workspaceId: number): AsyncGenerator<ListCount[]> {
  for await (const audiences of rows.scan('audiences', workspaceId)) {
    for (const { id, contactsCount: counted } of audiences) {
      const list = `members of audience ${id}`;
      const members = await countMembers(rows, id);
      yield compare(list, levels, members, await countersOf(rows, 'members', id));
      const items = [...members.values()].reduce((sum, n) => sum + n, 0);
      yield [{ list: `${list} in all,`, from: 0, to: Number.MAX_SAFE_INTEGER, items, counted }];
    }
  }
}

/** A member whose contact is gone does not count, so its counter is reported as too high. */
async function countMembers(rows: AuditSnapshot, audienceId: number): Promise<Blocks> {
  const members: Blocks = new Map();
  for await (const page of rows.scan('members', audienceId)) {
    const ids = page.map(({ contactId }) => contactId);
    const known = new Set((await find(rows, 'contacts', 'id', ids)).map(({ id }) => id));
    for (const id of ids) countIn(members, blockOf(id), Number(known.has(id)));
  }
  return members;
}

/** The stored counters of a list, by level. */
class Counters {
  private readonly levels: readonly Blocks[] = [new Map(), new Map()];

  constructor(rows: readonly { level: number; block: number; n: number }[], uncounted: Blocks = new Map()) {
    for (const { level, block, n } of rows) if (this.levels[level]) countIn(this.levels[level], block, n);
    for (const [block, n] of uncounted) countIn(this.at(0), block, n);
  }

  at(level: number): Blocks {
    return this.levels[level] ?? new Map<number, number>();
  }
}

const countersOf = async (
  rows: AuditSnapshot,
  list: CountedList,
  owner: number,
  uncounted?: Blocks,
): Promise<Counters> => new Counters(await find(rows, 'blocks', 'list', [[list, owner]]), uncounted);

function compare(list: string, levels: number, items: Blocks, counters: Counters): ListCount[] {
  const inner = compareLevel(list, BLOCK_SIZE, items, counters.at(0));
  if (levels < 2) return inner;
  // Counters of blocks of blocks are compared with counters of blocks, which were compared with the rows.
  const sums: Blocks = new Map();
  for (const [block, n] of counters.at(0)) countIn(sums, blockOf(block), n);
  return [...inner, ...compareLevel(list, BLOCK_SIZE ** 2, sums, counters.at(1))];
}

const compareLevel = (list: string, size: number, items: Blocks, counted: Blocks): ListCount[] =>
  [...new Set([...items.keys(), ...counted.keys()])]
    .sort((a, b) => a - b)
    .map((block) => ({
      list,
      from: block * size,
      to: (block + 1) * size - 1,
      items: items.get(block) ?? 0,
      counted: counted.get(block) ?? 0,
    }));
