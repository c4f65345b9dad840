import { moveCampaign, type CampaignMove } from '../../../domain/campaigns/campaign-moves';
import type { CampaignRef, MoveOutcome } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { scheduleTasks } from '../queue/schedule-tasks';
import { readRun } from './run-fields';

/** Moves a campaign; see CampaignRuns.move. A task that is scheduled anew takes the place of a claimed one. */
export function move({ db }: Transaction, ref: CampaignRef, how: CampaignMove, at: number): MoveOutcome {
  const found = readRun(db, ref);
  if (!found) return { kind: 'unknown' };
  const moved = moveCampaign(found.campaign, how, at);
  if (!moved) return { kind: 'refused' };
  const { workspaceId, id } = ref;
  const { status, scheduledAt, cancelledAt, pauseReason, scheduleError } = { ...found.campaign, ...moved.set };
  db.run(
    `UPDATE campaigns SET status = ?, scheduled_at = ?, cancelled_at = ?, pause_reason = ?, schedule_error = ?
     WHERE id = ?`,
    status,
    scheduledAt,
    cancelledAt,
    pauseReason,
    scheduleError,
    id,
  );
  if (moved.resetBrake) db.run(`UPDATE campaigns SET marks = '[]' WHERE id = ?`, id);
  for (const { kind, dueAt } of moved.tasks) {
    db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', kind, String(id));
    if (dueAt !== null) scheduleTasks(db, [{ kind, id: String(id), workspaceId, lane: '', dueAt, payload: {} }]);
  }
  return { kind: 'moved', status };
}
