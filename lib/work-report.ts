/** Where work reports how it went. */
export interface WorkReport {
  worked(what: string): void;
  /** `retryAfter`: when it is tried again at the latest, ms of real time; 0: at once, or with growing waits. */
  failed(what: string, error: unknown, retryAfter?: number): void;
}
