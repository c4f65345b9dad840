import { ObjectId, type AnyBulkWriteOperation, type ClientSession } from 'mongodb';
import { campaignMessage, HOLD, type CampaignRun, type CampaignSender } from '../../../domain/campaigns/campaign-run';
import { texts } from '../../../domain/texts';
import type { OutgoingRecord } from '../../../streams/records';
import type { CampaignRef, Settled } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { campaignAcceptance } from '../../shared/campaign-acceptance';
import type { ContactStatus } from '../../../domain/contacts/contact';
import type { AcceptanceLook } from '../../../domain/messages/judge-acceptance';
import type { Acceptance } from '../../ports/message-store';
import { recipientRow, type CampaignRecipientDocument } from './campaign-documents';
import { withoutListed } from './list-removed';
import type { Outbox, Written } from '../log/outbox';
import { planAcceptances, writePlan } from '../messages/accept-messages';
import { outboxEntries } from '../messages/message-codec';
import { Conflict } from '../transactions/contention';
import { transact } from '../transactions/transact';
import { readMembers } from './members';
import { readRun, type FoundRun } from './run-fields';

/** The parts that the steps of a campaign need. */
export interface StepParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
}

/** Adds the next members to the manifest; see CampaignRuns.expand. */
export const expand = ({ mongo }: StepParts, ref: CampaignRef, limit: number): Promise<number> =>
  transact(mongo, async (session) => {
    const found = await readRun(mongo, session, ref);
    if (!found) return 0;
    const { campaign, run } = found;
    const { id, workspaceId, audienceId, status, sentAt, cancelledAt } = campaign;
    const runs = status === 'live' || status === 'completed';
    if (!runs || sentAt === null || run.expanded) return 0;
    const { expandedTo: after } = run;
    const upTo = campaign.lastContactId ?? 0;
    const query = { workspaceId, audienceId, after, upTo, joinedBy: sentAt, limit };
    const { members, last, done } = await readMembers(mongo, query, session);
    // Nobody qualified at the start. Whoever does since then is as one who joined later.
    const all = status === 'live' || cancelledAt !== null;
    const listed = all ? members : members.filter(({ reason }) => reason !== null);
    const made = listed.map(({ contactId, reason }) => recipientRow(id, contactId, reason));
    const rows = await withoutListed(mongo.db, session, made);
    const skipped = rows.filter(({ reason }) => reason !== null).length;
    await documents(mongo.db, 'campaigns').updateOne(
      { _id: id },
      {
        $inc: { 'run.rows': rows.length, 'run.skipped': skipped },
        $set: { 'run.expandedTo': last ?? after, 'run.expanded': done },
      },
      { session },
    );
    if (rows.length > 0) await documents(mongo.db, 'campaignRecipients').insertMany(rows, { session });
    return done ? rows.length : Math.max(1, rows.length);
  });

/** The next rows of the manifest whose turn has not come yet, in the order of contacts, as far as all were listed. */
const nextRows = (
  { db }: Mongo,
  session: ClientSession,
  campaignId: number,
  { fedTo, expandedTo }: Pick<CampaignRun, 'fedTo' | 'expandedTo'>,
  limit: number,
) =>
  documents(db, 'campaignRecipients')
    .find({ campaignId, contactId: { $gt: fedTo, $lte: expandedTo } }, { session })
    .sort({ contactId: 1 })
    .limit(limit)
    .hint('recipients_of_campaign')
    .toArray();

/** Makes the next rows messages; see CampaignRuns.feed. */
export async function feed(parts: StepParts, ref: CampaignRef, limit: number, at: number): Promise<number> {
  const { mongo, outbox } = parts;
  const { rows, written } = await transact(mongo, (session) => tryFeed(parts, session, ref, limit, at));
  if (written) outbox.enqueue(written);
  return rows;
}

async function tryFeed(
  parts: StepParts,
  session: ClientSession,
  ref: CampaignRef,
  limit: number,
  at: number,
): Promise<{ rows: number; written?: Written | null }> {
  const { mongo } = parts;
  const found = await readRun(mongo, session, ref);
  if (found?.campaign.status !== 'live') return { rows: 0 };
  const sender = await readSender(mongo, session, found);
  const rows = await nextRows(mongo, session, ref.id, found.run, limit);
  if (!sender || rows.length === 0) return { rows: 0 };
  const pending = rows.filter(({ state }) => state === 'pending');
  const contacts = await readContacts(mongo, session, pending);
  const acceptances: Acceptance[] = [];
  const changes = pending.map(({ _id, contactId }): AnyBulkWriteOperation<CampaignRecipientDocument> => {
    const contact = contacts.get(contactId);
    if (contact === undefined) {
      return { updateOne: { filter: { _id }, update: { $set: { state: 'skipped', reason: 'deleted' } } } };
    }
    const facts = campaignMessage(sender, { id: contactId, email: contact.email }, at);
    acceptances.push(campaignAcceptance(facts, contactId));
    return { updateOne: { filter: { _id }, update: { $set: { state: 'message', messageId: facts.id } } } };
  });
  await documents(mongo.db, 'campaigns').updateOne(
    { _id: ref.id },
    {
      $inc: { 'run.fed': acceptances.length, 'run.skipped': pending.length - acceptances.length },
      $set: { 'run.fedTo': rows.at(-1)!.contactId },
    },
    { session },
  );
  if (changes.length > 0) await documents(mongo.db, 'campaignRecipients').bulkWrite(changes, { session });
  const look = { ...NEW_MAILS, statusOf: (id: number) => contacts.get(id)?.status };
  const plan = planAcceptances(acceptances, look, { contactIds: [], turns: new Map() });
  return { rows: rows.length, written: await writePlan(parts, session, plan) };
}

/** The mails of a campaign have new ids and no keys, and go to contacts, which the claim checks. */
const NEW_MAILS: Pick<AcceptanceLook, 'withKey' | 'withId' | 'standing'> = {
  withKey: () => undefined,
  withId: () => undefined,
  standing: () => ({ balance: 0, suppressed: false, contact: null }),
};

/** The contacts of the rows that exist. */
async function readContacts(
  { db }: Mongo,
  session: ClientSession,
  rows: readonly { contactId: number }[],
): Promise<Map<number, { email: string; status: ContactStatus }>> {
  const found = await documents(db, 'contacts')
    .find({ _id: { $in: rows.map(({ contactId }) => contactId) } }, { session, projection: { email: 1, status: 1 } })
    .toArray();
  return new Map(found.map(({ _id, email, status }) => [_id, { email, status }]));
}

async function readSender(
  { db }: Mongo,
  session: ClientSession,
  { campaign }: FoundRun,
): Promise<CampaignSender | null> {
  const { workspaceId, domainId, sentAt } = campaign;
  const workspace = await documents(db, 'workspaces').findOne({ _id: workspaceId }, { session });
  const domain = await documents(db, 'domains').findOne({ _id: domainId }, { session });
  if (sentAt === null || !workspace || !domain) return null;
  return { campaign: { ...campaign, sentAt }, workspace, domain: { id: domain._id, domain: domain.domain } };
}

/** Wakes the throttle once the transaction is committed. */
async function wake(
  { mongo, now }: StepParts,
  session: ClientSession,
  { workspaceId }: CampaignRef,
  messageId: string,
): Promise<Written> {
  const value = { workspaceId, messageId };
  const records: OutgoingRecord[] = [{ topic: 'messages.accepted', key: String(workspaceId), value }];
  const id = new ObjectId();
  const entry = { _id: id, outbox: outboxEntries(records, 1), outboxAt: now() };
  await documents(mongo.db, 'outbox').insertOne(entry, { session });
  return { holder: 'outbox', id, v: 1, records };
}

const NOTHING: Settled = { settled: 0, failed: 0 };

/** Takes messages off hold, or ends what waits of a cancelled campaign; see CampaignRuns.settle. */
export async function settle(parts: StepParts, ref: CampaignRef, limit: number, at: number): Promise<Settled> {
  const { mongo, outbox } = parts;
  const { written, ...done } = await transact(mongo, async (session): Promise<Settled & { written?: Written }> => {
    const found = await readRun(mongo, session, ref);
    if (!found) return NOTHING;
    if (found.campaign.status === 'live') return release(parts, session, ref, limit);
    if (found.campaign.cancelledAt === null) return NOTHING;
    const rows = await cancelRows(mongo, session, ref.id, found.run, limit);
    if (rows > 0) return { settled: rows, failed: 0 };
    const failed = await failQueued(mongo, session, ref.id, limit, at);
    return { settled: failed, failed };
  });
  if (written) outbox.enqueue(written);
  return done;
}

async function queuedIds(
  { db }: Mongo,
  session: ClientSession,
  campaignId: number,
  limit: number,
  from = 0,
): Promise<string[]> {
  const found = await documents(db, 'messages')
    .find(
      { lane: 'campaign', campaignId, status: 'queued', dueAt: { $gte: from } },
      { session, projection: { _id: 1 } },
    )
    .sort({ dueAt: 1 })
    .limit(limit)
    .hint('messages_of_campaign')
    .toArray();
  return found.map(({ _id }) => _id);
}

async function release(
  parts: StepParts,
  session: ClientSession,
  ref: CampaignRef,
  limit: number,
): Promise<Settled & { written?: Written }> {
  const { mongo } = parts;
  const ids = await queuedIds(mongo, session, ref.id, limit, HOLD);
  if (ids.length === 0) return NOTHING;
  const held = { _id: { $in: ids }, status: 'queued' as const, dueAt: { $gte: HOLD } };
  const update = { $inc: { dueAt: -HOLD, version: 1 } };
  const { matchedCount } = await documents(mongo.db, 'messages').updateMany(held, update, { session });
  if (matchedCount !== ids.length) throw new Conflict('A message was changed meanwhile.');
  return { settled: ids.length, failed: 0, written: await wake(parts, session, ref, ids[0]!) };
}

async function cancelRows(
  mongo: Mongo,
  session: ClientSession,
  campaignId: number,
  run: CampaignRun,
  limit: number,
): Promise<number> {
  const { db } = mongo;
  const rows = await nextRows(mongo, session, campaignId, run, limit);
  if (rows.length === 0) return 0;
  const pending = rows.flatMap(({ _id, state }) => (state === 'pending' ? [_id] : []));
  await documents(db, 'campaigns').updateOne(
    { _id: campaignId },
    { $inc: { 'run.cancelled': pending.length }, $set: { 'run.fedTo': rows.at(-1)!.contactId } },
    { session },
  );
  await documents(db, 'campaignRecipients').updateMany(
    { _id: { $in: pending } },
    { $set: { state: 'cancelled', reason: texts.campaignCancelled } },
    { session },
  );
  return rows.length;
}

async function failQueued(
  mongo: Mongo,
  session: ClientSession,
  campaignId: number,
  limit: number,
  at: number,
): Promise<number> {
  const ids = await queuedIds(mongo, session, campaignId, limit);
  if (ids.length === 0) return 0;
  const { matchedCount } = await documents(mongo.db, 'messages').updateMany(
    { _id: { $in: ids }, status: 'queued' },
    {
      $set: { status: 'failed', failedReason: texts.campaignCancelled, dueAt: null },
      $push: { history: { status: 'failed', at } },
      $inc: { version: 1 },
    },
    { session },
  );
  if (matchedCount !== ids.length) throw new Conflict('A message was changed meanwhile.');
  return ids.length;
}
