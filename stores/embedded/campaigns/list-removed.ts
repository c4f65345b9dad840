import {
  isUnlisted,
  type Listing,
  type RemovalReason,
  type RemovedMember,
} from '../../../domain/campaigns/campaign-recipients';
import type { Database } from '../database/database';
import { RECIPIENT } from './run-fields';

interface OpenListing extends Omit<Listing, 'expanded'> {
  id: number;
}

/** Campaigns of an audience whose recipients are being listed. */
const OPEN = `SELECT id, audience_id AS audienceId, sent_at AS sentAt, last_contact_id AS lastContactId,
    expanded_to AS expandedTo
  FROM campaigns INDEXED BY campaigns_unlisted WHERE audience_id = ? AND expanded = 0 AND sent_at IS NOT NULL`;

/**
 * Lists a member who is being removed in the campaigns that have not come to it. Must run in the transaction that
 * removes it. Where no campaign is being listed, it is one look into an empty index.
 */
export function listRemoved(db: Database, member: RemovedMember, reason: RemovalReason): void {
  for (const campaign of db.all<OpenListing>(OPEN, member.audienceId)) {
    if (isUnlisted({ ...campaign, expanded: false }, member)) listOne(db, campaign.id, member.contactId, reason);
  }
}

function listOne(db: Database, campaignId: number, contactId: number, reason: RemovalReason): void {
  // One that left, joined again and leaves once more has its row.
  const row = { campaignId, contactId, state: 'skipped', reason, messageId: null } as const;
  const added = Number(RECIPIENT.insertNew(db, row));
  db.run('UPDATE campaigns SET rows = rows + ?1, skipped = skipped + ?1 WHERE id = ?2', added, campaignId);
}
