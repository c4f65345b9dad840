import { setImmediate } from 'node:timers/promises';
import type { Difference } from '../../domain/audit/difference';

export interface FindingsOptions {
  onDifference(difference: Difference): void;
  onProgress?(done: number, total: number): void;
}

/** What an audit has checked and found so far. */
export class AuditFindings {
  readonly checked: Record<string, number> = {
    workspaces: 0,
    messages: 0,
    attempts: 0,
    ledger_rows: 0,
    penalties: 0,
    idempotency_keys: 0,
    list_counts: 0,
    engagement_rows: 0,
    days: 0,
  };
  differences = 0;

  constructor(
    private readonly options: FindingsOptions,
    /** Number of messages at the start. */
    private readonly total: number,
  ) {}

  count(what: string, n = 1): void {
    this.checked[what] = (this.checked[what] ?? 0) + n;
  }

  report(differences: readonly Difference[]): void {
    for (const difference of differences) {
      this.differences += 1;
      this.options.onDifference(difference);
    }
  }

  /** Call after each page: reports the progress and yields to other work. */
  async rest(): Promise<void> {
    const done = this.checked['messages'] ?? 0;
    this.options.onProgress?.(done, Math.max(done, this.total));
    await setImmediate();
  }
}
