import type { Message } from '../../../domain/messages/message';
import type { ListQuery, MessagePage } from '../../ports/message-store';
import type { Value } from '../database/database';
import { MESSAGE } from './message-fields';

/** The reads of a connection. */
export interface Reads {
  all<T>(sql: string, ...parameters: Value[]): T[];
}

/** True for a list that goes by recipient, time or channel: the counts of blocks do not help it. */
export const isSearch = ({ channel, since, until, contactId }: ListQuery): boolean =>
  [channel, since, until, contactId].some((filter) => filter !== undefined);

/** Where a list is found: its index, its condition, and its columns from newest to oldest. */
interface Place {
  index: string;
  where: string;
  parameters: Value[];
  order: readonly string[];
}

/**
 * The messages of a search, newest first. Those of a contact are few and go by its index. All others go by time: the
 * total and the place of a page come from the index alone, read from the nearer end.
 */
export function findMessages(db: Reads, workspaceId: number, query: ListQuery): MessagePage {
  const place = placeOf(workspaceId, query);
  const from = `FROM messages m INDEXED BY ${place.index} WHERE ${place.where}`;
  const { total } = db.all<{ total: number }>(`SELECT count(*) AS total ${from}`, ...place.parameters)[0]!;
  const limit = Math.min(query.limit, total - query.offset);
  if (limit <= 0) return { total, items: [] };
  const behind = total - query.offset - limit;
  const forward = behind < query.offset;
  const rows = db.all<object>(
    `SELECT ${MESSAGE.select('m')} ${from}
     ORDER BY ${place.order.map((column) => `m.${column} ${forward ? 'ASC' : 'DESC'}`).join(', ')} LIMIT ? OFFSET ?`,
    ...place.parameters,
    limit,
    forward ? behind : query.offset,
  );
  const items = rows.map((row): Message => MESSAGE.fromRow(row));
  return { total, items: forward ? items.reverse() : items };
}

function placeOf(workspaceId: number, { contactId, since, until, channel, status }: ListQuery): Place {
  const equal: readonly (readonly [string, Value | undefined])[] = [
    ['contact_id', contactId],
    ['channel', channel],
    ['status', status],
  ];
  const given = equal.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  return {
    index: contactId === undefined ? 'messages_by_time' : 'messages_of_contact',
    where: [
      'm.workspace_id = ? AND m.created_at BETWEEN ? AND ?',
      ...given.map(({ column }) => `m.${column} = ?`),
    ].join(' AND '),
    parameters: [
      workspaceId,
      since ?? Number.MIN_SAFE_INTEGER,
      until ?? Number.MAX_SAFE_INTEGER,
      ...given.map(({ value }) => value),
    ],
    order: contactId === undefined ? ['created_at', 'seq'] : ['seq'],
  };
}
