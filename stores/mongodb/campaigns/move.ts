import type { ClientSession } from 'mongodb';
import { moveCampaign, type CampaignMove, type CampaignTaskKind } from '../../../domain/campaigns/campaign-moves';
import type { CampaignRef, MoveOutcome } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { scheduleTasks, taskId } from '../queue/schedule-tasks';
import { transact } from '../transactions/transact';
import { readRun } from './run-fields';

/** Moves a campaign; see CampaignRuns.move. */
export const move = (mongo: Mongo, ref: CampaignRef, how: CampaignMove, at: number): Promise<MoveOutcome> =>
  transact(mongo, (session) => tryMove(mongo, session, ref, how, at));

async function tryMove(
  mongo: Mongo,
  session: ClientSession,
  ref: CampaignRef,
  how: CampaignMove,
  at: number,
): Promise<MoveOutcome> {
  const found = await readRun(mongo, session, ref);
  if (!found) return { kind: 'unknown' };
  const moved = moveCampaign(found.campaign, how, at);
  if (!moved) return { kind: 'refused' };
  const set = { ...moved.set, ...(moved.resetBrake ? { 'run.marks': [] } : {}) };
  await documents(mongo.db, 'campaigns').updateOne({ _id: ref.id }, { $set: set }, { session });
  for (const task of moved.tasks) await replaceTask(mongo, session, ref, task);
  return { kind: 'moved', status: moved.set.status };
}

/** A task that is scheduled anew takes the place of a claimed one, whose worker then changes nothing. */
export async function replaceTask(
  mongo: Mongo,
  session: ClientSession,
  { workspaceId, id: campaignId }: CampaignRef,
  { kind, dueAt }: { kind: CampaignTaskKind; dueAt: number | null },
): Promise<void> {
  const id = String(campaignId);
  await documents(mongo.db, 'dueTasks').deleteOne({ _id: taskId({ kind, id }) }, { session });
  if (dueAt !== null) await scheduleTasks(mongo, session, [{ kind, id, workspaceId, lane: '', dueAt, payload: {} }]);
}
