import type { CampaignRun, CampaignSender } from '../../../domain/campaigns/campaign-run';
import { planFeed, type StepPlan, type TurnRow } from '../../../domain/campaigns/campaign-steps';
import type { CampaignRef, Fed } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { campaignAcceptance, NOTHING_FED } from '../../shared/campaign-acceptance';
import { acceptMessages } from '../messages/accept-messages';
import { readDomain } from '../settings/domain-store';
import { readWorkspace } from '../settings/workspace-store';
import { readRun } from './run-fields';

/** The next rows of the manifest whose turn has not come yet, in the order of contacts, as far as all were listed. */
export const readRows = (
  db: Database,
  campaignId: number,
  { fedTo, expandedTo }: Pick<CampaignRun, 'fedTo' | 'expandedTo'>,
  limit: number,
): TurnRow[] =>
  db.all<TurnRow>(
    `SELECT r.contact_id AS contactId, r.state, c.email
     FROM campaign_recipients r LEFT JOIN contacts c ON c.id = r.contact_id
     WHERE r.campaign_id = ? AND r.contact_id > ? AND r.contact_id <= ? ORDER BY r.contact_id LIMIT ?`,
    campaignId,
    fedTo,
    expandedTo,
    limit,
  );

/** Writes what a step does to the rows and counters of a campaign. */
export function writeStep(db: Database, campaignId: number, { changes, count, fedTo }: StepPlan): void {
  for (const { contactId, state, reason, messageId } of changes) {
    db.run(
      'UPDATE campaign_recipients SET state = ?, reason = ?, message_id = ? WHERE campaign_id = ? AND contact_id = ?',
      ...[state, reason, messageId, campaignId, contactId],
    );
  }
  db.run(
    `UPDATE campaigns SET fed = fed + ?, skipped = skipped + ?, cancelled = cancelled + ?, fed_to = ? WHERE id = ?`,
    ...[count.fed, count.skipped, count.cancelled, fedTo, campaignId],
  );
}

/** Makes the next rows messages; see CampaignRuns.feed. */
export function feed(tx: Transaction, ref: CampaignRef, limit: number, at: number): Fed {
  const found = readRun(tx.db, ref);
  if (found?.campaign.status !== 'live') return NOTHING_FED;
  const sender = readSender(tx.db, found.campaign);
  const rows = readRows(tx.db, ref.id, found.run, limit);
  if (!sender || rows.length === 0) return NOTHING_FED;
  const { messages, ...plan } = planFeed(sender, rows, at);
  acceptMessages(
    tx,
    messages.map(({ contactId, facts }) => campaignAcceptance(facts, contactId)),
  );
  writeStep(tx.db, ref.id, plan);
  return { rows: rows.length, accepted: messages.length };
}

type FoundCampaign = NonNullable<ReturnType<typeof readRun>>['campaign'];

function readSender(db: Database, campaign: FoundCampaign): CampaignSender | null {
  const { sentAt } = campaign;
  const workspace = readWorkspace(db, campaign.workspaceId);
  const domain = readDomain(db, campaign.domainId);
  return sentAt !== null && workspace && domain ? { campaign: { ...campaign, sentAt }, workspace, domain } : null;
}
