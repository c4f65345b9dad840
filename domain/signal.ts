/** What a recipient did, as the public pages saw it (docs/contract.md#events). */
export type SignalKind = 'open' | 'click' | 'unsubscribe';

export interface Signal {
  /** Made by the page before the record was written; the same hit keeps it through every redelivery. */
  id: string;
  messageId: string;
  kind: SignalKind;
  at: number;
  /**
   * Clicks only: the destination, as its place in the stored list of the message. Not the URL, which may hold the recipient's
   * address: the log keeps what it is given, and the list is cleaned when the contact is deleted.
   */
  link: number | null;
}

/** Names of the webhook events (docs/contract.md#events). */
export type MessageEventName = 'delivered' | 'bounce' | 'complaint' | 'open' | 'click' | 'unsubscribe';
