import {
  campaignMessage,
  type CampaignRun,
  type CampaignSender,
  type RecipientState,
} from '../../../domain/campaigns/campaign-run';
import type { CampaignRef } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { campaignAcceptance } from '../../shared/campaign-acceptance';
import { acceptMessages } from '../messages/accept-messages';
import { readDomain } from '../settings/domain-store';
import { readWorkspace } from '../settings/workspace-store';
import { readRun } from './run-fields';

interface Row {
  contact_id: number;
  state: RecipientState;
  email: string | null;
}

/** The next rows of the manifest whose turn has not come yet, in the order of contacts, as far as all were listed. */
export function readRows(
  db: Database,
  campaignId: number,
  { fedTo, expandedTo }: Pick<CampaignRun, 'fedTo' | 'expandedTo'>,
  limit: number,
): Row[] {
  return db.all<Row>(
    `SELECT r.contact_id, r.state, c.email FROM campaign_recipients r LEFT JOIN contacts c ON c.id = r.contact_id
     WHERE r.campaign_id = ? AND r.contact_id > ? AND r.contact_id <= ? ORDER BY r.contact_id LIMIT ?`,
    campaignId,
    fedTo,
    expandedTo,
    limit,
  );
}

/** Writes what became of a row. */
export function setRow(
  db: Database,
  campaignId: number,
  contactId: number,
  row: { state: RecipientState; reason?: string; messageId?: string },
): void {
  db.run(
    'UPDATE campaign_recipients SET state = ?, reason = ?, message_id = ? WHERE campaign_id = ? AND contact_id = ?',
    row.state,
    row.reason ?? null,
    row.messageId ?? null,
    campaignId,
    contactId,
  );
}

/** Makes the next rows messages; see CampaignRuns.feed. */
export function feed(tx: Transaction, ref: CampaignRef, limit: number, at: number): number {
  const { db } = tx;
  const found = readRun(db, ref);
  if (found?.campaign.status !== 'live') return 0;
  const sender = readSender(db, found.campaign);
  const rows = readRows(db, ref.id, found.run, limit);
  if (!sender || rows.length === 0) return 0;
  let fed = 0;
  let skipped = 0;
  for (const { contact_id: contactId, state, email } of rows) {
    if (state !== 'pending') continue;
    if (email === null) {
      setRow(db, ref.id, contactId, { state: 'skipped', reason: 'deleted' });
      skipped += 1;
      continue;
    }
    const facts = campaignMessage(sender, { id: contactId, email }, at);
    acceptMessages(tx, [campaignAcceptance(facts, contactId)]);
    setRow(db, ref.id, contactId, { state: 'message', messageId: facts.id });
    fed += 1;
  }
  db.run(
    'UPDATE campaigns SET fed = fed + ?, skipped = skipped + ?, fed_to = ? WHERE id = ?',
    fed,
    skipped,
    rows.at(-1)!.contact_id,
    ref.id,
  );
  return rows.length;
}

type FoundCampaign = NonNullable<ReturnType<typeof readRun>>['campaign'];

function readSender(db: Database, campaign: FoundCampaign): CampaignSender | null {
  const { sentAt } = campaign;
  const workspace = readWorkspace(db, campaign.workspaceId);
  const domain = readDomain(db, campaign.domainId);
  return sentAt !== null && workspace && domain ? { campaign: { ...campaign, sentAt }, workspace, domain } : null;
}
