import type { Document } from 'mongodb';
import { campaignCounts } from '../../../domain/campaign-run';
import type { MessageStatus } from '../../../domain/message';
import { texts } from '../../../domain/texts';
import type { CampaignProgress, CampaignRecipient, CampaignRef } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { CampaignDocument, CampaignRecipientDocument } from './campaign-documents';
import { inSnapshot, type Snapshot } from '../transactions/snapshot';
import { toRun, WITHOUT_CONTENT } from './run-document';

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

/** Reads the progress of a campaign, all of one moment; see CampaignRuns.progress. */
export const readProgress = (mongo: Mongo, { workspaceId, id }: CampaignRef): Promise<CampaignProgress | null> =>
  inSnapshot(mongo, async (snapshot) => {
    const { db, moment } = snapshot;
    const found = await documents(db, 'campaigns').findOne<Omit<CampaignDocument, 'html' | 'text'>>(
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
    const complaints = [...complained.values()].reduce((sum, n) => sum + n, 0);
    const counts = campaignCounts(run, Object.fromEntries(by));
    return {
      campaign,
      expanded: run.expanded,
      waitingRows: run.rows - run.skipped - run.fed - run.cancelled,
      queued: by.get('queued') ?? 0,
      counts,
      brake: {
        final: counts.delivered + counts.bounced + counts.failed,
        bad: counts.bounced + complaints - (complained.get('bounced') ?? 0),
      },
      marks: run.marks,
      opens: tallies?.opens ?? 0,
      clicks: tallies?.clicks ?? 0,
      unsubscribes: tallies?.unsubscribes ?? 0,
      complaints,
    };
  });

/** A page of the manifest; see CampaignRuns.recipients. */
export async function listRecipients(
  { db }: Mongo,
  { workspaceId, id }: CampaignRef,
  after: number,
  limit: number,
): Promise<CampaignRecipient[]> {
  const owned = await documents(db, 'campaigns').findOne({ _id: id, workspaceId }, { projection: { _id: 1 } });
  if (!owned || limit <= 0) return [];
  const rows = await documents(db, 'campaignRecipients')
    .find({ campaignId: id, contactId: { $gt: after } })
    .sort({ contactId: 1 })
    .limit(limit)
    .hint('recipients_of_campaign')
    .toArray();
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
  return rows.map((row) => toRecipient(row, emails.get(row.contactId) ?? null, states.get(row.messageId ?? '')));
}

function toRecipient(
  { contactId, messageId, state, reason }: CampaignRecipientDocument,
  email: string | null,
  message: { status: MessageStatus; failedReason: string | null } | undefined,
): CampaignRecipient {
  const fixed = { contactId, email, messageId };
  if (state === 'message') {
    return { ...fixed, status: message?.status ?? 'failed', reason: message?.failedReason ?? null };
  }
  if (state === 'cancelled') return { ...fixed, status: 'failed', reason: texts.campaignCancelled };
  return { ...fixed, status: state, reason };
}
