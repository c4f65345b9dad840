/** What a report says about a message (docs/architecture.md#feedback). */
export type FeedbackKind = 'delivered' | 'bounced' | 'expired' | 'delayed' | 'complaint';

export interface Feedback {
  kind: FeedbackKind;
  /** From a configured report peer. Reports from other peers may only say bounced or complaint. */
  trusted: boolean;
  /** Code and reason from the receiving server, one line, at most 500 characters; empty when there is none. */
  text: string;
  /** When we received the report, ms. */
  at: number;
}
