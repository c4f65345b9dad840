import type { MachineReason } from './machine-reason';

/** What a recipient did, as recorded by the public pages (docs/contract.md#events). */
export const SIGNAL_KINDS = ['open', 'click', 'unsubscribe'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

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
  /**
   * Why it is taken for the hit of a machine; null: a person did it, as far as is known. It may be set later, when a
   * neighbour shows it (docs/machine-signals.md).
   */
  machine: MachineReason | null;
}

/** A signal as it comes in, or a hit on the link that no person sees. */
export interface NewHit extends Omit<Signal, 'kind'> {
  kind: SignalKind | 'hidden';
  /** Tells the clients of one message apart; null when it is not known. Left out: null. */
  client?: string | null;
}

/** Names of the webhook events (docs/contract.md#events). */
export const MESSAGE_EVENTS = ['delivered', 'bounce', 'complaint', ...SIGNAL_KINDS] as const;
export type MessageEventName = (typeof MESSAGE_EVENTS)[number];
