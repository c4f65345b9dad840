import type { BounceClass } from '../bounces/bounce-class';

/**
 * What a report says about a message (docs/architecture.md#feedback). `unclear`: it contradicts itself, so it changes
 * nothing and is parked.
 */
export const FEEDBACK_KINDS = ['delivered', 'bounced', 'expired', 'delayed', 'complaint', 'unclear'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export interface Feedback {
  kind: FeedbackKind;
  /** From a configured report peer. Reports from other peers may only say bounced or complaint. */
  trusted: boolean;
  /** Code and reason from the receiving server, one line, at most 500 characters; empty when there is none. */
  text: string;
  /** What the refusal was read as (docs/bounces.md#classes); null when there was none. */
  class: BounceClass | null;
  /** True when the address, its domain or its mailbox is gone for good. */
  hard: boolean;
  /** When we received the report, ms. */
  at: number;
}
