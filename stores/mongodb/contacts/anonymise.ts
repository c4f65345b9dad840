import type { AnyBulkWriteOperation } from 'mongodb';
import { erasedFacts, erasureOf, type Erasure } from '../../../domain/erasure';
import type { Metadata } from '../../../domain/message';
import { finishDropping } from '../messages/attachments';
import type { Mongo } from '../database/client';
import { documents, type AnonymisingDocument, type MessageDocument } from '../database/documents';
import { guard } from '../transactions/guard';

/** Messages of one round, so that each takes short. */
const BATCH = 500;

const PERSONAL = {
  to: 1,
  toText: 1,
  subject: 1,
  fromEmail: 1,
  fromName: 1,
  replyTo: 1,
  metadata: 1,
  failedReason: 1,
  fencedAt: 1,
  links: 1,
  attempts: 1,
  attachmentsUntil: 1,
  version: 1,
} as const;
type PersonalFields = Pick<MessageDocument, '_id' | keyof typeof PERSONAL>;

/**
 * Takes a contact that is deleted out of everything that is kept of it (docs/contract.md#delete-a-contact) and strikes
 * it off the list of those that wait for it. May be done again at any time, also by several at once. Each message gets
 * a new version: nobody writes a decision made on it as it was. Its recipient goes last, so that a crash before leaves
 * it to be found again.
 */
export async function anonymise(mongo: Mongo, note: AnonymisingDocument): Promise<void> {
  const { db } = mongo;
  const contactId = note._id;
  await documents(db, 'engagement').deleteMany({ contactId });
  await documents(db, 'enrollments').deleteMany({ contactId });
  await documents(db, 'conversions').updateMany({ contactId }, { $set: { contactId: null } });
  const erasure = erasureOf(note);
  for (;;) {
    const found = await documents(db, 'messages')
      .find<PersonalFields>({ contactId, to: { $ne: null } }, { projection: PERSONAL })
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
  messages: readonly PersonalFields[],
): Promise<void> {
  await documents(mongo.db, 'bodies').deleteMany({ _id: { $in: messages.map(({ _id }) => _id) } });
  // One that changed since it was read is not matched, and found again.
  await documents(mongo.db, 'messages').bulkWrite(
    messages.map((message) => anonymousWrite(message, emailHash, erasure)),
    { ordered: false },
  );
  const dropped = messages.flatMap(({ _id: id, attachmentsUntil }) => (attachmentsUntil === null ? [] : [id]));
  // The note in the message tells the sweeper when this comes to nothing.
  await finishDropping(mongo, dropped);
}

/** What may still be reported about keeps the hash of its address: a bounce or complaint to come still suppresses it. */
function anonymousWrite(
  message: PersonalFields,
  emailHash: string,
  erasure: Erasure,
): AnyBulkWriteOperation<MessageDocument> {
  const { _id, version, failedReason, fencedAt, links, attempts, attachmentsUntil, ...rest } = message;
  const metadata = rest.metadata === null ? null : (JSON.parse(rest.metadata) as Metadata);
  const { to, toText, subject, fromEmail, fromName, replyTo, ...facts } = erasedFacts({ ...rest, metadata }, erasure);
  return {
    updateOne: {
      filter: { _id, version },
      update: {
        $set: {
          to,
          toText,
          subject,
          fromEmail,
          fromName,
          replyTo,
          metadata: facts.metadata === null ? null : JSON.stringify(facts.metadata),
          failedReason: failedReason === null ? null : erasure.address(failedReason),
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

/** Finishes at most `limit` deletions that a crash or a failure cut short; answers how many there were. */
export async function finishAnonymising(mongo: Mongo, limit: number): Promise<number> {
  return guard(async () => {
    const open = await documents(mongo.db, 'anonymising').find().sort({ _id: 1 }).limit(limit).toArray();
    for (const note of open) await anonymise(mongo, note);
    return open.length;
  });
}
