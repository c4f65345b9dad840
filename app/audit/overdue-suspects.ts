import { findOverdue } from '../../domain/audit/check-deadline';
import type { Difference } from '../../domain/audit/difference';
import { sleep } from '../../lib/sleep';
import type { AuditSource } from '../../stores/ports/audit-source';

/** Looked at a second time, at most; each takes memory. */
const LIMIT = 10_000;
const PAGE = 500;
/** ms of real time between two looks. */
const LOOK_EVERY = 250;

/**
 * Messages whose deadline had passed. After a time without a service, or after its clock was moved on, there may be many, and the
 * timers are working them off: so they are looked at again until none moves any more.
 */
export class OverdueSuspects {
  private suspects: Difference[] = [];
  private more = 0;

  add(suspect: Difference | null): void {
    if (!suspect) return;
    if (this.suspects.length < LIMIT) this.suspects.push(suspect);
    else this.more += 1;
  }

  /** Those that stay as they are, once none has moved for `patience` ms. */
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
    const alive = await source.aliveUntil();
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
