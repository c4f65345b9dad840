import type { CampaignRecord } from '../../../domain/audit/check-campaign';
import { DRIVE_WORK, START_WORK } from '../../../domain/campaigns/campaign-moves';
import { readTally } from './campaign-tally';
import type { ReadOnlyFile } from './read-only-file';

const PAGE = 100;

interface Row {
  id: number;
  status: CampaignRecord['status'];
  sent_at: number | null;
  rows: number;
  skipped: number;
  fed: number;
  cancelled: number;
  expanded: 0 | 1;
}

/** The campaigns of a workspace with what is stored about their runs. */
export async function* campaignPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<CampaignRecord[]> {
  const pages = file.pages<Row>(
    PAGE,
    'SELECT id, status, sent_at, rows, skipped, fed, cancelled, expanded FROM campaigns WHERE workspace_id = ?',
    workspaceId,
  );
  for (const page of pages) yield page.map((row) => toRecord(file, row));
}

function toRecord(file: ReadOnlyFile, { id, status, sent_at: sentAt, expanded, ...counters }: Row): CampaignRecord {
  return {
    id,
    status,
    sentAt,
    run: { ...counters, expanded: expanded === 1 },
    rows: countBy(
      file,
      'SELECT state AS what, count(*) AS n FROM campaign_recipients WHERE campaign_id = ? GROUP BY state',
      id,
    ),
    messages: countBy(
      file,
      `SELECT status AS what, count(*) AS n FROM messages
       WHERE lane = 'campaign' AND campaign_id IS NOT NULL AND campaign_id = ? GROUP BY status`,
      id,
    ),
    unmatched: file.get<{ n: number }>(
      `SELECT count(*) AS n FROM campaign_recipients r WHERE r.campaign_id = ? AND r.state = 'message' AND NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.id = r.message_id AND m.campaign_id = r.campaign_id
           AND m.contact_id = r.contact_id AND m.lane = 'campaign')`,
      id,
    )!.n,
    hasWork:
      file.get(
        'SELECT 1 FROM due_tasks WHERE kind = ? AND id = ?',
        status === 'scheduled' ? START_WORK : DRIVE_WORK,
        String(id),
      ) !== undefined,
    tally: readTally(file, id),
  };
}

function countBy(file: ReadOnlyFile, sql: string, id: number): Record<string, number> {
  const rows = file.all<{ what: string; n: number }>(sql, id);
  return Object.fromEntries(rows.map(({ what, n }) => [what, n]));
}
