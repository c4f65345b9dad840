import type { ClientSession, Db } from 'mongodb';
import { HOUR } from '../../../lib/clock';
import {
  lastOfEach,
  lastOfPeople,
  rollUp,
  type LastActivity,
  type MailActivity,
} from '../../../domain/engagement/engagement';
import { openedOn } from '../database/client';
import { contactSteps } from '../contacts/contact-batches';
import { documents } from '../database/documents';
import { rollUpDocument } from './roll-ups';
import { transact } from '../transactions/transact';

/** Contacts processed together. */
const STEP = 500;
/** Emails whose signals are read together. */
const MAILS = 1_000;
/** Contacts counted in one transaction. */
const CONTACTS = 200;

/**
 * Builds the roll-ups of every contact from the stored signals. Each contact is recounted in a transaction that writes
 * it first, as SignalStore does. So this may run again after a crash, in several processes at once, and next to a
 * service that already stores signals; the last to commit has the right count.
 */
export async function rollUpSignals(db: Db): Promise<void> {
  for await (const contactIds of contactSteps(db, STEP)) {
    const active = await activeOf(db, contactIds);
    for (let from = 0; from < active.length; from += CONTACTS) {
      await countAnew(db, active.slice(from, from + CONTACTS));
    }
  }
}

/** The contacts whose emails have signals. A contact's first later signal is counted by the write that stores it. */
async function activeOf(db: Db, contactIds: readonly number[]): Promise<number[]> {
  const active = new Set<number>();
  for await (const [contactId] of activitiesOf(db, contactIds)) active.add(contactId);
  return [...active];
}

async function countAnew(db: Db, contactIds: readonly number[]): Promise<void> {
  await transact(openedOn(db), async (session) => {
    const named = { _id: { $in: [...contactIds] } };
    await documents(db, 'contacts').updateMany(named, { $inc: { touched: 1 } }, { session });
    const contacts = await documents(db, 'contacts')
      .find(named, { session, projection: { workspaceId: 1 } })
      .toArray();
    const byContact = new Map<number, MailActivity[]>(contacts.map(({ _id }) => [_id, []]));
    for await (const [contactId, activity] of activitiesOf(db, [...byContact.keys()], session)) {
      byContact.get(contactId)?.push(activity);
    }
    const rows = contacts.flatMap(({ _id, workspaceId }) =>
      rollUp(byContact.get(_id) ?? []).map((row) => rollUpDocument(workspaceId, _id, row)),
    );
    await documents(db, 'engagement').deleteMany({ contactId: { $in: [...contactIds] } }, { session });
    if (rows.length > 0) await documents(db, 'engagement').insertMany(rows, { session });
    const all = [...byContact.values()].flat();
    await writeLast(db, session, lastOfEach(all), lastOfPeople(all));
  });
}

async function writeLast(
  db: Db,
  session: ClientSession,
  last: ReadonlyMap<string, LastActivity>,
  people: ReadonlyMap<string, LastActivity>,
): Promise<void> {
  if (last.size === 0) return;
  const operations = [...last].map(([_id, { openedAt, clickedAt }]) => ({
    updateOne: {
      filter: { _id },
      update: {
        $set: {
          ...(openedAt === null ? {} : { openedAt }),
          ...(clickedAt === null ? {} : { clickedAt }),
          openedByPeopleAt: people.get(_id)?.openedAt ?? null,
          clickedByPeopleAt: people.get(_id)?.clickedAt ?? null,
        },
      },
    },
  }));
  await documents(db, 'messages').bulkWrite(operations, { session });
}

/** The activity on the emails of these contacts, each with its contact. */
async function* activitiesOf(
  db: Db,
  contactIds: readonly number[],
  session?: ClientSession,
): AsyncGenerator<[contactId: number, activity: MailActivity]> {
  const within = session ? { session } : {};
  const mails = await documents(db, 'messages')
    .find({ contactId: { $in: [...contactIds] } }, { ...within, projection: { contactId: 1 } })
    .toArray();
  for (let from = 0; from < mails.length; from += MAILS) {
    const owners = new Map(mails.slice(from, from + MAILS).map(({ _id, contactId }) => [_id, contactId]));
    const found = documents(db, 'signals').aggregate<MailActivity>(activityPipeline([...owners.keys()]), within);
    for (const activity of await found.toArray()) yield [owners.get(activity.messageId)!, activity];
  }
}

/** Builds the MailActivity of these emails from their signals. */
export function activityPipeline(messageIds: readonly string[]): object[] {
  const isClick = { $eq: ['$kind', 'click'] };
  const isPerson = { $eq: [{ $ifNull: ['$machine', null] }, null] };
  const isPersonsClick = { $and: [isClick, isPerson] };
  return [
    { $match: { messageId: { $in: messageIds }, kind: { $in: ['open', 'click'] } } },
    {
      $group: {
        _id: { messageId: '$messageId', hour: { $subtract: ['$at', { $mod: ['$at', HOUR] }] } },
        lastAt: { $max: '$at' },
        lastClickAt: { $max: { $cond: [isClick, '$at', null] } },
        clicks: { $sum: { $cond: [isClick, 1, 0] } },
        peopleLastAt: { $max: { $cond: [isPerson, '$at', null] } },
        peopleLastClickAt: { $max: { $cond: [isPersonsClick, '$at', null] } },
        peopleClicks: { $sum: { $cond: [isPersonsClick, 1, 0] } },
      },
    },
    {
      $project: {
        _id: 0,
        messageId: '$_id.messageId',
        lastAt: 1,
        lastClickAt: 1,
        clicks: 1,
        people: { lastAt: '$peopleLastAt', lastClickAt: '$peopleLastClickAt', clicks: '$peopleClicks' },
      },
    },
  ];
}
