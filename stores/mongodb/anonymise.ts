import type { Mongo } from './client';
import { documents } from './documents';
import { guard } from './guard';

/** Messages of one update, so that each takes short. */
const BATCH = 1_000;

/**
 * Anonymises the messages of a contact that is deleted (spec: DELETE /contacts/{id}) and strikes it off the list of those that
 * wait for it. May be done again at any time, also by several at once. Each message gets a new version: nobody writes a decision
 * made on it as it was.
 */
export async function anonymise(mongo: Mongo, contactId: number): Promise<void> {
  const messages = documents(mongo.db, 'messages');
  for (;;) {
    const named = { contactId, to: { $ne: null } };
    const found = await messages
      .find(named, { projection: { _id: 1 } })
      .limit(BATCH)
      .toArray();
    if (found.length === 0) break;
    await messages.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) }, ...named },
      { $set: { to: null, toText: null }, $inc: { version: 1 } },
    );
  }
  await documents(mongo.db, 'anonymising').deleteOne({ _id: contactId });
}

/** Finishes at most `limit` deletions that a crash or a failure cut short; answers how many there were. */
export async function finishAnonymising(mongo: Mongo, limit: number): Promise<number> {
  return guard(async () => {
    const open = await documents(mongo.db, 'anonymising').find().sort({ _id: 1 }).limit(limit).toArray();
    for (const { _id } of open) await anonymise(mongo, _id);
    return open.length;
  });
}
