import type { EngagementRecord } from '../../../domain/audit/check-engagement';
import type { LastActivity, MailActivity, RollUp } from '../../../domain/engagement/engagement';
import { documents } from '../database/documents';
import type { EngagementDocument } from '../engagement/engagement-documents';
import { guard } from '../transactions/guard';
import { activityPipeline } from '../engagement/activity-pipeline';
import { pages, type Snapshot } from '../transactions/snapshot';

/** Contacts checked together. */
const PAGE = 500;
/** Emails whose signals are read together. */
const MAILS = 1_000;

/** The counts of a workspace's contacts, in the order of their ids; then rows that name none of them. */
export async function* engagementPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<EngagementRecord[]> {
  const { db, moment } = snapshot;
  const contacts = documents(db, 'contacts')
    .find({ workspaceId }, { ...moment, projection: { _id: 1 }, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(contacts, PAGE)) {
    const ids = page.map(({ _id }) => _id);
    yield await guard(() => recordsOf(snapshot, workspaceId, ids));
  }
  const rows = documents(db, 'engagement').find({ workspaceId }, { ...moment, batchSize: PAGE });
  for await (const page of pages(rows, PAGE)) yield await guard(() => straysAmong(snapshot, workspaceId, page));
}

async function recordsOf(snapshot: Snapshot, workspaceId: number, ids: readonly number[]): Promise<EngagementRecord[]> {
  const { db, moment } = snapshot;
  const records = new Map(
    ids.map((contactId) => [
      contactId,
      {
        contactId,
        exists: true,
        kept: [] as RollUp[],
        activities: [] as MailActivity[],
        noted: new Map<string, LastActivity>(),
        notedOfPeople: new Map<string, LastActivity>(),
      },
    ]),
  );
  const rows = documents(db, 'engagement')
    .find({ contactId: { $in: [...ids] }, workspaceId }, moment)
    .sort({ contactId: 1 });
  for (const row of await rows.toArray()) records.get(row.contactId)?.kept.push(toRollUp(row));
  const mails = documents(db, 'messages').find(
    { contactId: { $in: [...ids] } },
    {
      ...moment,
      batchSize: MAILS,
      projection: { contactId: 1, openedAt: 1, clickedAt: 1, openedByPeopleAt: 1, clickedByPeopleAt: 1 },
    },
  );
  for await (const page of pages(mails, MAILS)) {
    const owners = new Map(page.map((mail) => [mail._id, records.get(mail.contactId)]));
    for (const { _id, openedAt, clickedAt, ...people } of page) {
      if (openedAt === undefined && clickedAt === undefined) continue;
      owners.get(_id)?.noted.set(_id, { openedAt: openedAt ?? null, clickedAt: clickedAt ?? null });
      const { openedByPeopleAt = null, clickedByPeopleAt = null } = people;
      owners.get(_id)?.notedOfPeople.set(_id, { openedAt: openedByPeopleAt, clickedAt: clickedByPeopleAt });
    }
    const found = documents(db, 'signals').aggregate<MailActivity>(activityPipeline([...owners.keys()]), moment);
    for (const activity of await found.toArray()) owners.get(activity.messageId)?.activities.push(activity);
  }
  return [...records.values()];
}

async function straysAmong(
  { db, moment }: Snapshot,
  workspaceId: number,
  rows: readonly EngagementDocument[],
): Promise<EngagementRecord[]> {
  const contacts = documents(db, 'contacts').find(
    { _id: { $in: [...new Set(rows.map(({ contactId }) => contactId))] }, workspaceId },
    { ...moment, projection: { _id: 1 } },
  );
  const known = new Set((await contacts.toArray()).map(({ _id }) => _id));
  return rows
    .filter(({ contactId }) => !known.has(contactId))
    .map((row) => ({
      contactId: row.contactId,
      exists: false,
      kept: [toRollUp(row)],
      activities: [],
      noted: null,
      notedOfPeople: null,
    }));
}

const toRollUp = ({ hour, opened, clicked, clicks, lastAt, ...people }: EngagementDocument): RollUp => ({
  hour,
  opened,
  clicked,
  clicks,
  openedByPeople: people.openedByPeople,
  clickedByPeople: people.clickedByPeople,
  clicksByPeople: people.clicksByPeople,
  lastAt: lastAt ?? null,
});
