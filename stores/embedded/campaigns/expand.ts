import type { CampaignRef } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { readMembers } from './members';
import { readRun } from './run-fields';

/** Adds the next members to the manifest; see CampaignRuns.expand. */
export function expand({ db }: Transaction, ref: CampaignRef, limit: number): number {
  const found = readRun(db, ref);
  if (!found) return 0;
  const { campaign, run } = found;
  const { id, workspaceId, audienceId, status, sentAt, cancelledAt } = campaign;
  const runs = status === 'live' || status === 'completed';
  if (!runs || sentAt === null || run.expanded) return 0;
  const { members, last, done } = readMembers(db, {
    workspaceId,
    audienceId,
    after: run.expandedTo,
    upTo: campaign.lastContactId ?? 0,
    joinedBy: sentAt,
    limit,
  });
  // Nobody qualified at the start. Whoever does since then is as one who joined later.
  const listed = status === 'live' || cancelledAt !== null ? members : members.filter(({ reason }) => reason !== null);
  let rows = 0;
  let skipped = 0;
  for (const { contactId, reason } of listed) {
    // A member who was removed meanwhile has its row, also when it joined again.
    const added = db.run(
      `INSERT INTO campaign_recipients (campaign_id, contact_id, state, reason) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      id,
      contactId,
      reason === null ? 'pending' : 'skipped',
      reason,
    );
    rows += added;
    if (reason !== null) skipped += added;
  }
  db.run(
    `UPDATE campaigns SET rows = rows + ?, skipped = skipped + ?, expanded_to = ?, expanded = ? WHERE id = ?`,
    rows,
    skipped,
    last ?? run.expandedTo,
    Number(done),
    id,
  );
  return done ? rows : Math.max(1, rows);
}
