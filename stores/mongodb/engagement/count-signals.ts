import type { ClientSession } from 'mongodb';
import {
  lastActivity,
  NO_ACTIVITY,
  rollUpChanges,
  type LastActivity,
  type PeopleChange,
} from '../../../domain/engagement/engagement';
import { isActivity } from '../../../domain/engagement/machine';
import type { EngagementCounts } from '../../../domain/messages/message-hour';
import type { NewHit } from '../../../domain/engagement/signal';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { MailHit } from './machine-flags';
import { OpenedHours } from '../messages/message-hours';
import { RollUps, type NotedMail } from './roll-ups';

/** The counts of an email, and its owner. */
interface Mail extends NotedMail {
  contactId: number;
  createdAt: number;
}

/**
 * Adds new signals to the roll-ups of their contacts, and takes those out of the counts of people that were found to be
 * machines'. Call it before the new ones are written, and after the flags. Every such transaction writes the contact
 * first. When another one (another signal of the contact, or its deletion) runs at the same time, one of the two
 * conflicts and retries. Returns the changes of the counts of people by message; none for a deleted contact.
 * `workspaces` has the workspace of every message.
 */
export async function countSignals(
  mongo: Mongo,
  session: ClientSession,
  signals: readonly NewHit[],
  removed: readonly MailHit[],
  workspaces: ReadonlyMap<string, number>,
): Promise<Map<string, PeopleChange>> {
  const counted = signals.filter(({ kind }) => kind !== 'unsubscribe');
  const ids = [...new Set([...counted, ...removed].map(({ messageId }) => messageId))];
  const changes = new Map<string, PeopleChange>();
  if (ids.length === 0) return changes;
  const mails = await readMails(mongo, session, ids);
  const present = await touchContacts(mongo, session, [...mails.values()]);
  const left = await lastOfPeople(mongo, session, [...new Set(removed.map(({ messageId }) => messageId))]);
  const rollUps = new RollUps();
  const hours = new OpenedHours();
  for (const [messageId, mail] of mails) {
    const workspaceId = workspaces.get(messageId);
    if (workspaceId === undefined || present.get(mail.contactId) !== workspaceId) continue;
    const own = counted.filter((signal) => signal.messageId === messageId);
    const gone = removed.filter((signal) => signal.messageId === messageId);
    const change = peopleChange(mail.people, left.get(messageId) ?? mail.people, own, gone);
    changes.set(messageId, change);
    if (gone.length > 0 || own.some(({ kind }) => isActivity(kind)))
      addMail(rollUps, hours, { messageId, workspaceId, mail, own, change });
  }
  await rollUps.write(mongo, session);
  await hours.write(mongo, session);
  return changes;
}

function peopleChange(
  before: LastActivity,
  rest: LastActivity,
  own: readonly NewHit[],
  gone: readonly MailHit[],
): PeopleChange {
  const people = own.flatMap(({ kind, at, machine }) => (isActivity(kind) && machine === null ? [{ kind, at }] : []));
  const clicks = [
    ...gone.filter(({ kind }) => kind === 'click').map(({ at }) => ({ at, by: -1 as const })),
    ...people.filter(({ kind }) => kind === 'click').map(({ at }) => ({ at, by: 1 as const })),
  ];
  return { before, after: people.reduce((last, hit) => lastActivity(last, hit), rest), clicks };
}

interface CountedMail {
  messageId: string;
  workspaceId: number;
  mail: Mail;
  own: readonly NewHit[];
  change: PeopleChange;
}

const NO_CHANGE: PeopleChange = { before: NO_ACTIVITY, after: NO_ACTIVITY, clicks: [] };

function addMail(
  rollUps: RollUps,
  hours: OpenedHours,
  { messageId, workspaceId, mail, own, change }: CountedMail,
): void {
  let { last } = mail;
  for (const { kind, at } of own) {
    if (!isActivity(kind)) continue;
    for (const row of rollUpChanges(last, { kind, at }, NO_CHANGE)) rollUps.add(workspaceId, mail.contactId, row);
    last = lastActivity(last, { kind, at });
  }
  for (const row of rollUpChanges(last, null, change)) rollUps.add(workspaceId, mail.contactId, row);
  rollUps.note(messageId, { last, people: change.after });
  hours.add(workspaceId, mail.createdAt, countsOf(mail), countsOf({ last, people: change.after }));
}

/** How an email counts in its hour. */
const countsOf = ({ last, people }: NotedMail): EngagementCounts => ({
  opened: Number(last.openedAt !== null),
  clicked: Number(last.clickedAt !== null),
  openedByPeople: Number(people.openedAt !== null),
  clickedByPeople: Number(people.clickedAt !== null),
});

async function readMails({ db }: Mongo, session: ClientSession, ids: readonly string[]): Promise<Map<string, Mail>> {
  const found = documents(db, 'messages').find(
    { _id: { $in: [...ids] } },
    {
      session,
      projection: { contactId: 1, createdAt: 1, openedAt: 1, clickedAt: 1, openedByPeopleAt: 1, clickedByPeopleAt: 1 },
    },
  );
  return new Map(
    (await found.toArray()).map(({ _id, contactId, createdAt, ...at }) => [
      _id,
      {
        contactId,
        createdAt,
        last: { openedAt: at.openedAt ?? null, clickedAt: at.clickedAt ?? null },
        people: { openedAt: at.openedByPeopleAt ?? null, clickedAt: at.clickedByPeopleAt ?? null },
      },
    ]),
  );
}

/** The contacts that exist, each with its workspace. */
async function touchContacts(
  { db }: Mongo,
  session: ClientSession,
  mails: readonly Mail[],
): Promise<Map<number, number>> {
  const ids = [...new Set(mails.map(({ contactId }) => contactId))];
  const contacts = documents(db, 'contacts');
  await contacts.updateMany({ _id: { $in: ids } }, { $inc: { touched: 1 } }, { session });
  const found = contacts.find({ _id: { $in: ids } }, { session, projection: { workspaceId: 1 } });
  return new Map((await found.toArray()).map(({ _id, workspaceId }) => [_id, workspaceId]));
}

/** The last open and click of people, from the stored signals of these emails. */
async function lastOfPeople(
  { db }: Mongo,
  session: ClientSession,
  messageIds: readonly string[],
): Promise<Map<string, LastActivity>> {
  if (messageIds.length === 0) return new Map();
  const found = documents(db, 'signals').aggregate<{ _id: string; openedAt: number; clickedAt: number | null }>(
    [
      { $match: { messageId: { $in: [...messageIds] }, kind: { $in: ['open', 'click'] }, machine: null } },
      {
        $group: {
          _id: '$messageId',
          openedAt: { $max: '$at' },
          clickedAt: { $max: { $cond: [{ $eq: ['$kind', 'click'] }, '$at', null] } },
        },
      },
    ],
    { session },
  );
  const last = new Map((await found.toArray()).map(({ _id, ...at }) => [_id, at]));
  return new Map(messageIds.map((id) => [id, last.get(id) ?? NO_ACTIVITY]));
}
