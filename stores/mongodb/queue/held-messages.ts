import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { RELEASED } from '../../../domain/destinations/destination-state';
import type { Lane } from '../../../domain/messages/message';
import type { DueMessage, Hold, Release } from '../../ports/send-queue';
import { AT_ONCE } from '../../ports/wakeup-store';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { transact } from '../transactions/transact';

/** See SendQueue.due. */
export async function readDue(
  { db }: Mongo,
  workspaceId: number,
  lane: Lane,
  now: number,
  limit: number,
): Promise<DueMessage[]> {
  if (limit <= 0) return [];
  const found = documents(db, 'messages')
    .find(
      { status: 'queued', workspaceId, lane, dueAt: { $lte: now } },
      { projection: { to: 1, domainId: 1, attempt: 1 } },
    )
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .hint('messages_queued');
  return (await found.toArray()).map(({ _id: messageId, domainId, to, attempt }) => ({
    messageId,
    domainId,
    to,
    attempt,
  }));
}

/** See SendQueue.hold. Each message is a write of its own: one that was moved is found with its new turn. */
export async function holdMessages(
  { db }: Mongo,
  workspaceId: number,
  holds: readonly Hold[],
  now: number,
): Promise<void> {
  if (holds.length === 0) return;
  const move = ({ messageId, dueAt, heldFor }: Hold): AnyBulkWriteOperation<MessageDocument> => ({
    updateOne: {
      filter: { _id: messageId, workspaceId, status: 'queued', dueAt: { $lte: now } },
      update: { $set: { dueAt, heldFor }, $inc: { version: 1 } },
    },
  });
  await documents(db, 'messages').bulkWrite(holds.map(move), { ordered: false });
}

/**
 * See SendQueue.release. The messages and the looks at their workspaces change together, or a crash would hold some up.
 */
export const releaseHeld = (mongo: Mongo, heldFor: string, how: Release): Promise<number> =>
  transact(mongo, (session) => release(mongo, session, heldFor, how));

async function release(
  { db }: Mongo,
  session: ClientSession,
  heldFor: string,
  { mails, now, every, limit }: Release,
): Promise<number> {
  const messages = documents(db, 'messages');
  const lane = mails === 'transactional' ? { $eq: mails } : { $ne: 'transactional' as const };
  const waiting = { heldFor, dueAt: { $gt: now }, status: 'queued' as const, lane };
  const found = messages.find(waiting, { projection: { workspaceId: 1 }, limit, hint: 'messages_held', session });
  const rows = await found.sort({ dueAt: 1, _id: 1 }).toArray();
  if (rows.length === 0) return 0;
  const free = ({ _id }: (typeof rows)[number], n: number): AnyBulkWriteOperation<MessageDocument> => ({
    updateOne: {
      filter: { ...waiting, _id },
      update: { $set: { dueAt: now + Math.ceil(n * every), heldFor: RELEASED }, $inc: { version: 1 } },
    },
  });
  await messages.bulkWrite(rows.map(free), { ordered: false, session });
  const ids = [...new Set(rows.map(({ workspaceId }) => workspaceId))];
  await documents(db, 'looks').updateMany({ _id: { $in: ids } }, { $set: { at: AT_ONCE } }, { session });
  return rows.length;
}
