/** What a recipient did, as the public pages saw it (spec section 6). */
export type SignalKind = 'open' | 'click' | 'unsubscribe';

export interface Signal {
  /** Made by the page before the record was written; the same hit keeps it through every redelivery. */
  id: string;
  messageId: string;
  kind: SignalKind;
  at: number;
  /** Clicks only: the destination, from the stored list of the message. */
  url: string | null;
}

/** Names of the webhook events (spec section 6). */
export type MessageEventName = 'delivered' | 'bounce' | 'complaint' | 'open' | 'click' | 'unsubscribe';
