import type { ClientSession } from 'mongodb';
import { isUnlisted, type RemovalReason, type RemovedMember } from '../../../domain/campaigns/campaign-recipients';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { recipientRow, type CampaignDocument, type CampaignRecipientDocument } from './campaign-documents';

type OpenListing = Pick<CampaignDocument, '_id' | 'audienceId' | 'sentAt' | 'lastContactId' | 'run'>;

/**
 * Lists members who are being removed in the campaigns that have not come to them. Must run in the transaction that
 * removes them: it conflicts with a page that is being listed. Where no campaign is, it is one look into an empty
 * index.
 */
export async function listRemoved(
  mongo: Mongo,
  session: ClientSession,
  members: readonly RemovedMember[],
  reason: RemovalReason,
): Promise<void> {
  if (members.length === 0) return;
  const audiences = [...new Set(members.map(({ audienceId }) => audienceId))];
  const open = await documents(mongo.db, 'campaigns')
    .find<OpenListing>(
      { audienceId: { $in: audiences }, 'run.expanded': false, sentAt: { $gte: 0 } },
      { session, hint: 'campaigns_unlisted', projection: { audienceId: 1, sentAt: 1, lastContactId: 1, run: 1 } },
    )
    .toArray();
  for (const campaign of open) {
    const owed = members.filter((member) => isUnlisted({ ...campaign, ...campaign.run }, member));
    await list(mongo, session, campaign._id, owed, reason);
  }
}

async function list(
  { db }: Mongo,
  session: ClientSession,
  campaignId: number,
  members: readonly RemovedMember[],
  reason: RemovalReason,
): Promise<void> {
  const rows = members.map(({ contactId }) => recipientRow(campaignId, contactId, reason));
  const added = await withoutListed(db, session, rows);
  if (added.length === 0) return;
  await documents(db, 'campaignRecipients').insertMany(added, { session });
  await documents(db, 'campaigns').updateOne(
    { _id: campaignId },
    { $inc: { 'run.rows': added.length, 'run.skipped': added.length } },
    { session },
  );
}

/** The rows that are not in the manifest: a removed member has its row, also when it joined again. */
export async function withoutListed(
  db: Mongo['db'],
  session: ClientSession,
  rows: readonly CampaignRecipientDocument[],
): Promise<CampaignRecipientDocument[]> {
  if (rows.length === 0) return [];
  const known = await documents(db, 'campaignRecipients')
    .find({ _id: { $in: rows.map(({ _id }) => _id) } }, { session, projection: { _id: 1 } })
    .toArray();
  const listed = new Set(known.map(({ _id }) => _id));
  return rows.filter(({ _id }) => !listed.has(_id));
}
