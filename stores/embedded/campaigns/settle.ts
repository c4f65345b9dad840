import { HOLD, type CampaignRun } from '../../../domain/campaigns/campaign-run';
import { texts } from '../../../domain/texts';
import type { CampaignRef, Settled } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { updateState } from '../messages/message-codec';
import type { MessagePlace } from '../messages/message-counts';
import { readRows, setRow } from './feed';
import { readRun } from './run-fields';

interface QueuedRow extends MessagePlace {
  id: string;
  due_at: number;
}

const QUEUED = `SELECT seq, workspace_id, id, due_at FROM messages
  WHERE lane = 'campaign' AND campaign_id IS NOT NULL AND campaign_id = ? AND status = 'queued'`;

const NOTHING: Settled = { settled: 0, failed: 0 };

/** Takes messages off hold, or ends what waits of a cancelled campaign; see CampaignRuns.settle. */
export function settle(tx: Transaction, ref: CampaignRef, limit: number, at: number): Settled {
  const found = readRun(tx.db, ref);
  if (!found) return NOTHING;
  const { campaign, run } = found;
  if (campaign.status === 'live') return { settled: release(tx, ref, limit, at), failed: 0 };
  if (campaign.cancelledAt === null) return NOTHING;
  const rows = cancelRows(tx, ref.id, run, limit);
  if (rows > 0) return { settled: rows, failed: 0 };
  const failed = failQueued(tx, ref.id, limit, at);
  return { settled: failed, failed };
}

function release(tx: Transaction, { workspaceId, id }: CampaignRef, limit: number, at: number): number {
  const held = tx.db.all<QueuedRow>(`${QUEUED} AND due_at >= ? ORDER BY due_at LIMIT ?`, id, HOLD, limit);
  for (const row of held) updateState(tx, { ...row, status: 'queued' }, { dueAt: row.due_at - HOLD }, at);
  const [first] = held;
  if (first) tx.wake(workspaceId, first.id);
  return held.length;
}

function cancelRows({ db }: Transaction, campaignId: number, run: CampaignRun, limit: number): number {
  const rows = readRows(db, campaignId, run, limit);
  if (rows.length === 0) return 0;
  const pending = rows.filter(({ state }) => state === 'pending');
  for (const { contact_id: contactId } of pending) {
    setRow(db, campaignId, contactId, { state: 'cancelled', reason: texts.campaignCancelled });
  }
  db.run(
    'UPDATE campaigns SET cancelled = cancelled + ?, fed_to = ? WHERE id = ?',
    pending.length,
    rows.at(-1)!.contact_id,
    campaignId,
  );
  return rows.length;
}

function failQueued(tx: Transaction, campaignId: number, limit: number, at: number): number {
  const queued = tx.db.all<QueuedRow>(`${QUEUED} LIMIT ?`, campaignId, limit);
  const cancelled = { status: 'failed', failedReason: texts.campaignCancelled, dueAt: null } as const;
  for (const row of queued) updateState(tx, { ...row, status: 'queued' }, cancelled, at);
  return queued.length;
}
