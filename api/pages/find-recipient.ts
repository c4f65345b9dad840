import type { Contact } from '../../domain/contacts/contact';
import type { Stores } from '../../stores/ports';
import { hintOf } from '../../domain/addresses/address-hint';
import { DEFAULT_LANGUAGE } from '../../domain/settings/language';
import type { Recipient } from './pages';

/** Finds the recipient and the sender of a message; null when the message does not exist. */
export type FindRecipient = (messageId: string) => Promise<Recipient | null>;

const ENDED: readonly Contact['status'][] = ['unsubscribed', 'complained'];

export function recipientFinder(stores: Pick<Stores, 'messages' | 'contacts' | 'workspaces'>): FindRecipient {
  return async function findRecipient(messageId) {
    const message = await stores.messages.get(messageId);
    if (!message) return null;
    const [workspace, contact] = await Promise.all([
      stores.workspaces.get(message.workspaceId),
      stores.contacts.get(message.workspaceId, message.contactId),
    ]);
    return {
      sender: {
        name: workspace?.businessName || workspace?.name || '',
        address: workspace?.businessAddress ?? '',
      },
      address: contact ? hintOf(contact.email) : null,
      language: workspace?.language ?? DEFAULT_LANGUAGE,
      subscribed: contact !== null && !ENDED.includes(contact.status),
    };
  };
}
