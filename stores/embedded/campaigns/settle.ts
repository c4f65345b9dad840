import { HOLD } from '../../../domain/campaigns/campaign-run';
import { CANCELLED_MESSAGE, planCancellation, settlement } from '../../../domain/campaigns/campaign-steps';
import type { CampaignRef, Settled } from '../../ports/campaign-runs';
import type { MessagePlace, Transaction } from '../database/commits';
import { updateState } from '../messages/message-codec';
import { readRows, writeStep } from './feed';
import { readRun } from './run-fields';

interface QueuedRow extends MessagePlace {
  id: string;
  due_at: number;
}

const QUEUED = `SELECT seq, workspace_id, created_at, id, due_at FROM messages
  WHERE lane = 'campaign' AND campaign_id IS NOT NULL AND campaign_id = ? AND status = 'queued'`;

const NOTHING: Settled = { settled: 0, failed: 0 };

/** Takes messages off hold, or ends what waits of a cancelled campaign; see CampaignRuns.settle. */
export function settle(tx: Transaction, ref: CampaignRef, limit: number, at: number): Settled {
  const found = readRun(tx.db, ref);
  const what = found && settlement(found.campaign);
  if (!what) return NOTHING;
  if (what === 'release') return { settled: release(tx, ref, limit, at), failed: 0 };
  const rows = readRows(tx.db, ref.id, found.run, limit);
  if (rows.length > 0) {
    writeStep(tx.db, ref.id, planCancellation(rows));
    return { settled: rows.length, failed: 0 };
  }
  const failed = failQueued(tx, ref.id, limit, at);
  return { settled: failed, failed };
}

function release(tx: Transaction, { workspaceId, id }: CampaignRef, limit: number, at: number): number {
  const held = tx.db.all<QueuedRow>(`${QUEUED} AND due_at >= ? ORDER BY due_at LIMIT ?`, id, HOLD, limit);
  for (const row of held) updateState(tx, { ...row, status: 'queued' }, { dueAt: row.due_at - HOLD }, at);
  const [first] = held;
  if (first) tx.wake(workspaceId, first.id, 'bulk');
  return held.length;
}

function failQueued(tx: Transaction, campaignId: number, limit: number, at: number): number {
  const queued = tx.db.all<QueuedRow>(`${QUEUED} LIMIT ?`, campaignId, limit);
  for (const row of queued) updateState(tx, { ...row, status: 'queued' }, CANCELLED_MESSAGE, at);
  return queued.length;
}
