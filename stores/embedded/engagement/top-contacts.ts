import type { ContactStatus } from '../../../domain/contacts/contact';
import { ALL_TIME, type Engagement, type EngagementOrder } from '../../../domain/engagement/engagement';
import type { EngagementQuery } from '../../ports/engagement-store';
import type { Page } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import type { Value } from '../database/database';

/** A database that can be read. */
export interface Readable {
  all<T>(sql: string, ...parameters: Value[]): T[];
}

/**
 * From this number of members on, scanning all rows of the period is faster than looking up the rows of each member.
 */
const MANY = 2_000;

const ORDERS: Record<EngagementOrder, string> = {
  opens: 'opened DESC, clicked DESC, clicks DESC, contact_id',
  clicks: 'clicked DESC, clicks DESC, opened DESC, contact_id',
};

interface Sums {
  total: number;
  /** Null in the single row of an empty page. */
  contact_id: number | null;
  opened: number;
  clicked: number;
  clicks: number;
}

interface Details {
  id: number;
  email: string;
  name: string | null;
  status: ContactStatus;
  last_at: number;
  received: number;
  opened_by_people: number;
  clicked_by_people: number;
  clicks_by_people: number;
}

/** EngagementStore.top. May take a few seconds; see there. */
export function topContacts(db: Readable, workspaceId: number, query: EngagementQuery): Page<Engagement> {
  const rows = rankedSums(db, workspaceId, query);
  const ids = rows.flatMap(({ contact_id: id }) => (id === null ? [] : [id]));
  const details = new Map(readDetails(db, workspaceId, ids, query.since).map((found) => [found.id, found]));
  const items = rows.flatMap(({ contact_id: id, opened, clicked, clicks }): Engagement[] => {
    const found = details.get(id ?? -1);
    if (!found) return [];
    const { email, name, status, received, last_at: lastActivityAt } = found;
    const people = {
      openedByPeople: found.opened_by_people,
      clickedByPeople: found.clicked_by_people,
      totalClicksByPeople: found.clicks_by_people,
    };
    return [
      {
        contact: { id: found.id, email, name, status },
        received,
        opened,
        clicked,
        totalClicks: clicks,
        ...people,
        lastActivityAt,
      },
    ];
  });
  return { total: rows[0]?.total ?? 0, items };
}

/** The contacts of the page in order, each with the total. A page beyond the end has one row without a contact. */
function rankedSums(
  db: Readable,
  workspaceId: number,
  { by, since, audienceId, offset, limit, ...left }: EngagementQuery,
): Sums[] {
  allRead(left);
  return db.all<Sums>(
    `WITH active AS MATERIALIZED (${activeContacts(since, audienceId === null ? 'none' : audienceSize(db, audienceId))})
     SELECT t.total, p.* FROM (SELECT count(*) AS total FROM active) t
     LEFT JOIN (SELECT * FROM active ORDER BY ${ORDERS[by]} LIMIT ?4 OFFSET ?5) p ON true ORDER BY ${ORDERS[by]}`,
    workspaceId,
    since ?? ALL_TIME,
    audienceId,
    limit,
    offset,
  );
}

type AudienceSize = 'none' | 'few' | 'many';

function audienceSize(db: Readable, audienceId: number): AudienceSize {
  const members = db.all('SELECT 1 FROM audience_members WHERE audience_id = ? LIMIT ?', audienceId, MANY);
  return members.length < MANY ? 'few' : 'many';
}

/** SQL of the active contacts. Parameters: 1 the workspace, 2 the start of the period, 3 the audience. */
export function activeContacts(since: number | null, audience: AudienceSize): string {
  const period = since === null ? 'hour = ?2' : 'hour >= ?2';
  const sums = `SELECT e.contact_id, sum(opened) AS opened, sum(clicked) AS clicked, sum(clicks) AS clicks`;
  if (audience === 'few') {
    return `${sums} FROM audience_members a CROSS JOIN engagement e INDEXED BY engagement_of_contact
        ON e.contact_id = a.contact_id AND e.workspace_id = ?1 AND ${period}
      WHERE a.audience_id = ?3 GROUP BY a.contact_id`;
  }
  const member = 'EXISTS (SELECT 1 FROM audience_members a WHERE a.audience_id = ?3 AND a.contact_id = e.contact_id)';
  const having = audience === 'many' ? ` HAVING ${member}` : '';
  return `${sums} FROM engagement e WHERE e.workspace_id = ?1 AND ${period} GROUP BY e.contact_id${having}`;
}

/** The details that are read only for the contacts of a page; see Engagement.received. */
function readDetails(db: Readable, workspaceId: number, ids: readonly number[], since: number | null): Details[] {
  return db.all<Details>(
    `WITH people AS (
       SELECT e.contact_id, sum(opened_by_people) AS opened, sum(clicked_by_people) AS clicked, sum(clicks_by_people) AS clicks
       FROM json_each(?2) j CROSS JOIN engagement e INDEXED BY engagement_of_contact
         ON e.contact_id = j.value AND e.workspace_id = ?1 AND ${since === null ? `hour = ${ALL_TIME}` : 'hour >= ?3'}
       GROUP BY e.contact_id)
     SELECT c.id, c.email, c.name, c.status, e.last_at, p.opened AS opened_by_people, p.clicked AS clicked_by_people,
       p.clicks AS clicks_by_people,
       (SELECT count(*) FROM messages m WHERE m.contact_id = c.id AND (m.dispatched_at >= ?3
          OR EXISTS (SELECT 1 FROM signals s WHERE s.message_id = m.id AND s.kind IN ('open', 'click') AND s.at >= ?3)))
       AS received
     FROM json_each(?2) j CROSS JOIN contacts c ON c.id = j.value
       CROSS JOIN engagement e ON e.workspace_id = ?1 AND e.hour = ${ALL_TIME} AND e.contact_id = c.id
       JOIN people p ON p.contact_id = c.id`,
    workspaceId,
    JSON.stringify(ids),
    since ?? 0,
  );
}
