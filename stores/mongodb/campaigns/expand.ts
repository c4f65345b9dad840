import { expansionAnswer, listedMembers, nextListing } from '../../../domain/campaigns/campaign-steps';
import type { CampaignRef } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { transact } from '../transactions/transact';
import { recipientRow } from './campaign-documents';
import { withoutListed } from './list-removed';
import { readMembers } from './members';
import { readRun } from './run-fields';

/** Adds the next members to the manifest; see CampaignRuns.expand. */
export const expand = (mongo: Mongo, ref: CampaignRef, limit: number): Promise<number> =>
  transact(mongo, async (session) => {
    const found = await readRun(mongo, session, ref);
    const range = found && nextListing(found.campaign, found.run);
    if (!range) return 0;
    const { members, last, done } = await readMembers(mongo, { ...range, limit }, session);
    const listed = listedMembers(found.campaign, members);
    const made = listed.map(({ contactId, reason }) => recipientRow(ref.id, contactId, reason));
    const rows = await withoutListed(mongo.db, session, made);
    const skipped = rows.filter(({ reason }) => reason !== null).length;
    await documents(mongo.db, 'campaigns').updateOne(
      { _id: ref.id },
      {
        $inc: { 'run.rows': rows.length, 'run.skipped': skipped },
        $set: { 'run.expandedTo': last ?? range.after, 'run.expanded': done },
      },
      { session },
    );
    if (rows.length > 0) await documents(mongo.db, 'campaignRecipients').insertMany(rows, { session });
    return expansionAnswer(rows.length, done);
  });
