import type { ClientSession } from 'mongodb';
import type { CampaignRun, CampaignSender } from '../../../domain/campaigns/campaign-run';
import { planFeed, type StepPlan } from '../../../domain/campaigns/campaign-steps';
import type { ContactStatus } from '../../../domain/contacts/contact';
import type { AcceptanceLookup } from '../../../domain/messages/judge-acceptance';
import type { CampaignRef, Fed } from '../../ports/campaign-runs';
import { campaignAcceptance, NOTHING_FED } from '../../shared/campaign-acceptance';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { Outbox, Written } from '../log/outbox';
import { planAcceptances, writePlan } from '../messages/accept-messages';
import { transact } from '../transactions/transact';
import { recipientId } from './campaign-documents';
import { readRun, type FoundRun } from './run-fields';

/** The parts that the steps of a campaign need. */
export interface StepParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
}

/** The next rows of the manifest whose turn has not come yet, in the order of contacts, as far as all were listed. */
export const readRows = (
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

/** Writes what a step does to the rows and counters of a campaign. */
export async function writeStep(
  { db }: Mongo,
  session: ClientSession,
  campaignId: number,
  { changes, count, fedTo }: StepPlan,
): Promise<void> {
  const counted = { 'run.fed': count.fed, 'run.skipped': count.skipped, 'run.cancelled': count.cancelled };
  await documents(db, 'campaigns').updateOne(
    { _id: campaignId },
    { $inc: counted, $set: { 'run.fedTo': fedTo } },
    { session },
  );
  if (changes.length === 0) return;
  await documents(db, 'campaignRecipients').bulkWrite(
    changes.map(({ contactId, state, reason, messageId }) => ({
      updateOne: {
        filter: { _id: recipientId(campaignId, contactId) },
        update: { $set: { state, reason, messageId } },
      },
    })),
    { session },
  );
}

/** Makes the next rows messages; see CampaignRuns.feed. */
export async function feed(parts: StepParts, ref: CampaignRef, limit: number, at: number): Promise<Fed> {
  const { fed, written } = await transact(parts.mongo, (session) => tryFeed(parts, session, ref, limit, at));
  if (written) parts.outbox.enqueue(written);
  return fed;
}

async function tryFeed(
  parts: StepParts,
  session: ClientSession,
  ref: CampaignRef,
  limit: number,
  at: number,
): Promise<{ fed: Fed; written?: Written | null }> {
  const { mongo } = parts;
  const found = await readRun(mongo, session, ref);
  if (found?.campaign.status !== 'live') return { fed: NOTHING_FED };
  const sender = await readSender(mongo, session, found);
  const rows = await readRows(mongo, session, ref.id, found.run, limit);
  if (!sender || rows.length === 0) return { fed: NOTHING_FED };
  const contacts = await readContacts(mongo, session, rows);
  const addressed = rows.map((row) => ({ ...row, email: contacts.get(row.contactId)?.email ?? null }));
  const { messages, ...step } = planFeed(sender, addressed, at);
  await writeStep(mongo, session, ref.id, step);
  const acceptances = messages.map(({ contactId, facts }) => campaignAcceptance(facts, contactId));
  const look = { ...NEW_MAILS, statusOf: (id: number) => contacts.get(id)?.status };
  const plan = planAcceptances(acceptances, look, { contactIds: [], rounds: new Map() });
  const fed = { rows: rows.length, accepted: messages.length };
  return { fed, written: await writePlan(parts, session, plan) };
}

/** The mails of a campaign have new ids and no keys, and go to contacts, which the claim checks. */
const NEW_MAILS: Pick<AcceptanceLookup, 'withKey' | 'withId' | 'recipientState'> = {
  withKey: () => undefined,
  withId: () => undefined,
  recipientState: () => ({ balance: 0, suppressed: false, contact: null }),
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
  const { businessName, name } = workspace;
  return {
    campaign: { ...campaign, sentAt },
    workspace: { id: workspaceId, businessName, name },
    domain: { id: domainId, domain: domain.domain },
  };
}
