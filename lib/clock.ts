/**
 * The only clock of the service (docs/architecture.md#the-clock). Due times, days, windows and timestamps come from it;
 * network timeouts do not.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. Goes back when the clock of the machine was ahead and is right again. */
  now(): number;
  /**
   * Resolves when `now()` reaches `at` (ms) or the signal aborts, whichever comes first. Never rejects. Moving the
   * clock forward wakes the waiters it passes, and a clock that was set back wakes all within two seconds. With
   * `lookAt` it resolves at that earlier time: for a check that is only a safety net. Nothing falls due then, so time
   * travel stops only at `at`.
   */
  until(at: number, signal?: AbortSignal, lookAt?: number): Promise<void>;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
