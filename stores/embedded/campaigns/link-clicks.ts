import type { CampaignRef, LinkClicksPage } from '../../ports/campaign-runs';
import type { Database } from '../database/database';

/** The next recipients of a campaign; all parameters are those of the page. */
const PAGE = `SELECT contact_id, message_id FROM campaign_recipients
  WHERE campaign_id = (SELECT id FROM campaigns WHERE id = ?1 AND workspace_id = ?2) AND contact_id > ?3
  ORDER BY contact_id LIMIT ?4`;

interface ClickRow {
  message_id: string;
  link: number | null;
  clicks: number;
  by_people: number;
  urls: string | null;
}

/** A page of the clicks of a campaign; see CampaignRuns.linkClicks. */
export function readLinkClicks(
  db: Database,
  { workspaceId, id }: CampaignRef,
  after: number,
  limit: number,
): LinkClicksPage {
  const page = [id, workspaceId, after, limit] as const;
  const last = db.get<{ last: number | null }>(`SELECT max(contact_id) AS last FROM (${PAGE})`, ...page)?.last ?? null;
  const rows = db.all<ClickRow>(
    `SELECT s.message_id, s.link, count(*) AS clicks, sum(s.machine IS NULL) AS by_people,
       (SELECT l.urls FROM messages m JOIN links l ON l.seq = m.seq WHERE m.id = s.message_id) AS urls
     FROM (${PAGE}) r CROSS JOIN signals s ON s.message_id = r.message_id AND s.kind = 'click'
     GROUP BY r.contact_id, s.message_id, s.link`,
    ...page,
  );
  const items = rows.map(({ message_id: messageId, link, clicks, by_people: clicksByPeople, urls }) => ({
    messageId,
    link,
    url: (link === null || urls === null ? null : (JSON.parse(urls) as string[])[link]) ?? null,
    clicks,
    clicksByPeople,
  }));
  return { items, last };
}
