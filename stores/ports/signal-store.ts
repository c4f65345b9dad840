import type { Signal } from '../../domain/signal';
import type { OutgoingRecord } from '../../streams/records';

export type SignalOutcome = 'stored' | 'exists';

/** What recipients did. */
export interface SignalStore {
  /**
   * Stores a signal once by its id, together with the records it emits and with what it adds to the roll-ups of its contact (see
   * EngagementStore and rollUpChanges), in one commit. Signals may come in any order of their times. One of a contact that is
   * deleted leaves no roll-up, also when the two happen at once.
   */
  store(signal: Signal, workspaceId: number, records: readonly OutgoingRecord[]): Promise<SignalOutcome>;
  /** In order of time. */
  ofMessage(messageId: string): Promise<Signal[]>;
}
