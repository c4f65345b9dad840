import type { ClientSession } from 'mongodb';
import { DRIVE_WORK, START_WORK } from '../../../domain/campaigns/campaign-moves';
import { startedFields, startRefusal } from '../../../domain/campaigns/campaign-start';
import type { StartOutcome, StartRequest } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { transact } from '../transactions/transact';
import { replaceTask } from './move';

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
    suspended: workspace?.suspended === true,
    needsApproval: workspace?.campaignApproval === true,
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
