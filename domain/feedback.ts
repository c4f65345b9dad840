/**
 * What a report says about a message (docs/architecture.md#feedback). `unclear`: it contradicts itself, so it changes
 * nothing and is parked.
 */
export type FeedbackKind = 'delivered' | 'bounced' | 'expired' | 'delayed' | 'complaint' | 'unclear';

export interface Feedback {
  kind: FeedbackKind;
  /** From a configured report peer. Reports from other peers may only say bounced or complaint. */
  trusted: boolean;
  /** Code and reason from the receiving server, one line, at most 500 characters; empty when there is none. */
  text: string;
  /** When we received the report, ms. */
  at: number;
}
