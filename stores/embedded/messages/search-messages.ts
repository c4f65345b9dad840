import type { Message } from '../../../domain/messages/message';
import type { FoundMessages, MessagePoint, MessageSearch } from '../../ports/message-finder';
import { scanMessages, metadataTexts, type SearchStep } from '../../shared/scan-messages';
import type { MessageFilter } from '../../ports/message-store';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { placeOf, type Condition, type Reads } from './find-messages';
import { MESSAGE } from './message-fields';

/** Messages that are looked at in one step. */
const STEP = 2_000;

/**
 * See MessageFinder.find. Steps of `size` messages go along an index; those of a step are read one by one. A step of
 * the usual size takes some milliseconds.
 */
export async function searchMessages(
  db: Reads,
  workspaceId: number,
  search: MessageSearch,
  size = STEP,
): Promise<FoundMessages> {
  const within = search.campaign ? ofCampaign(db, search, search.campaign.id) : search;
  if (!within) return { items: [], next: null };
  return scanMessages(within, (after, limit) => lookAt(db, workspaceId, { ...within, after, limit, size }));
}

type Step = Omit<MessageSearch, 'after'> & { after: MessagePoint | undefined; size: number };

interface Row {
  id: string;
  created_at: number;
  seq: number;
}

function lookAt(db: Reads, workspaceId: number, { after, ...search }: Step): SearchStep {
  const isByTime = placeOf(workspaceId, search).order.length > 1;
  const until = after && isByTime ? Math.min(after.at, search.until ?? after.at) : search.until;
  const start = after && rowOf(db, after);
  /** The statement from `start` to `end`. The bounds of time are those of the index; it steps over nothing else. */
  const select = (columns: string, end: Row | undefined, fits: readonly Condition[], rest: string): Condition => {
    const since = end && isByTime ? end.created_at : search.since;
    const bounds = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
    const { from, where, parameters, order } = placeOf(workspaceId, { ...search, ...bounds });
    // By contact the order is that of the rows alone.
    const place = isByTime ? `(${order.join(', ')})` : order[0]!;
    const beside = (sign: '<' | '>=', of: Pick<Row, 'created_at' | 'seq'>): Condition =>
      isByTime ? [`${place} ${sign} (?, ?)`, of.created_at, of.seq] : [`${place} ${sign} ?`, of.seq];
    const all = [...(start ? [beside('<', start)] : []), ...(end ? [beside('>=', end)] : []), ...fits];
    const sql = `SELECT ${columns} FROM ${from} WHERE ${[where, ...all.map(([one]) => one)].join(' AND ')}
      ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} ${rest}`;
    return [sql, ...parameters, ...all.flatMap(([, ...given]) => given)];
  };
  const [lastSql, ...lastValues] = select('m.id, m.created_at, m.seq', undefined, [], 'LIMIT 1 OFFSET ?');
  const [last] = db.all<Row>(lastSql, ...lastValues, search.size - 1);
  const [sql, ...values] = select(MESSAGE.select('m'), last, conditionsOf(CONDITIONS, search), 'LIMIT ?');
  const rows = db.all<object>(sql, ...values, search.limit);
  return {
    items: rows.map((row): Message => MESSAGE.fromRow(row)),
    last: last ? { id: last.id, at: last.created_at } : null,
  };
}

const rowOf = (db: Reads, { id, at }: MessagePoint): { created_at: number; seq: number } => ({
  created_at: at,
  seq: db.all<{ seq: number }>('SELECT seq FROM messages WHERE id = ?', id)[0]?.seq ?? 0,
});

/** The rows of a campaign lie together in its index, which does not know their time. */
function ofCampaign(db: Reads, search: MessageSearch, campaignId: number): MessageSearch | null {
  const [times] = db.all<{ first: number | null; last: number | null }>(
    `SELECT (SELECT created_at FROM messages WHERE seq = first) AS first,
       (SELECT created_at FROM messages WHERE seq = last) AS last
     FROM (SELECT min(seq) AS first, max(seq) AS last FROM messages INDEXED BY messages_of_campaign
       WHERE lane = 'campaign' AND campaign_id = ?)`,
    campaignId,
  );
  if (times?.first == null || times.last === null) return null;
  const { since = times.first, until = times.last } = search;
  return { ...search, since: Math.max(since, times.first), until: Math.min(until, times.last) };
}

/** What is in no index. */
const CONDITIONS: Conditions<Omit<MessageSearch, keyof MessageFilter | 'after' | 'limit'>, Condition> = {
  campaign: ({ id }) => [`m.campaign_id = ? AND m.lane = 'campaign'`, id],
  domainId: (id) => ['m.domain_id = ?', id],
  toDomain: (domain) => ['substr(m.recipient, ?) = ?', -domain.length - 1, `@${domain}`],
  subject: inSubject,
  metadata: (wanted) => {
    const texts = metadataTexts(wanted);
    return [`(${texts.map(() => 'instr(m.metadata, ?)').join(' OR ')})`, ...texts];
  },
};

/** LIKE is the quicker one, and knows the cases of ASCII only. */
function inSubject(part: string): Condition {
  if (/^[\0-\x7f]*$/.test(part)) return [`m.subject LIKE ? ESCAPE '\\'`, `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`];
  const letters = [...part].map((letter) => {
    const cases = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(
      (one) => [...one].length === 1,
    );
    return cases.length > 1 || '*?['.includes(letter) ? `[${cases.join('')}]` : letter;
  });
  return ['m.subject GLOB ?', `*${letters.join('')}*`];
}
