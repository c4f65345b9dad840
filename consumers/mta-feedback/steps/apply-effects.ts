import type { FeedbackEffects } from '../../../domain/apply-feedback';
import type { Message } from '../../../domain/message';
import type { Stores } from '../../../stores/ports';

/**
 * Puts the recipient on the suppression list and raises the contact's status (docs/contract.md). The message keeps the hash of the
 * address of a deleted contact: an address that bounced stays suppressed although the contact is gone.
 */
export const applyEffects = (stores: Pick<Stores, 'contacts' | 'suppressions'>) =>
  async function applyEffects(message: Message, effects: FeedbackEffects, at: number): Promise<void> {
    const { workspaceId, contactId, id: messageId } = message;
    const addressHash = await stores.contacts.recipientHash(messageId);
    await Promise.all([
      addressHash !== null &&
        stores.suppressions.add({ workspaceId, addressHash, reason: effects.suppress, messageId, createdAt: at }),
      stores.contacts.raiseStatus(workspaceId, contactId, effects.contact, at),
    ]);
  };
