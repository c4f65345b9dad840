import { LISTED_FACTS, type ListedFacts, type Message } from '../../../domain/messages/message';
import type { ListQuery, MessageFilter, MessagePage } from '../../ports/message-store';
import type { EngagementFilter } from '../../../domain/messages/message-hour';
import { defined } from '../../../lib/defined';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { columnName } from '../database/column-definitions';
import type { Value } from '../database/database';
import { inList } from './list-messages';
import { MESSAGE } from './message-fields';

/** The reads of a connection. */
export interface Reads {
  all<T>(sql: string, ...parameters: Value[]): T[];
}

/** True for a list that goes by more than the status: the counts of blocks do not help it. */
export const isSearch = ({ status: _s, offset: _o, limit: _l, countUpTo: _c, ...filters }: ListQuery): boolean =>
  Object.keys(defined(filters)).length > 0;

/** A condition and the values of its placeholders. */
export type Condition = readonly [sql: string, ...values: Value[]];

/** Where a list is found: its tables with the index, its condition, and its columns from newest to oldest. */
export interface Place {
  from: string;
  where: string;
  parameters: Value[];
  order: readonly string[];
  /** The table that alone gives the total, when the messages themselves need not be read for it. */
  counted?: string;
}

/**
 * The messages of a search, newest first. Those of a contact are few and go by its index. All others go by time: the
 * total and the place of a page come from the index alone, read from the nearer end; where not all are counted, from
 * the newest.
 */
export function findMessages(db: Reads, workspaceId: number, query: ListQuery): MessagePage {
  const { from, counted = from, where, parameters, order } = placeOf(workspaceId, query);
  const most = query.countUpTo ?? Number.MAX_SAFE_INTEGER - 1;
  const { found } = db.all<{ found: number }>(
    `SELECT count(*) AS found FROM (SELECT 1 FROM ${counted} WHERE ${where} LIMIT ?)`,
    ...parameters,
    most + 1,
  )[0]!;
  const [total, isMore] = [Math.min(found, most), found > most];
  const limit = isMore ? query.limit : Math.min(query.limit, total - query.offset);
  if (limit <= 0) return { total, isMore, items: [] };
  const behind = total - query.offset - limit;
  const forward = !isMore && behind < query.offset;
  const rows = db.all<object>(
    `SELECT ${MESSAGE.select('m')} FROM ${from} WHERE ${where}
     ORDER BY ${order.map((column) => `${column} ${forward ? 'ASC' : 'DESC'}`).join(', ')} LIMIT ? OFFSET ?`,
    ...parameters,
    limit,
    forward ? behind : query.offset,
  );
  const items = rows.map((row): Message => MESSAGE.fromRow(row));
  return { total, isMore, items: forward ? items.reverse() : items };
}

/** What the columns of opened_messages say, by what is looked for. */
const OPENED: Readonly<Record<Exclude<EngagementFilter, 'complained'>, string>> = {
  opened: 'o.opened_by_people = 1',
  clicked: 'o.clicked_by_people = 1',
  'opened-by-machines': 'o.opened_by_people = 0',
  'clicked-by-machines': 'o.clicked = 1 AND o.clicked_by_people = 0',
};

const is =
  (name: keyof Message) =>
  (value: Value): Condition => [`m.${columnName(name)} = ?`, value];
type Listed = Conditions<ListedFacts, Condition>;

/** What each filter asks of a message. Time and what recipients did choose the index as well. */
const CONDITIONS: Conditions<Omit<MessageFilter, 'since' | 'until' | 'engagement'>, Condition> = {
  contactId: is('contactId'),
  ...(Object.fromEntries(LISTED_FACTS.map((name) => [name, is(name)])) as unknown as Listed),
  status: (status) => [`m.status IN (${inList(status)})`],
};

/** Where the messages of a filter are found. */
export function placeOf(workspaceId: number, query: MessageFilter): Place {
  const { contactId, since, until, engagement } = query;
  const rest = conditionsOf(CONDITIONS, query);
  const parameters = [
    workspaceId,
    since ?? Number.MIN_SAFE_INTEGER,
    until ?? Number.MAX_SAFE_INTEGER,
    ...rest.flatMap(([, ...values]) => values),
  ];
  const where = (of: string, ...more: readonly string[]): string =>
    [`${of}.workspace_id = ? AND ${of}.created_at BETWEEN ? AND ?`, ...rest.map(([sql]) => sql), ...more].join(' AND ');
  const byTime = { parameters, order: ['m.created_at', 'm.seq'] };
  const messages = (index: string): string => `messages m INDEXED BY ${index}`;
  if (engagement === undefined) {
    if (contactId === undefined) return { ...byTime, from: messages('messages_by_time'), where: where('m') };
    return { from: messages('messages_of_contact'), where: where('m'), parameters, order: ['m.seq'] };
  }
  if (engagement === 'complained') {
    return {
      ...byTime,
      from: messages('messages_complained_by_time'),
      where: where('m', 'm.complained_at IS NOT NULL'),
    };
  }
  return {
    from: 'opened_messages o CROSS JOIN messages m ON m.seq = o.seq',
    where: where('o', OPENED[engagement]),
    parameters,
    order: ['o.created_at', 'o.seq'],
    ...(rest.length === 0 && { counted: 'opened_messages o' }),
  };
}
