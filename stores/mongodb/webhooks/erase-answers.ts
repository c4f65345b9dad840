import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

/** Removes the answers of every delivery of these messages, when their contact is deleted. May run again. */
export async function eraseAnswers({ db }: Mongo, messageIds: readonly string[]): Promise<void> {
  await documents(db, 'webhookDeliveries').updateMany(
    { messageId: { $in: [...messageIds] }, 'attempts.0': { $exists: true } },
    { $set: { 'attempts.$[].answer': null } },
  );
}
