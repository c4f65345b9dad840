import type { Message } from '../../../domain/messages/message';
import type { NewHit } from '../../../domain/engagement/signal';
import { unsubscribeContact as unsubscribeNow } from '../../../operations/contacts/change-contact';
import type { ContactStore } from '../../../stores/ports/contact-store';

/**
 * Unsubscribes the recipient from the workspace's mail. Returns the signal with the id of the fact (this message ended
 * this subscription), so that pressing the button twice is one `unsubscribe` event. Returns null when there is nothing
 * to do because the recipient subscribed again after the signal. A deleted contact is fine: there is nothing left to
 * unsubscribe.
 */
export function unsubscribeContact(contacts: Pick<ContactStore, 'get' | 'raiseStatus'>) {
  return async function unsubscribe(signal: NewHit, message: Message): Promise<NewHit | null> {
    const contact = await contacts.get(message.workspaceId, message.contactId);
    const since = contact?.subscribedAt ?? 0;
    // A record read again days later must not undo a newer consent. An unsubscribe from mail sent under that consent
    // always counts: the times contradict each other then, and a wrong clock must never lose an unsubscribe.
    if (signal.at < since && message.createdAt < since) return null;
    if (contact) await unsubscribeNow(contacts, contact, signal.at);
    return { ...signal, id: `unsubscribe:${signal.messageId}:${since}` };
  };
}
