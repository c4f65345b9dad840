import type { MachineReason } from '../../domain/engagement/machine';
import type { NewHit, Signal } from '../../domain/engagement/signal';
import type { OutgoingRecord } from '../../streams/records';

export type SignalOutcome = 'stored' | 'exists';

/** Where an open or click is found without its id. */
export type SignalPlace = Pick<Signal, 'messageId' | 'at' | 'link'> & { kind: 'open' | 'click' };

/** Opens and clicks of a message in a time that includes both ends, ms. */
export interface FlaggedTime {
  from: number;
  to: number;
  reason: MachineReason;
}

/** What recipients did: opens, clicks and unsubscribes. */
export interface SignalStore {
  /**
   * Stores a signal once by id, in one commit with its records and its share of the roll-ups of its contact (see
   * EngagementStore and rollUpChanges). Signals may arrive in any order of their times. A signal of a deleted contact
   * leaves no roll-up, even if the deletion happens at the same time.
   *
   * The same commit flags the signals that the new one shows to be a machine's, itself or earlier ones (see
   * reasonsOfNeighbours), and takes them out of the counts of people. A flag is never taken back, so any order of
   * arrival and any repetition end alike. A hit on the hidden link is stored for its neighbours only: it is no signal,
   * and counts nowhere.
   */
  store(signal: NewHit, workspaceId: number, records: readonly OutgoingRecord[]): Promise<SignalOutcome>;
  /** Flags all opens and clicks of a time, in one commit with the counts of people. May be repeated. */
  flag(messageId: string, workspaceId: number, time: FlaggedTime): Promise<void>;
  /**
   * Why the signals at this place are taken for a machine's, by now: the strongest reason; null for a person's, and for
   * none.
   */
  reasonAt(place: SignalPlace): Promise<MachineReason | null>;
  /** Ordered by time. */
  ofMessage(messageId: string): Promise<Signal[]>;
}
