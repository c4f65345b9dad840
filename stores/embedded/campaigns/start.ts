import { DRIVE_WORK, START_WORK } from '../../../domain/campaigns/campaign-moves';
import { startedFields, startRefusal } from '../../../domain/campaigns/campaign-start';
import type { StartOutcome, StartRequest } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { readAccount } from '../ledger/coin-ledger';
import { readCampaign } from './campaign-store';
import { scheduleTasks } from '../queue/schedule-tasks';
import { readDomain } from '../settings/domain-store';
import { readWorkspace } from '../settings/workspace-store';

/** Starts a campaign; see CampaignRuns.start. */
export function start({ db }: Transaction, request: StartRequest): StartOutcome {
  const { workspaceId, id, from, qualified, lastContactId, at } = request;
  const campaign = readCampaign(db, workspaceId, id);
  if (!campaign) return { kind: 'unknown' };
  const domain = readDomain(db, campaign.domainId);
  const workspace = readWorkspace(db, workspaceId);
  const refusal = startRefusal({
    campaign,
    suspended: workspace?.suspended === true,
    needsApproval: workspace?.campaignApproval === true,
    businessAddress: workspace?.businessAddress ?? '',
    domainActive: domain?.status === 'active' && domain.workspaceId === workspaceId,
    qualified,
    balance: readAccount(db, workspaceId).balance,
    from,
    at,
  });
  if (refusal) return { kind: 'refused', ...refusal };
  const { status } = startedFields(qualified, lastContactId, at);
  db.run(
    `UPDATE campaigns SET status = ?, sent_at = ?, recipients = ?, last_contact_id = ?, scheduled_at = NULL,
       schedule_error = NULL WHERE id = ?`,
    status,
    at,
    qualified,
    lastContactId,
    id,
  );
  db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', START_WORK, String(id));
  scheduleTasks(db, [{ kind: DRIVE_WORK, id: String(id), workspaceId, lane: '', dueAt: at, payload: {} }]);
  return { kind: 'started', status };
}
