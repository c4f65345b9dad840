import type { Signal } from '../../domain/signal';
import type { OutgoingRecord } from '../../streams/records';

export type SignalOutcome = 'stored' | 'exists';

/** What recipients did. A signal is stored once by its id, together with the records it emits. */
export interface SignalStore {
  store(signal: Signal, workspaceId: number, records: readonly OutgoingRecord[]): Promise<SignalOutcome>;
  /** In order of time. */
  ofMessage(messageId: string): Promise<Signal[]>;
}
