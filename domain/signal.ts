/** What a recipient did, as recorded by the public pages (docs/contract.md#events). */
export type SignalKind = 'open' | 'click' | 'unsubscribe';

export interface Signal {
  /** Created by the page before it writes the record; the same hit keeps it through every redelivery. */
  id: string;
  messageId: string;
  kind: SignalKind;
  at: number;
  /**
   * Clicks only: the index of the destination in the message's stored list. Not the URL, which may contain the
   * recipient's address: log records cannot be changed, while the list is cleaned when the contact is deleted.
   */
  link: number | null;
}

/** Names of the webhook events (docs/contract.md#events). */
export type MessageEventName = 'delivered' | 'bounce' | 'complaint' | 'open' | 'click' | 'unsubscribe';
