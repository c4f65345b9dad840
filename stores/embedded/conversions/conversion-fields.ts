import type {
  Conversion,
  ConversionLink,
  LinkedConversion,
  StoredConversion,
} from '../../../domain/conversions/conversion';
import type { ConversionFilter, ConversionCursor, SalesSum } from '../../ports/conversion-store';
import type { Page, PageQuery } from '../../ports/page';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { column, ColumnList, columns, textColumn } from '../database/columns';
import type { Database, Value } from '../database/database';

/** The columns of a sale. */
export const CONVERSION = new ColumnList<Conversion>('conversions', {
  ...columns('id', 'workspaceId', 'amount', 'messageId', 'contactId', 'occurredAt', 'receivedAt'),
  orderId: textColumn('order_id'),
});
/** The columns of its link. */
export const LINK = new ColumnList<ConversionLink>('conversions', {
  ...columns('clickId', 'clickedAt', 'campaignId', 'journeyId'),
  messageId: column('clicked_message_id'),
});

/** The sale of a row. */
const toConversion = (row: { click_id: string | null }): StoredConversion => ({
  ...CONVERSION.fromRow(row),
  link: row.click_id === null ? null : LINK.fromRow(row),
});

/** A sale; null when there is none, or when it could not be linked. */
export function readConversion(db: Database, id: string): StoredConversion | null {
  const row = db.get<{ click_id: string | null }>('SELECT * FROM conversions WHERE id = ? AND unlinked = 0', id);
  return row ? toConversion(row) : null;
}

const CONDITIONS: Conditions<ConversionFilter, [sql: string, value: Value]> = {
  messageId: (id) => ['clicked_message_id = ?', id],
  campaignId: (id) => ['campaign_id = ?', id],
  journeyId: (id) => ['journey_id = ?', id],
  contactId: (id) => ['contact_id = ?', id],
  since: (at) => ['occurred_at >= ?', at],
  until: (at) => ['occurred_at <= ?', at],
};

/** The WHERE clause of a list, and its values. */
function condition(workspaceId: number, filter: ConversionFilter): [string, Value[]] {
  const parts = conditionsOf(CONDITIONS, filter);
  const where = ['click_id IS NOT NULL AND workspace_id = ?', ...parts.map(([sql]) => sql)].join(' AND ');
  return [where, [workspaceId, ...parts.map(([, value]) => value)]];
}

/** The index that a list goes by: SQLite would prefer a narrow one and sort. */
const indexOf = ({ messageId, campaignId, journeyId, contactId }: ConversionFilter): string => {
  if (messageId !== undefined) return 'conversions_of_message';
  if (contactId !== undefined) return 'conversions_by_contact';
  if (campaignId !== undefined) return 'conversions_of_campaign';
  return journeyId === undefined ? 'conversions_linked' : 'conversions_of_journey';
};

const rows = (db: Database, sql: string, ...values: Value[]): LinkedConversion[] =>
  db.all<{ click_id: string | null }>(sql, ...values).map((row) => toConversion(row) as LinkedConversion);

/** A page of the linked sales; see ConversionStore.list. */
export function listConversions(
  db: Database,
  workspaceId: number,
  filter: ConversionFilter,
  { offset, limit }: PageQuery,
): Page<LinkedConversion> {
  const [where, values] = condition(workspaceId, filter);
  const from = `FROM conversions INDEXED BY ${indexOf(filter)} WHERE ${where}`;
  const { total } = db.get<{ total: number }>(`SELECT count(*) AS total ${from}`, ...values)!;
  const page = `SELECT * ${from} ORDER BY occurred_at DESC, id DESC LIMIT ? OFFSET ?`;
  return { total, items: offset >= total ? [] : rows(db, page, ...values, limit, offset) };
}

/** The sales of a journey added up, from an index alone; see ConversionStore.ofJourney. */
export const sumOfJourney = (db: Database, journeyId: number): SalesSum =>
  db.get<SalesSum>(
    'SELECT count(*) AS conversions, coalesce(sum(amount), 0) AS revenue FROM conversions WHERE journey_id = ?',
    journeyId,
  )!;

/** The linked sales behind a cursor; see ConversionStore.listAfter. */
export function listConversionsAfter(
  db: Database,
  workspaceId: number,
  filter: ConversionFilter,
  after: ConversionCursor | null,
  limit: number,
): LinkedConversion[] {
  const [where, values] = condition(workspaceId, filter);
  const [behind, place]: [string, Value[]] = after
    ? ['AND (occurred_at, id) < (?, ?)', [after.occurredAt, after.id]]
    : ['', []];
  const from = `FROM conversions INDEXED BY ${indexOf(filter)} WHERE ${where}`;
  return rows(db, `SELECT * ${from} ${behind} ORDER BY occurred_at DESC, id DESC LIMIT ?`, ...values, ...place, limit);
}
