import { MAX_UNREAD } from '../../../domain/bounces/unread-report';
import type { BounceStore } from '../../ports/bounce-store';
import { compareAndSet, upsert } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded } from '../transactions/guard';

/** MongoDB driver of BounceStore. */
export function bounceStore({ db }: Mongo): BounceStore {
  const [messages, unread] = [documents(db, 'messages'), documents(db, 'unreadReports')];
  return guarded<BounceStore>({
    refusedSince: async (contactId, classes) => {
      let deliveredAt = -1;
      for await (const { history } of messages.find(
        { contactId, status: 'delivered' },
        { projection: { history: 1 } },
      )) {
        for (const { status, at } of history) if (status === 'delivered') deliveredAt = Math.max(deliveredAt, at);
      }
      const found = await messages
        .find(
          { contactId, refusedClass: { $in: [...classes] }, refusedAt: { $gt: Math.max(0, deliveredAt) } },
          { projection: { status: 1, refusedAt: 1, hardBouncedAt: 1 } },
        )
        .sort({ refusedAt: 1, _id: 1 })
        .toArray();
      return found.map(({ _id: messageId, status, refusedAt, hardBouncedAt }) => ({
        messageId,
        at: refusedAt ?? 0,
        status,
        isHard: hardBouncedAt !== null,
      }));
    },
    refusals: async (bounceClass, since, limit) => {
      const found = await messages
        .find(
          { refusedClass: bounceClass, refusedAt: { $gte: Math.max(0, since) } },
          { projection: { domainId: 1, to: 1, failedReason: 1, refusedAt: 1 } },
        )
        .sort({ refusedAt: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ domainId, to, failedReason, refusedAt }) => ({
        domainId,
        to,
        reason: failedReason ?? '',
        at: refusedAt ?? 0,
      }));
    },
    keepUnread: async ({ id, text, firstAt, lastAt, count }) => {
      const counted = { $max: { lastAt }, $inc: { count } };
      const known = await compareAndSet(unread, { _id: id }, counted);
      if (known || (await unread.estimatedDocumentCount()) >= MAX_UNREAD) return;
      await upsert(unread, { _id: id }, { $setOnInsert: { text, firstAt }, ...counted });
    },
    unread: async (limit) => {
      const found = await unread.find().sort({ lastAt: -1 }).limit(limit).toArray();
      return found.map(({ _id: id, text, firstAt, lastAt, count }) => ({ id, text, firstAt, lastAt, count }));
    },
    trimUnread: async (before) => (await unread.deleteMany({ lastAt: { $lt: before } })).deletedCount,
  });
}
