import type { Signal } from '../../domain/signal';
import type { OutgoingRecord } from '../../streams/records';

export type SignalOutcome = 'stored' | 'exists';

/** What recipients did: opens, clicks and unsubscribes. */
export interface SignalStore {
  /**
   * Stores a signal once by id, in one commit with its records and its share of the roll-ups of its contact (see
   * EngagementStore and rollUpChanges). Signals may arrive in any order of their times. A signal of a deleted contact
   * leaves no roll-up, even if the deletion happens at the same time.
   */
  store(signal: Signal, workspaceId: number, records: readonly OutgoingRecord[]): Promise<SignalOutcome>;
  /** Ordered by time. */
  ofMessage(messageId: string): Promise<Signal[]>;
}
