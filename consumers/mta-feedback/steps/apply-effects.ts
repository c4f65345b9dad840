import type { FeedbackEffects } from '../../../domain/apply-feedback';
import type { Message } from '../../../domain/message';
import type { Stores } from '../../../stores/ports';

/** Puts the recipient on the suppression list and raises the contact's status (spec section 8). A deleted contact is left. */
export const applyEffects = (stores: Pick<Stores, 'contacts' | 'suppressions'>) =>
  async function applyEffects(message: Message, effects: FeedbackEffects, at: number): Promise<void> {
    const contact = await stores.contacts.get(message.workspaceId, message.contactId);
    if (!contact) return;
    await Promise.all([
      stores.suppressions.add({
        workspaceId: message.workspaceId,
        addressHash: contact.emailHash,
        reason: effects.suppress,
        messageId: message.id,
        createdAt: at,
      }),
      stores.contacts.raiseStatus(message.workspaceId, contact.id, effects.contact, at),
    ]);
  };
