import { expansionAnswer, listedMembers, listedState, nextListing } from '../../../domain/campaigns/campaign-steps';
import type { CampaignRef } from '../../ports/campaign-runs';
import type { Transaction } from '../database/commits';
import { readMembers } from './members';
import { readRun, RECIPIENT } from './run-fields';

/** Adds the next members to the manifest; see CampaignRuns.expand. */
export function expand({ db }: Transaction, ref: CampaignRef, limit: number): number {
  const found = readRun(db, ref);
  const range = found && nextListing(found.campaign, found.run);
  if (!range) return 0;
  const { members, last, done } = readMembers(db, { ...range, limit });
  let rows = 0;
  let skipped = 0;
  for (const { contactId, reason } of listedMembers(found.campaign, members)) {
    // A member who was removed meanwhile has its row, also when it joined again.
    const state = listedState(reason);
    const added = Number(RECIPIENT.insertNew(db, { campaignId: ref.id, contactId, state, reason, messageId: null }));
    rows += added;
    if (reason !== null) skipped += added;
  }
  db.run(
    `UPDATE campaigns SET rows = rows + ?, skipped = skipped + ?, expanded_to = ?, expanded = ? WHERE id = ?`,
    rows,
    skipped,
    last ?? range.after,
    Number(done),
    ref.id,
  );
  return expansionAnswer(rows, done);
}
