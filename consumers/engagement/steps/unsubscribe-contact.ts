import type { Message } from '../../../domain/message';
import type { Signal } from '../../../domain/signal';
import type { ContactStore } from '../../../stores/ports/contact-store';

/**
 * Takes the recipient off the workspace's mail. Answers the signal under the id of the fact - this message ended this
 * subscription - so that pressing the button twice is one `unsubscribe` event; null when nothing is to be done, because
 * the recipient has subscribed again after the signal. A deleted contact is fine: there is nobody left to take off.
 */
export function unsubscribeContact(contacts: Pick<ContactStore, 'get' | 'raiseStatus'>) {
  return async function unsubscribe(signal: Signal, message: Message): Promise<Signal | null> {
    const contact = await contacts.get(message.workspaceId, message.contactId);
    const since = contact?.subscribedAt ?? 0;
    // A record read again days later must not undo a newer consent. Mail sent under that consent always may: then the
    // times cannot be right, and an unsubscribe is the last thing to lose to a clock.
    if (signal.at < since && message.createdAt < since) return null;
    if (contact) await contacts.raiseStatus(contact.workspaceId, contact.id, 'unsubscribed', signal.at);
    return { ...signal, id: `unsubscribe:${signal.messageId}:${since}` };
  };
}
