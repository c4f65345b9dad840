import { setImmediate } from 'node:timers/promises';
import type { Difference } from '../../domain/audit/difference';
import type { Pages } from '../../stores/ports/audit-source';

export interface FindingsOptions {
  onDifference(difference: Difference): void;
  onProgress?(done: number, total: number): void;
}

/** What an audit counts. Penalties are those for forced sends; received are the mails of the sandbox. */
export type Counted =
  | 'workspaces'
  | 'messages'
  | 'attempts'
  | 'ledger_rows'
  | 'penalties'
  | 'idempotency_keys'
  | 'list_counts'
  | 'engagement_rows'
  | 'campaigns'
  | 'enrollments'
  | 'conversions'
  | 'webhook_events'
  | 'webhook_deliveries'
  | 'days'
  | 'received';

/** How many of each kind were checked; no `received` without a sandbox. */
export type Checked = Record<Exclude<Counted, 'received'>, number> & { received?: number };

/** What an audit has checked and found so far. */
export class AuditFindings {
  readonly checked: Checked = {
    workspaces: 0,
    messages: 0,
    attempts: 0,
    ledger_rows: 0,
    penalties: 0,
    idempotency_keys: 0,
    list_counts: 0,
    engagement_rows: 0,
    campaigns: 0,
    enrollments: 0,
    conversions: 0,
    webhook_events: 0,
    webhook_deliveries: 0,
    days: 0,
  };
  differences = 0;
  /** Messages handed over before the sandbox's file was made or emptied, so that it can say nothing about them. */
  notCompared = 0;

  constructor(
    private readonly options: FindingsOptions,
    /** Number of messages at the start. */
    private readonly total: number,
  ) {}

  count(what: Counted, n = 1): void {
    this.checked[what] = (this.checked[what] ?? 0) + n;
  }

  report(differences: readonly Difference[]): void {
    for (const difference of differences) {
      this.differences += 1;
      this.options.onDifference(difference);
    }
  }

  /** Applies a rule to each record, and counts them. */
  async check<T>(what: Counted | null, pages: Pages<T>, rule: (record: T) => readonly Difference[]): Promise<void> {
    for await (const page of pages) {
      if (what) this.count(what, page.length);
      for (const record of page) this.report(rule(record));
      await this.rest();
    }
  }

  /** Call after each page: reports the progress and yields to other work. */
  async rest(): Promise<void> {
    const done = this.checked.messages;
    this.options.onProgress?.(done, Math.max(done, this.total));
    await setImmediate();
  }
}
