import type { DueKind } from './due-payloads';

/**
 * By when what waits must be due, measured from now, ms. Whatever is due later was written by a clock that was ahead.
 */
export interface LongestWaits {
  now: number;
  /** Between two attempts to hand a message over. */
  retry: number;
  /** Of a claim, and of a hand-off. */
  handOff: number;
  /** For a report. */
  evidence: number;
  /** Of a lease, with the difference that two clocks may have. */
  lease: number;
  /** Of due work, by kind. Kinds that are left out may wait as long as a person or a step says. */
  tasks: Partial<Record<DueKind, number>>;
  /**
   * True when the clock is known to have been ahead. Then what waits for its destination has its turn again, and steps
   * of journeys that began in the future count from now.
   */
  wasAhead: boolean;
}

/**
 * What a clock that was ahead leaves behind: rows with times to come (docs/architecture.md#the-clock). Errors:
 * UnavailableError.
 */
export interface SetBackStore {
  /**
   * Brings the due times, claims and leases that lie further ahead than their longest wait back to now, or to the end
   * of that wait: queued mail but for what a person scheduled, hand-offs, waits for a report, looks at workspaces,
   * leases, due work. Returns how many rows changed. It may be repeated.
   */
  settle(waits: LongestWaits): Promise<number>;
  /** Messages accepted later than `after` (ms), counted up to `limit`, and when the last one says it was. */
  stampedAfter(after: number, limit: number): Promise<{ count: number; last: number | null }>;
}
