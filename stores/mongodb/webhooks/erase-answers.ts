import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

/**
 * Removes the answers of every delivery of these messages, once their contact is deleted. Writes those without an
 * answer as well: a result that is recorded at the same time, and still saw the contact, then conflicts. May run again.
 */
export async function eraseAnswers({ db }: Mongo, messageIds: readonly string[]): Promise<void> {
  await documents(db, 'webhookDeliveries').updateMany(
    // Damaged data may hold anything.
    { messageId: { $in: [...messageIds] }, attempts: { $type: 'array' } },
    { $set: { 'attempts.$[].answer': null }, $inc: { touched: 1 } },
  );
}
