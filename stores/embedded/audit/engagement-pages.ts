import { HOUR } from '../../../lib/clock';
import type { EngagementRecord } from '../../../domain/audit/check-engagement';
import type { MailActivity, RollUp } from '../../../domain/engagement/engagement';
import type { ReadOnlyFile } from './read-only-file';

/** Contacts per page. */
const PAGE = 500;

interface KeptRow {
  contact_id: number;
  hour: number;
  opened: number;
  clicked: number;
  clicks: number;
  opened_by_people: number;
  clicked_by_people: number;
  clicks_by_people: number;
  last_at: number | null;
}

interface ActivityRow {
  contact_id: number;
  message_id: string;
  last_at: number;
  last_click_at: number | null;
  clicks: number;
  people_last_at: number | null;
  people_last_click_at: number | null;
  people_clicks: number;
}

/** The counts of the contacts of a workspace, by contact id, then the rows that name no contact of the workspace. */
export async function* engagementPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<EngagementRecord[]> {
  for (let after = 0; ;) {
    const ids = file
      .all<{
        id: number;
      }>('SELECT id FROM contacts WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?', workspaceId, after, PAGE)
      .map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) break;
    yield recordsOf(file, workspaceId, ids);
    after = last;
  }
  const strays = file.pages<KeptRow>(
    PAGE,
    `SELECT e.* FROM engagement e WHERE e.workspace_id = ?1
       AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = e.contact_id AND c.workspace_id = ?1)`,
    workspaceId,
  );
  for (const page of strays) {
    yield page.map((row) => ({
      contactId: row.contact_id,
      exists: false,
      kept: [toRollUp(row)],
      activities: [],
      noted: null,
      notedOfPeople: null,
    }));
  }
}

function recordsOf(file: ReadOnlyFile, workspaceId: number, ids: readonly number[]): EngagementRecord[] {
  const range = [workspaceId, ids[0]!, ids.at(-1)!] as const;
  const kept = new Map<number, RollUp[]>(ids.map((id) => [id, []]));
  const activities = new Map<number, MailActivity[]>(ids.map((id) => [id, []]));
  for (const row of readKept(file, ...range)) kept.get(row.contact_id)?.push(toRollUp(row));
  for (const row of readActivities(file, ...range)) activities.get(row.contact_id)?.push(toActivity(row));
  return ids.map((contactId) => ({
    contactId,
    exists: true,
    kept: kept.get(contactId) ?? [],
    activities: activities.get(contactId) ?? [],
    noted: null,
    notedOfPeople: null,
  }));
}

/** Ordered by contact, then by hour. */
function readKept(file: ReadOnlyFile, ...range: readonly [number, number, number]): KeptRow[] {
  return file.all<KeptRow>(
    `SELECT e.* FROM contacts c CROSS JOIN engagement e INDEXED BY engagement_of_contact
       ON e.contact_id = c.id AND e.workspace_id = ?1
     WHERE c.workspace_id = ?1 AND c.id BETWEEN ?2 AND ?3`,
    ...range,
  );
}

function readActivities(file: ReadOnlyFile, ...range: readonly [number, number, number]): ActivityRow[] {
  return file.all<ActivityRow>(
    `SELECT m.contact_id, s.message_id, max(s.at) AS last_at, max(iif(s.kind = 'click', s.at, NULL)) AS last_click_at,
       sum(s.kind = 'click') AS clicks, max(iif(s.machine IS NULL, s.at, NULL)) AS people_last_at,
       max(iif(s.kind = 'click' AND s.machine IS NULL, s.at, NULL)) AS people_last_click_at,
       sum(s.kind = 'click' AND s.machine IS NULL) AS people_clicks
     FROM contacts c CROSS JOIN messages m ON m.contact_id = c.id
       CROSS JOIN signals s ON s.message_id = m.id AND s.kind IN ('open', 'click')
     WHERE c.workspace_id = ?1 AND c.id BETWEEN ?2 AND ?3 GROUP BY m.seq, s.at / ${HOUR}`,
    ...range,
  );
}

const toRollUp = ({ hour, opened, clicked, clicks, ...row }: KeptRow): RollUp => ({
  hour,
  opened,
  clicked,
  clicks,
  openedByPeople: row.opened_by_people,
  clickedByPeople: row.clicked_by_people,
  clicksByPeople: row.clicks_by_people,
  lastAt: row.last_at,
});

const toActivity = (row: ActivityRow): MailActivity => ({
  messageId: row.message_id,
  lastAt: row.last_at,
  lastClickAt: row.last_click_at,
  clicks: row.clicks,
  people: { lastAt: row.people_last_at, lastClickAt: row.people_last_click_at, clicks: row.people_clicks },
});
