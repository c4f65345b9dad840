import { moveCampaign, type CampaignMove } from '../../../domain/campaigns/campaign-moves';
import type { CampaignRef, MoveOutcome } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { scheduleTasks } from '../queue/schedule-tasks';
import { ITEM } from './campaign-store';
import { readRun } from './run-fields';

const MOVED = ITEM.only(['status', 'scheduledAt', 'cancelledAt', 'pauseReason', 'scheduleError']);

/** Moves a campaign; see CampaignRuns.move. A task that is scheduled anew takes the place of a claimed one. */
export function move({ db }: Transaction, ref: CampaignRef, how: CampaignMove, at: number): MoveOutcome {
  const found = readRun(db, ref);
  if (!found) return { kind: 'unknown' };
  const moved = moveCampaign(found.campaign, how, at);
  if (!moved) return { kind: 'refused' };
  const { workspaceId, id } = ref;
  const next = { ...found.campaign, ...moved.set };
  db.run(`UPDATE campaigns SET ${MOVED.assignments} WHERE id = ?`, ...MOVED.bind(next), id);
  if (moved.resetBrake) db.run(`UPDATE campaigns SET marks = '[]' WHERE id = ?`, id);
  for (const { kind, dueAt } of moved.tasks) {
    db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', kind, String(id));
    if (dueAt !== null) scheduleTasks(db, [{ kind, id: String(id), workspaceId, lane: '', dueAt, payload: {} }]);
  }
  return { kind: 'moved', status: next.status };
}
