/** What a report says of a message (docs/architecture.md#feedback). */
export type FeedbackKind = 'delivered' | 'bounced' | 'expired' | 'delayed' | 'complaint';

export interface Feedback {
  kind: FeedbackKind;
  /** From a configured report peer. Anyone else's report may only bounce or complain. */
  trusted: boolean;
  /** Code and reason from the receiving server, one line, at most 500 characters; empty when there is none. */
  text: string;
  /** When the report reached us, ms. */
  at: number;
}
