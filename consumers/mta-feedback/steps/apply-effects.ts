import type { FeedbackEffects } from '../../../domain/messages/apply-feedback';
import type { Message } from '../../../domain/messages/message';
import type { Stores } from '../../../stores/ports';

/**
 * Adds the recipient to the suppression list and raises the status of the contact (docs/contract.md). The message keeps
 * the address hash of a deleted contact, so an address that bounced stays suppressed after the contact is gone.
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
