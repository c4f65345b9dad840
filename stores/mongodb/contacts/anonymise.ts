import type { AnyBulkWriteOperation } from 'mongodb';
import { erasedFields, erasureOf, PERSONAL_FIELDS, type Erasure } from '../../../domain/addresses/erasure';
import { finishDropping } from '../messages/attachments';
import { MESSAGE } from '../messages/message-fields';
import type { Mongo } from '../database/client';
import { documents, type AnonymisingDocument, type MessageDocument } from '../database/documents';
import { forgetBuyer, forgetOrders, type LinkingParts } from '../conversions/link-conversion';
import { guard } from '../transactions/guard';
import { eraseAnswers } from '../webhooks/erase-answers';

/** Messages per round, so that each round is short. */
const BATCH = 500;

const PERSONAL = MESSAGE.only(PERSONAL_FIELDS);
const READ = { ...PERSONAL.projection, fencedAt: 1, links: 1, attempts: 1, attachmentsUntil: 1, version: 1 } as const;
type ReadFields = Pick<MessageDocument, '_id' | keyof typeof READ>;

/**
 * Removes a deleted contact from everything stored about it (docs/contract.md#delete-a-contact), and removes it from
 * the list of contacts to anonymise. May run again at any time, and in several processes at once. Each message gets a
 * new version, so no write based on the old one succeeds. The recipient is removed last, so that the message is found
 * again after a crash.
 */
export async function anonymise(parts: LinkingParts, note: AnonymisingDocument): Promise<void> {
  const { mongo } = parts;
  const { db } = mongo;
  const contactId = note._id;
  await documents(db, 'engagement').deleteMany({ contactId });
  await forgetBuyer(parts, contactId);
  const erasure = erasureOf(note);
  for (;;) {
    const found = await documents(db, 'messages')
      .find<ReadFields>({ contactId, to: { $ne: null } }, { projection: READ })
      .limit(BATCH)
      .toArray();
    if (found.length === 0) break;
    await anonymiseMessages(mongo, note.emailHash, erasure, found);
  }
  await documents(db, 'anonymising').deleteOne({ _id: contactId });
}

async function anonymiseMessages(
  mongo: Mongo,
  emailHash: string,
  erasure: Erasure,
  messages: readonly ReadFields[],
): Promise<void> {
  const ids = messages.map(({ _id }) => _id);
  await documents(mongo.db, 'bodies').deleteMany({ _id: { $in: ids } });
  await eraseAnswers(mongo, ids);
  await forgetOrders(mongo, ids);
  // A message that changed since it was read is not matched here, and is found again.
  await documents(mongo.db, 'messages').bulkWrite(
    messages.map((message) => anonymousWrite(message, emailHash, erasure)),
    { ordered: false },
  );
  const dropped = messages.flatMap(({ _id: id, attachmentsUntil }) => (attachmentsUntil === null ? [] : [id]));
  // The note in the message tells the sweeper if this fails.
  await finishDropping(mongo, dropped);
}

/**
 * A message that may still get reports keeps the hash of its address: a later bounce or complaint still suppresses it.
 */
function anonymousWrite(
  message: ReadFields,
  emailHash: string,
  erasure: Erasure,
): AnyBulkWriteOperation<MessageDocument> {
  const { version, fencedAt, links, attempts, attachmentsUntil } = message;
  const { _id, ...erased } = PERSONAL.encode(erasedFields(PERSONAL.decode(message), erasure));
  return {
    updateOne: {
      filter: { _id, version },
      update: {
        $set: {
          ...erased,
          attempts: attempts.map(({ reply, ...attempt }) => ({
            ...attempt,
            reply: reply === null ? null : erasure.address(reply),
          })),
          attachmentsUntil: null,
          ...(fencedAt === null ? {} : { recipientHash: emailHash }),
          ...(links ? { links: links.map((url) => erasure.address(url)) } : {}),
          ...(attachmentsUntil === null ? {} : { dropping: true as const }),
        },
        $inc: { version: 1 },
      },
    },
  };
}

/** Finishes at most `limit` deletions that a crash or a failure interrupted. Returns how many it found. */
export async function finishAnonymising(parts: LinkingParts, limit: number): Promise<number> {
  return guard(async () => {
    const open = await documents(parts.mongo.db, 'anonymising').find().sort({ _id: 1 }).limit(limit).toArray();
    for (const note of open) await anonymise(parts, note);
    return open.length;
  });
}
