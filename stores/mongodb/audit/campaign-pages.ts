import type { CampaignRecord } from '../../../domain/audit/check-campaign';
import { DRIVE_WORK, START_WORK } from '../../../domain/campaigns/campaign-moves';
import type { CampaignDocument } from '../campaigns/campaign-documents';
import { WITHOUT_CONTENT } from '../campaigns/run-fields';
import { documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';
import { readTally } from './campaign-tally';
import { guard } from '../transactions/guard';
import { pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 100;
/** Rows of a manifest whose messages are looked up together. */
const ROWS = 1_000;

type Found = Omit<CampaignDocument, 'html' | 'text'>;

/** The campaigns of a workspace with what is stored about their runs. */
export async function* campaignPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<CampaignRecord[]> {
  const { db, moment } = snapshot;
  const cursor = documents(db, 'campaigns')
    .find<Found>({ workspaceId }, { ...moment, projection: WITHOUT_CONTENT })
    .sort({ _id: 1 });
  for await (const page of pages(cursor, PAGE)) {
    const records: CampaignRecord[] = [];
    for (const campaign of page) records.push(await guard(() => toRecord(snapshot, campaign)));
    yield records;
  }
}

async function toRecord(snapshot: Snapshot, { _id: id, status, sentAt, run }: Found): Promise<CampaignRecord> {
  const { db, moment } = snapshot;
  const kind = status === 'scheduled' ? START_WORK : DRIVE_WORK;
  const task = await documents(db, 'dueTasks').findOne({ _id: taskId({ kind, id: String(id) }) }, moment);
  const rows = await documents(db, 'campaignRecipients')
    .aggregate<{ _id: string; n: number }>(
      [{ $match: { campaignId: id } }, { $group: { _id: '$state', n: { $sum: 1 } } }],
      { ...moment, hint: 'recipients_of_campaign' },
    )
    .toArray();
  const messages = await documents(db, 'messages')
    .aggregate<{ _id: string; n: number }>(
      [{ $match: { lane: 'campaign', campaignId: id } }, { $group: { _id: '$status', n: { $sum: 1 } } }],
      { ...moment, hint: 'messages_of_campaign' },
    )
    .toArray();
  const byName = (found: readonly { _id: string; n: number }[]) =>
    Object.fromEntries(found.map(({ _id, n }) => [_id, n]));
  return {
    id,
    status,
    sentAt,
    run,
    rows: byName(rows),
    messages: byName(messages),
    unmatched: await countUnmatched(snapshot, id),
    hasWork: task !== null,
    tally: await readTally(snapshot, id),
  };
}

/** Rows that name no message of the campaign to their contact. */
async function countUnmatched({ db, moment }: Snapshot, campaignId: number): Promise<number> {
  const cursor = documents(db, 'campaignRecipients')
    .find({ campaignId, state: 'message' }, moment)
    .sort({ contactId: 1 })
    .hint('recipients_of_campaign');
  let unmatched = 0;
  for await (const rows of pages(cursor, ROWS)) {
    const found = await documents(db, 'messages')
      .find(
        { _id: { $in: rows.flatMap(({ messageId }) => messageId ?? []) }, lane: 'campaign', campaignId },
        { ...moment, projection: { contactId: 1 } },
      )
      .toArray();
    const contacts = new Map(found.map(({ _id, contactId }) => [_id, contactId]));
    unmatched += rows.filter(({ messageId, contactId }) => contacts.get(messageId ?? '') !== contactId).length;
  }
  return unmatched;
}
