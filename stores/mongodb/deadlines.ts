import type { Filter } from 'mongodb';
import type { SendQueue } from '../ports/send-queue';
import type { Mongo } from './client';
import { documents, STAGES, type MessageDocument } from './documents';

/** `dueAt` of a message on its way is a deadline; that of a queued one is a turn. */
const onItsWay = (dueAt: { $lte: number } | { $gte: number }): Filter<MessageDocument> => ({
  stage: { $in: [...STAGES] },
  dueAt,
});
const holding = (attachmentsUntil: { $lte?: number }): Filter<MessageDocument> => ({
  status: 'queued',
  attachmentsUntil: { $gte: 0, ...attachmentsUntil },
});

/** The part of SendQueue that the timers and the recovery read. */
export function deadlines({
  db,
}: Mongo): Pick<SendQueue, 'overdue' | 'unfenced' | 'pastFence' | 'attachmentsExpired' | 'nextDeadline'> {
  const messages = documents(db, 'messages');
  const first = async <F extends 'dueAt' | 'attachmentsUntil'>(
    filter: Filter<MessageDocument>,
    field: F,
    hint: string,
  ): Promise<number[]> => {
    const found = await messages.findOne(filter, { projection: { [field]: 1 }, sort: { [field]: 1 }, hint });
    const at = found?.[field];
    return at === undefined || at === null ? [] : [at];
  };
  /** No limit is what the server takes 0 for. */
  const atMost = <T>(limit: number, read: () => Promise<T[]>): Promise<T[]> =>
    limit <= 0 ? Promise.resolve([]) : read();
  return {
    overdue: (now, limit) =>
      atMost(limit, async () => {
        const found = messages
          .find(onItsWay({ $lte: now }), { projection: { _id: 1 } })
          .sort({ dueAt: 1 })
          .limit(limit)
          .hint('messages_by_stage');
        return (await found.toArray()).map(({ _id: id }) => id);
      }),
    unfenced: (leaseUntil, limit) =>
      atMost(limit, async () => {
        const found = messages
          .find({ stage: 'claimed', dueAt: { $lte: leaseUntil } }, { projection: { attempt: 1 } })
          .sort({ dueAt: 1 })
          .limit(limit)
          .hint('messages_by_stage');
        return (await found.toArray()).map(({ _id: messageId, attempt }) => ({ messageId, attempt }));
      }),
    pastFence: (limit) =>
      atMost(limit, async () => {
        const found = messages
          .find({ stage: 'past_fence' }, { projection: { _id: 1 } })
          .limit(limit)
          .hint('messages_by_stage');
        return (await found.toArray()).map(({ _id: id }) => id);
      }),
    attachmentsExpired: (now, limit) =>
      atMost(limit, async () => {
        const found = messages
          .find(holding({ $lte: now }), { projection: { _id: 1 } })
          .sort({ attachmentsUntil: 1 })
          .limit(limit)
          .hint('messages_holding_attachments');
        return (await found.toArray()).map(({ _id: id }) => id);
      }),
    nextDeadline: async () => {
      const found = await Promise.all([
        first(onItsWay({ $gte: 0 }), 'dueAt', 'messages_by_stage'),
        first(holding({}), 'attachmentsUntil', 'messages_holding_attachments'),
      ]);
      const times = found.flat();
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}
