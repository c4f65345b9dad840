import type { MessageStatus } from '../../../domain/messages/message';
import type { RecipientState } from '../../../domain/campaigns/campaign-run';
import type { CampaignProgress, CampaignRecipient, CampaignRef } from '../../ports/campaign-runs';
import type { Database } from '../database/database';
import { campaignProgress, campaignRecipient } from '../../shared/campaign-progress';
import { readRun } from './run-fields';

const OF_CAMPAIGN = `FROM messages WHERE lane = 'campaign' AND campaign_id IS NOT NULL AND campaign_id = ?`;

/** Counts a campaign's messages by status, from the index alone. */
function countByStatus(db: Database, id: number, also = ''): Map<MessageStatus, number> {
  const rows = db.all<{ status: MessageStatus; n: number }>(
    `SELECT status, count(*) AS n ${OF_CAMPAIGN} ${also} GROUP BY status`,
    id,
  );
  return new Map(rows.map(({ status, n }) => [status, n]));
}

function countHard(db: Database, id: number): { n: number; complained: number } {
  const sql = `SELECT count(*) AS n, count(complained_at) AS complained ${OF_CAMPAIGN} AND hard_bounced_at IS NOT NULL`;
  return db.get<{ n: number; complained: number }>(sql, id) ?? { n: 0, complained: 0 };
}

/** Reads the progress of a campaign. The reads share one moment; see CampaignRuns.progress. */
export function readProgress(db: Database, ref: CampaignRef): CampaignProgress | null {
  const found = readRun(db, ref);
  if (!found) return null;
  return campaignProgress({
    ...found,
    by: countByStatus(db, ref.id),
    complained: countByStatus(db, ref.id, 'AND complained_at IS NOT NULL'),
    hard: countHard(db, ref.id),
    sales: db.get<{ conversions: number; revenue: number }>(
      'SELECT count(*) AS conversions, coalesce(sum(amount), 0) AS revenue FROM conversions WHERE campaign_id = ?',
      ref.id,
    )!,
  });
}

interface RecipientRow {
  contact_id: number;
  state: RecipientState;
  reason: string | null;
  message_id: string | null;
  email: string | null;
  status: MessageStatus | null;
  failed_reason: string | null;
}

/** A page of the manifest; see CampaignRuns.recipients. */
export function listRecipients(
  db: Database,
  { workspaceId, id }: CampaignRef,
  after: number,
  limit: number,
): CampaignRecipient[] {
  const rows = db.all<RecipientRow>(
    `SELECT r.contact_id, r.state, r.reason, r.message_id, c.email, m.status, m.failed_reason
     FROM campaign_recipients r LEFT JOIN contacts c ON c.id = r.contact_id LEFT JOIN messages m ON m.id = r.message_id
     WHERE r.campaign_id = (SELECT id FROM campaigns WHERE id = ?1 AND workspace_id = ?2) AND r.contact_id > ?3
     ORDER BY r.contact_id LIMIT ?4`,
    id,
    workspaceId,
    after,
    limit,
  );
  return rows.map(toRecipient);
}

function toRecipient(row: RecipientRow): CampaignRecipient {
  const {
    contact_id: contactId,
    email,
    message_id: messageId,
    state,
    reason,
    status,
    failed_reason: failedReason,
  } = row;
  return campaignRecipient({ contactId, email, messageId, state, reason }, status && { status, failedReason });
}
