import type { Filter } from 'mongodb';
import type { Deadlines } from '../../ports/deadlines';
import { dispatchRecord } from '../../shared/dispatch-record';
import type { Mongo } from '../database/client';
import { documents, STAGES, type MessageDocument } from '../database/documents';
import { guarded } from '../transactions/guard';

/** `dueAt` of a message being sent is a deadline; that of a queued message is its turn. */
const onItsWay = (dueAt: { $lte: number } | { $gte: number }): Filter<MessageDocument> => ({
  stage: { $in: [...STAGES] },
  dueAt,
});
const holding = (attachmentsUntil: { $lte?: number }): Filter<MessageDocument> => ({
  status: 'queued',
  attachmentsUntil: { $gte: 0, ...attachmentsUntil },
});

/** MongoDB driver of Deadlines. */
export function deadlines(mongo: Mongo): Deadlines {
  const idsOf = async (filter: Filter<MessageDocument>, order: Order, limit: number): Promise<string[]> =>
    (await read(mongo, filter, order, limit)).map(({ _id: id }) => id);
  return guarded<Deadlines>({
    overdue: (now, limit) => idsOf(onItsWay({ $lte: now }), DEADLINE, limit),
    unfenced: async (leaseUntil, limit) => {
      const found = await read(mongo, { stage: 'claimed', dueAt: { $lte: leaseUntil } }, DEADLINE, limit);
      return found.map(({ _id: id, attempt, lane }) => dispatchRecord(id, attempt, lane));
    },
    pastFence: (limit) => idsOf({ stage: 'past_fence' }, DEADLINE, limit),
    unknown: async (dueFrom, limit) => {
      const found = await read(mongo, { stage: 'unknown', dueAt: { $gte: dueFrom } }, DEADLINE, limit);
      return found.flatMap(({ _id: messageId, dueAt }) => (dueAt == null ? [] : [{ messageId, dueAt }]));
    },
    attachmentsExpired: (now, limit) => idsOf(holding({ $lte: now }), ATTACHMENTS, limit),
    nextDeadline: async () => {
      const found = await Promise.all([
        read(mongo, onItsWay({ $gte: 0 }), DEADLINE, 1),
        read(mongo, holding({}), ATTACHMENTS, 1),
      ]);
      const times = [found[0][0]?.dueAt, found[1][0]?.attachmentsUntil].flatMap((at) => at ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  });
}

/** An index by its name, and the field whose order it gives. */
interface Order {
  field: 'dueAt' | 'attachmentsUntil';
  hint: string;
}
const DEADLINE: Order = { field: 'dueAt', hint: 'messages_by_stage' };
const ATTACHMENTS: Order = { field: 'attachmentsUntil', hint: 'messages_holding_attachments' };
const FIELDS = { attempt: 1, lane: 1, dueAt: 1, attachmentsUntil: 1 } as const;
type Found = Pick<MessageDocument, '_id' | keyof typeof FIELDS>;

async function read(
  { db }: Mongo,
  filter: Filter<MessageDocument>,
  { field, hint }: Order,
  limit: number,
): Promise<Found[]> {
  // The server would treat 0 as no limit.
  if (limit <= 0) return [];
  const found = documents(db, 'messages').find(filter, { projection: FIELDS });
  return found
    .sort({ [field]: 1 })
    .limit(limit)
    .hint(hint)
    .toArray();
}
