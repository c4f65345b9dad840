import type { ClientSession, Document } from 'mongodb';
import { hourOf } from '../../../domain/engagement/engagement';
import { CHANNELS, MESSAGE_STATUSES, type Message } from '../../../domain/messages/message';
import { ENGAGEMENT_COUNTS, type EngagementCounts, type MessageHour } from '../../../domain/messages/message-hour';
import { HOUR, MINUTE } from '../../../lib/clock';
import type { MessageHours } from '../../ports/message-hours';
import type { MessageChange } from '../../ports/message-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { transact } from '../transactions/transact';

/** After its end, no message of an hour is accepted any more: a request and its repeats take less, ms. */
const GRACE = 15 * MINUTE;
/** Hours between two that are not counted, which are rather counted again than left out. */
const NEAR = 24;
const OPEN_STATUSES = ['queued', 'sending', 'sent_to_mta'] as const;

const hourId = (workspaceId: number, hour: number): string => `${workspaceId}:${hour}`;

/** MongoDB driver of MessageHours. All counts of an answer are as of one moment. */
export const messageHours = (mongo: Mongo, now: () => number): MessageHours => ({
  between: (workspaceId, since, until) => hoursBetween(mongo, now(), workspaceId, since, until),
});

const hoursBetween = (
  mongo: Mongo,
  now: number,
  workspaceId: number,
  since: number,
  until: number,
): Promise<MessageHour[]> =>
  transact(mongo, async (session) => {
    const kept = documents(mongo.db, 'messageHours');
    const filter = { workspaceId, hour: { $gte: since, $lt: until }, counts: { $exists: true } };
    const found = await kept.find(filter, { session, hint: 'message_hours_in_order' }).toArray();
    const hours = new Map(found.map(({ hour, counts }): [number, MessageHour] => [hour, { hour, ...counts! }]));
    const fresh: MessageHour[] = [];
    for (const gap of gapsOf(hours, since, Math.min(until, hourOf(now) + HOUR))) {
      for (const of of await countHours(mongo, session, workspaceId, gap)) if (!hours.has(of.hour)) fresh.push(of);
    }
    const settled = fresh.filter(
      (of) => of.hour + HOUR + GRACE <= now && OPEN_STATUSES.every((name) => of[name] === 0),
    );
    if (settled.length > 0) {
      const writes = settled.map(({ hour, ...counts }) => ({
        updateOne: {
          filter: { _id: hourId(workspaceId, hour) },
          update: keep(workspaceId, hour, counts),
          upsert: true,
        },
      }));
      await kept.bulkWrite(writes, { session });
    }
    return [...hours.values(), ...fresh].sort((a, b) => a.hour - b.hour);
  });

const keep = (workspaceId: number, hour: number, counts: Omit<MessageHour, 'hour'>) => ({
  $set: { workspaceId, hour, counts },
});

interface Gap {
  from: number;
  to: number;
}

/** The times whose hours are not kept, from the first to the last of those that are near to each other. */
function gapsOf(kept: ReadonlyMap<number, unknown>, since: number, until: number): Gap[] {
  const gaps: Gap[] = [];
  for (let hour = since; hour < until; hour += HOUR) {
    if (kept.has(hour)) continue;
    const last = gaps.at(-1);
    if (last && hour - last.to <= NEAR * HOUR) last.to = hour + HOUR;
    else gaps.push({ from: hour, to: hour + HOUR });
  }
  return gaps;
}

/** What is counted together: which messages, by which index, and the condition of each count. */
const countsOf = (): readonly {
  match: Document;
  hint: string;
  counts: Readonly<Record<string, Document | true>>;
}[] => [
  {
    match: { status: { $in: [...MESSAGE_STATUSES] }, channel: { $in: [...CHANNELS] } },
    hint: 'messages_by_status_and_time',
    counts: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, { $eq: ['$status', status] }])),
  },
  {
    match: { openedAt: { $gte: 0 } },
    hint: 'messages_opened',
    counts: Object.fromEntries(ENGAGEMENT_COUNTS.map((name) => [name, { $gte: [`$${FIELDS[name]}`, 0] }])),
  },
  { match: { complainedAt: { $gte: 0 } }, hint: 'messages_complained_by_time', counts: { complained: true } },
];

/** Counts every hour of a time, by what their indexes hold. */
async function countHours(mongo: Mongo, session: ClientSession, workspaceId: number, { from, to }: Gap) {
  const hours = new Map<number, MessageHour>();
  for (let hour = from; hour < to; hour += HOUR) hours.set(hour, emptyHour(hour));
  const createdAt = { $gte: from, $lt: to };
  const byHour = { $subtract: ['$createdAt', { $mod: ['$createdAt', HOUR] }] };
  for (const { match, hint, counts } of countsOf()) {
    const sums = Object.entries(counts).map(([name, holds]) => [name, { $sum: { $cond: [holds, 1, 0] } }] as const);
    const pipeline = [
      { $match: { workspaceId, createdAt, ...match } },
      { $group: { _id: byHour, ...Object.fromEntries(sums) } },
    ];
    const rows = documents(mongo.db, 'messages').aggregate<{ _id: number }>(pipeline, { session, hint });
    for (const { _id: hour, ...found } of await rows.toArray()) Object.assign(hours.get(hour) ?? {}, found);
  }
  return [...hours.values()];
}

/** The fields of a message behind the counts. */
const FIELDS = {
  opened: 'openedAt',
  clicked: 'clickedAt',
  openedByPeople: 'openedByPeopleAt',
  clickedByPeople: 'clickedByPeopleAt',
} as const satisfies Record<keyof EngagementCounts, string>;

const emptyHour = (hour: number): MessageHour => ({
  hour,
  queued: 0,
  sending: 0,
  sent_to_mta: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  openedByPeople: 0,
  clickedByPeople: 0,
});

/** True for a change of what may be counted for good: late reports and complaints. */
export const changesCounts = ({ status }: Message, { set }: MessageChange): boolean =>
  !OPEN_STATUSES.some((open) => open === status) && (set.status !== undefined || set.complainedAt !== undefined);

/** Forgets the counts of the hour of a message, in the transaction that changes what they count. */
export async function forgetHour(
  { db }: Mongo,
  session: ClientSession,
  { workspaceId, createdAt }: Pick<Message, 'workspaceId' | 'createdAt'>,
): Promise<void> {
  const hour = hourOf(createdAt);
  const update = { $unset: { counts: '' as const }, $inc: { touched: 1 }, $setOnInsert: { workspaceId, hour } };
  await documents(db, 'messageHours').updateOne({ _id: hourId(workspaceId, hour) }, update, { session, upsert: true });
}

/** The changes that the opens and clicks of one transaction make to the counts of hours. */
export class OpenedHours {
  private readonly hours = new Map<string, { workspaceId: number; hour: number; by: EngagementCounts }>();

  add(workspaceId: number, createdAt: number, was: EngagementCounts, is: EngagementCounts): void {
    const hour = hourOf(createdAt);
    const id = hourId(workspaceId, hour);
    const { by } = this.hours.get(id) ?? { by: { opened: 0, clicked: 0, openedByPeople: 0, clickedByPeople: 0 } };
    for (const name of ENGAGEMENT_COUNTS) by[name] += is[name] - was[name];
    this.hours.set(id, { workspaceId, hour, by });
  }

  async write({ db }: Mongo, session: ClientSession): Promise<void> {
    const changed = [...this.hours].filter(([, { by }]) => ENGAGEMENT_COUNTS.some((name) => by[name] !== 0));
    if (changed.length === 0) return;
    const writes = changed.map(([_id, { workspaceId, hour, by }]) => {
      const sums = Object.fromEntries(ENGAGEMENT_COUNTS.map((name) => [name, { $add: [`$counts.${name}`, by[name]] }]));
      const counted = { $eq: [{ $type: '$counts' }, 'object'] };
      const counts = { $cond: [counted, { $mergeObjects: ['$counts', sums] }, '$$REMOVE'] };
      const touched = { $add: [{ $ifNull: ['$touched', 0] }, 1] };
      return {
        updateOne: { filter: { _id }, update: [{ $set: { workspaceId, hour, touched, counts } }], upsert: true },
      };
    });
    await documents(db, 'messageHours').bulkWrite(writes, { session });
  }
}
