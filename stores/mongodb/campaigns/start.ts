import type { ClientSession } from 'mongodb';
import {
  DRIVE_WORK,
  moveCampaign,
  START_WORK,
  type CampaignMove,
  type CampaignTaskKind,
} from '../../../domain/campaigns/campaign-moves';
import { startedFields, startRefusal } from '../../../domain/campaigns/campaign-start';
import type { CampaignRef, MoveOutcome, StartOutcome, StartRequest } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { scheduleTasks, taskId } from '../queue/schedule-tasks';
import { transact } from '../transactions/transact';
import { readRun } from './run-fields';

/** Starts a campaign; see CampaignRuns.start. Of two at once, one conflicts and looks again. */
export const start = (mongo: Mongo, request: StartRequest): Promise<StartOutcome> =>
  transact(mongo, (session) => tryStart(mongo, session, request));

async function tryStart(mongo: Mongo, session: ClientSession, request: StartRequest): Promise<StartOutcome> {
  const { db } = mongo;
  const { workspaceId, id, from, qualified, lastContactId, at } = request;
  const campaign = await documents(db, 'campaigns').findOne({ _id: id, workspaceId }, { session });
  if (!campaign) return { kind: 'unknown' };
  const workspace = await documents(db, 'workspaces').findOne({ _id: workspaceId }, { session });
  const domain = await documents(db, 'domains').findOne({ _id: campaign.domainId, workspaceId }, { session });
  const account = await documents(db, 'accounts').findOne({ _id: workspaceId }, { session });
  const refusal = startRefusal({
    campaign,
    businessAddress: workspace?.businessAddress ?? '',
    domainActive: domain?.status === 'active',
    qualified,
    balance: account?.balance ?? 0,
    from,
    at,
  });
  if (refusal) return { kind: 'refused', ...refusal };
  const started = startedFields(qualified, lastContactId, at);
  await documents(db, 'campaigns').updateOne({ _id: id }, { $set: started }, { session });
  // A removal at the same time conflicts: it comes before the start, or sees the campaign.
  await documents(db, 'audiences').updateOne({ _id: campaign.audienceId }, { $inc: { touched: 1 } }, { session });
  await replaceTask(mongo, session, request, { kind: START_WORK, dueAt: null });
  await replaceTask(mongo, session, request, { kind: DRIVE_WORK, dueAt: at });
  return { kind: 'started', status: started.status };
}

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
async function replaceTask(
  mongo: Mongo,
  session: ClientSession,
  { workspaceId, id: campaignId }: CampaignRef,
  { kind, dueAt }: { kind: CampaignTaskKind; dueAt: number | null },
): Promise<void> {
  const id = String(campaignId);
  await documents(mongo.db, 'dueTasks').deleteOne({ _id: taskId({ kind, id }) }, { session });
  if (dueAt !== null) await scheduleTasks(mongo, session, [{ kind, id, workspaceId, lane: '', dueAt, payload: {} }]);
}
