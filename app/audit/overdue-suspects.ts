import { findOverdue } from '../../domain/audit/check-deadline';
import type { Difference } from '../../domain/audit/difference';
import { sleep } from '../../lib/sleep';
import type { AuditSource } from '../../stores/ports/audit-source';

/** Suspects checked a second time, at most; each takes memory. */
const LIMIT = 10_000;
const PAGE = 500;
/** Real time between two checks, ms. */
const LOOK_EVERY = 250;

/**
 * Messages past their deadline. After a time without a service, or after its clock was moved, there may be many that
 * the timers are still working off. So they are checked again until no more of them change.
 */
export class OverdueSuspects {
  private suspects: Difference[] = [];
  private more = 0;

  add(suspect: Difference | null): void {
    if (!suspect) return;
    if (this.suspects.length < LIMIT) this.suspects.push(suspect);
    else this.more += 1;
  }

  /** Returns those still overdue, once none has changed for `patience` ms. */
  async confirm(source: AuditSource, patience: number): Promise<Difference[]> {
    let waited = 0;
    while (this.suspects.length > 0 && waited < patience) {
      await sleep(LOOK_EVERY);
      const still = await this.lookAgain(source);
      waited = still.length < this.suspects.length ? 0 : waited + LOOK_EVERY;
      this.suspects = still;
    }
    if (this.suspects.length === 0 || this.more === 0) return this.suspects;
    const others = {
      rule: 'overdue',
      subject: 'further messages',
      expected: 'none',
      found: String(this.more),
    } as const;
    return [...this.suspects, others];
  }

  private async lookAgain(source: AuditSource): Promise<Difference[]> {
    const { aliveUntil: alive } = await source.installation();
    const still: Difference[] = [];
    for (let from = 0; from < this.suspects.length; from += PAGE) {
      const ids = this.suspects.slice(from, from + PAGE).map(({ subject }) => subject);
      for (const message of await source.find(ids)) {
        const overdue = findOverdue(message, alive);
        if (overdue) still.push(overdue);
      }
    }
    return still;
  }
}
