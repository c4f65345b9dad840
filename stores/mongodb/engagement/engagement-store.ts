import type { Document } from 'mongodb';
import { ALL_TIME, type Engagement, type EngagementOrder } from '../../../domain/engagement/engagement';
import type { ContactEngagement, EngagementQuery, EngagementStore } from '../../ports/engagement-store';
import type { Page } from '../../ports/page';
import { allRead } from '../../shared/conditions';
import { QueryQueue } from '../../shared/query-queue';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded } from '../transactions/guard';

/** The server runs other work too, so few queries run at once. */
const QUEUE = { atOnce: 2, waiting: 64, waitingOfOne: 16 };
/** From this many members on, reading all rows of the period is faster than looking up those of each member. */
const MANY = 2_000;

const ORDERS: Record<EngagementOrder, Record<string, 1 | -1>> = {
  opens: { opened: -1, clicked: -1, clicks: -1, _id: 1 },
  clicks: { clicked: -1, clicks: -1, opened: -1, _id: 1 },
};

/** The sums of one contact. `_id` is that of the contact. */
interface Sums {
  _id: number;
  opened: number;
  clicked: number;
  clicks: number;
}

/** MongoDB driver of EngagementStore. */
export function engagementStore(mongo: Mongo): EngagementStore {
  const queue = new QueryQueue(QUEUE);
  return guarded<EngagementStore>({
    top: (workspaceId, query) =>
      queue.run(workspaceId, JSON.stringify([workspaceId, query]), () => top(mongo, workspaceId, query)),
    ofContact: (workspaceId, contactId) => ofContact(mongo, workspaceId, contactId),
  });
}

async function top(mongo: Mongo, workspaceId: number, query: EngagementQuery): Promise<Page<Engagement>> {
  const { by, since, audienceId, offset, limit, ...left } = query;
  allRead(left);
  const [found] = await documents(mongo.db, 'engagement')
    .aggregate<{ page: Sums[]; total: { n: number }[] }>(
      [
        ...(await activeContacts(mongo, workspaceId, { since, audienceId })),
        {
          $facet: {
            page: [{ $sort: ORDERS[by] }, { $skip: offset }, { $limit: limit }],
            total: [{ $count: 'n' }],
          },
        },
      ],
      { allowDiskUse: true },
    )
    .toArray();
  return { total: found?.total[0]?.n ?? 0, items: await withDetails(mongo, found?.page ?? [], since) };
}

async function ofContact({ db }: Mongo, workspaceId: number, contactId: number): Promise<ContactEngagement | null> {
  const found = await documents(db, 'engagement').findOne({ _id: `${contactId}:${ALL_TIME}`, workspaceId });
  if (!found) return null;
  const { opened, clicked, clicks: totalClicks, openedByPeople, clickedByPeople, clicksByPeople, lastAt } = found;
  const people = { openedByPeople, clickedByPeople, totalClicksByPeople: clicksByPeople };
  return { opened, clicked, totalClicks, ...people, lastActivityAt: lastAt ?? 0 };
}

const SUMS = { opened: { $sum: '$opened' }, clicked: { $sum: '$clicked' }, clicks: { $sum: '$clicks' } };

async function activeContacts(
  mongo: Mongo,
  workspaceId: number,
  { since, audienceId }: Pick<EngagementQuery, 'since' | 'audienceId'>,
): Promise<Document[]> {
  const period = { workspaceId, hour: since === null ? ALL_TIME : { $gte: since } };
  const group = { $group: { _id: '$contactId', ...SUMS } };
  if (audienceId === null) return [{ $match: period }, group];
  const few = await fewMembers(mongo, audienceId);
  if (few) return [{ $match: { contactId: { $in: few }, ...period } }, group];
  // Joins all members as rows next to the others, so that no list of them is sent, however many there are.
  const pipeline = [{ $match: { audienceId } }, { $project: { _id: 0, contactId: 1, member: { $literal: 1 } } }];
  return [
    { $match: period },
    { $project: { _id: 0, contactId: 1, opened: 1, clicked: 1, clicks: 1 } },
    { $unionWith: { coll: 'members', pipeline } },
    { $group: { _id: '$contactId', ...SUMS, member: { $max: '$member' }, rows: { $sum: 1 } } },
    { $match: { member: 1, rows: { $gt: 1 } } },
    { $project: { opened: 1, clicked: 1, clicks: 1 } },
  ];
}

/** The members of a small audience; null for a large one. */
async function fewMembers({ db }: Mongo, audienceId: number): Promise<number[] | null> {
  const found = documents(db, 'members').find({ audienceId }, { projection: { _id: 0, contactId: 1 } });
  const members = await found.limit(MANY).toArray();
  return members.length < MANY ? members.map(({ contactId }) => contactId) : null;
}

/** Adds details. Contacts deleted meanwhile are left out. */
async function withDetails(mongo: Mongo, page: readonly Sums[], since: number | null): Promise<Engagement[]> {
  if (page.length === 0) return [];
  const ids = page.map(({ _id }) => _id);
  const [contacts, lasts, received, people] = await Promise.all([
    readContacts(mongo, ids),
    readLast(mongo, ids),
    countReceived(mongo, ids, since ?? 0),
    countPeople(mongo, ids, since),
  ]);
  return page.flatMap(({ _id: id, opened, clicked, clicks }): Engagement[] => {
    const contact = contacts.get(id);
    const lastActivityAt = lasts.get(id);
    if (!contact || lastActivityAt === undefined) return [];
    // Counted a moment later.
    const atLeast = Math.max(received.get(id) ?? 0, opened);
    const byPeople = people.get(id) ?? NO_PEOPLE;
    return [{ contact, received: atLeast, opened, clicked, totalClicks: clicks, ...byPeople, lastActivityAt }];
  });
}

async function readContacts({ db }: Mongo, ids: readonly number[]): Promise<Map<number, Engagement['contact']>> {
  const found = documents(db, 'contacts').find(
    { _id: { $in: [...ids] } },
    { projection: { email: 1, name: 1, status: 1 } },
  );
  return new Map((await found.toArray()).map(({ _id: id, email, name, status }) => [id, { id, email, name, status }]));
}

async function readLast({ db }: Mongo, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = documents(db, 'engagement').find(
    { _id: { $in: ids.map((id) => `${id}:${ALL_TIME}`) } },
    { projection: { contactId: 1, lastAt: 1 } },
  );
  return new Map((await rows.toArray()).map(({ contactId, lastAt = 0 }) => [contactId, lastAt]));
}

type PeopleCounts = Pick<Engagement, 'openedByPeople' | 'clickedByPeople' | 'totalClicksByPeople'>;
const NO_PEOPLE: PeopleCounts = { openedByPeople: 0, clickedByPeople: 0, totalClicksByPeople: 0 };

/** The counts of people in the period. */
async function countPeople(
  { db }: Mongo,
  ids: readonly number[],
  since: number | null,
): Promise<Map<number, PeopleCounts>> {
  const rows = documents(db, 'engagement').aggregate<PeopleCounts & { _id: number }>([
    { $match: { contactId: { $in: [...ids] }, hour: since === null ? ALL_TIME : { $gte: since } } },
    {
      $group: {
        _id: '$contactId',
        openedByPeople: { $sum: '$openedByPeople' },
        clickedByPeople: { $sum: '$clickedByPeople' },
        totalClicksByPeople: { $sum: '$clicksByPeople' },
      },
    },
  ]);
  return new Map((await rows.toArray()).map(({ _id, ...counts }) => [_id, counts]));
}

/** See Engagement.received. */
async function countReceived({ db }: Mongo, ids: readonly number[], from: number): Promise<Map<number, number>> {
  const counts = documents(db, 'messages').aggregate<{ _id: number; n: number }>([
    { $match: { contactId: { $in: [...ids] }, $or: [{ dispatchedAt: { $gte: from } }, { openedAt: { $gte: from } }] } },
    { $group: { _id: '$contactId', n: { $sum: 1 } } },
  ]);
  return new Map((await counts.toArray()).map(({ _id, n }) => [_id, n]));
}
