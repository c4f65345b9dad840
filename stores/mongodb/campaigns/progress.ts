import type { Document } from 'mongodb';
import { NO_TALLY } from '../../../domain/campaigns/campaign-tally';
import type { MessageStatus } from '../../../domain/messages/message';
import type { CampaignProgress, CampaignRecipient, CampaignRef } from '../../ports/campaign-runs';
import { exists, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { CampaignDocument } from './campaign-documents';
import { inSnapshot, type Snapshot } from '../transactions/snapshot';
import { campaignProgress, campaignRecipient } from '../../shared/campaign-progress';
import { toRun, WITHOUT_CONTENT } from './run-fields';

/** Counts a campaign's messages by status, from an index alone. */
async function countByStatus(
  { db, moment }: Snapshot,
  match: Document,
  hint: string,
): Promise<Map<MessageStatus, number>> {
  const rows = await documents(db, 'messages')
    .aggregate<{ _id: MessageStatus; n: number }>(
      [{ $match: { lane: 'campaign', ...match } }, { $group: { _id: '$status', n: { $sum: 1 } } }],
      { ...moment, hint },
    )
    .toArray();
  return new Map(rows.map(({ _id, n }) => [_id, n]));
}

async function countHard({ db, moment }: Snapshot, campaignId: number): Promise<{ n: number; complained: number }> {
  const rows = await documents(db, 'messages')
    .aggregate<{ n: number; complained: number }>(
      [
        { $match: { lane: 'campaign', campaignId, hardBouncedAt: { $gte: 0 } } },
        {
          $group: {
            _id: null,
            n: { $sum: 1 },
            complained: { $sum: { $cond: [{ $gte: ['$complainedAt', 0] }, 1, 0] } },
          },
        },
      ],
      { ...moment, hint: 'messages_hard' },
    )
    .toArray();
  return rows[0] ?? { n: 0, complained: 0 };
}

/** Adds up the sales linked to a campaign, from an index alone. */
async function sumSales({ db, moment }: Snapshot, id: number): Promise<{ conversions: number; revenue: number }> {
  const [sum] = await documents(db, 'conversions')
    .aggregate<{ conversions: number; revenue: number }>(
      [
        { $match: { 'link.campaignId': id } },
        { $group: { _id: null, conversions: { $sum: 1 }, revenue: { $sum: '$amount' } } },
      ],
      { ...moment, hint: 'conversions_of_campaign' },
    )
    .toArray();
  return { conversions: sum?.conversions ?? 0, revenue: sum?.revenue ?? 0 };
}

/** Reads the progress of a campaign, all of one moment; see CampaignRuns.progress. */
export const readProgress = (mongo: Mongo, { workspaceId, id }: CampaignRef): Promise<CampaignProgress | null> =>
  inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const found = await documents(db, 'campaigns').findOne<Omit<CampaignDocument, 'html' | 'blocks' | 'text'>>(
      { _id: id, workspaceId },
      { ...moment, projection: WITHOUT_CONTENT },
    );
    if (!found) return null;
    const { campaign, run } = toRun(found);
    const by = await countByStatus(snapshot, { campaignId: id }, 'messages_of_campaign');
    const complained = await countByStatus(
      snapshot,
      { campaignId: id, complainedAt: { $gte: 0 } },
      'messages_complained',
    );
    const tallies = await documents(db, 'campaignTallies').findOne({ _id: id }, moment);
    const tally = tallies ?? NO_TALLY;
    const hard = await countHard(snapshot, id);
    const sales = await sumSales(snapshot, id);
    return campaignProgress({ campaign, run, by, complained, hard, tally, sales });
  });

/** A page of the manifest; see CampaignRuns.recipients. */
export async function listRecipients(
  { db }: Mongo,
  { workspaceId, id }: CampaignRef,
  after: number,
  limit: number,
): Promise<CampaignRecipient[]> {
  const owned = await exists(documents(db, 'campaigns'), { _id: id, workspaceId });
  if (!owned || limit <= 0) return [];
  const recipients = documents(db, 'campaignRecipients');
  const reading = { hint: 'recipients_of_campaign' };
  const rows = await pageAfter(recipients, { campaignId: id }, ['contactId', after], limit, reading).toArray();
  const [contacts, messages] = await Promise.all([
    documents(db, 'contacts')
      .find({ _id: { $in: rows.map(({ contactId }) => contactId) } }, { projection: { email: 1 } })
      .toArray(),
    documents(db, 'messages')
      .find(
        { _id: { $in: rows.flatMap(({ messageId }) => messageId ?? []) } },
        { projection: { status: 1, failedReason: 1 } },
      )
      .toArray(),
  ]);
  const emails = new Map(contacts.map(({ _id, email }) => [_id, email]));
  const states = new Map(messages.map((message) => [message._id, message]));
  return rows.map(({ contactId, messageId, state, reason }) =>
    campaignRecipient(
      { contactId, email: emails.get(contactId) ?? null, messageId, state, reason },
      states.get(messageId ?? '') ?? null,
    ),
  );
}
