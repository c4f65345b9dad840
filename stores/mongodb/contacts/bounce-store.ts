import type { Collection, Filter } from 'mongodb';
import { HARD_CLASSES } from '../../../domain/bounces/bounce-class';
import { MAX_UNREAD } from '../../../domain/bounces/unread-report';
import type { BounceStore, WorkspaceCount } from '../../ports/bounce-store';
import { compareAndSet, upsert } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
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
    hardSince: (since) => hardSince(messages, since),
    complainedSince: (since) => complainedSince(messages, since),
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

/** A message is refused after it was accepted, so the index by refusal has all of them. */
function hardSince(messages: Collection<MessageDocument>, since: number): Promise<WorkspaceCount[]> {
  const at = { $gte: Math.max(0, since) };
  const hard = { refusedClass: { $in: [...HARD_CLASSES] }, refusedAt: at, createdAt: at, hardBouncedAt: { $gte: 0 } };
  return countByWorkspace(messages, hard, 'messages_refused');
}

const complainedSince = (messages: Collection<MessageDocument>, since: number): Promise<WorkspaceCount[]> =>
  countByWorkspace(
    messages,
    { workspaceId: { $gte: 0 }, createdAt: { $gte: Math.max(0, since) }, complainedAt: { $gte: 0 } },
    'messages_complained_by_time',
  );

async function countByWorkspace(
  messages: Collection<MessageDocument>,
  match: Filter<MessageDocument>,
  hint: string,
): Promise<WorkspaceCount[]> {
  const found = messages.aggregate<{ _id: number; count: number }>(
    [{ $match: match }, { $group: { _id: '$workspaceId', count: { $sum: 1 } } }],
    { hint },
  );
  return (await found.toArray()).map(({ _id: workspaceId, count }) => ({ workspaceId, count }));
}
