import type { BrakeMark, CampaignRun } from '../../../domain/campaigns/campaign-run';
import type { CampaignRef } from '../../ports/campaign-runs';
import type { Database } from '../database/database';
import { ITEM, toItem, type ItemRow } from './campaign-store';

export interface RunRow extends ItemRow {
  rows: number;
  skipped: number;
  fed: number;
  cancelled: number;
  expanded_to: number;
  expanded: 0 | 1;
  fed_to: number;
  marks: string;
  opens: number;
  clicks: number;
  unsubscribes: number;
  opens_by_people: number;
  clicks_by_people: number;
}

const RUN = `rows, skipped, fed, cancelled, expanded_to, expanded, fed_to, marks, opens, clicks, unsubscribes,
  opens_by_people, clicks_by_people`;

/** Reads a campaign with its run and without its content, inside or outside a transaction. */
export function readRunRow(db: Database, { workspaceId, id }: CampaignRef): RunRow | undefined {
  return db.get<RunRow>(`SELECT ${ITEM}, ${RUN} FROM campaigns WHERE id = ? AND workspace_id = ?`, id, workspaceId);
}

export const toRun = (row: RunRow): CampaignRun => ({
  rows: row.rows,
  skipped: row.skipped,
  fed: row.fed,
  cancelled: row.cancelled,
  expandedTo: row.expanded_to,
  expanded: row.expanded === 1,
  fedTo: row.fed_to,
  marks: JSON.parse(row.marks) as BrakeMark[],
});

/** A campaign and its run; undefined when there is none. */
export function readRun(db: Database, campaign: CampaignRef) {
  const row = readRunRow(db, campaign);
  return row && { campaign: toItem(row), run: toRun(row) };
}
