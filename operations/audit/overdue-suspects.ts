import { findOverdue } from '../../domain/audit/check-deadline';
import { findOverdueStep } from '../../domain/audit/check-enrollment';
import type { Difference } from '../../domain/audit/difference';
import { sleep } from '../../lib/sleep';
import type { AuditSnapshot, AuditSource } from '../../stores/ports/audit-source';
import { enrollmentRecords } from './enrollment-records';
import { allOf, find, readAliveUntil } from './rows';

/** Suspects checked a second time, at most; each takes memory. */
const LIMIT = 10_000;
const PAGE = 500;
/** Real time between two checks, ms. */
const LOOK_EVERY = 250;

type Suspect = readonly [id: string, Difference];

/** What may be overdue, and how those with these ids are checked again. */
interface Kind {
  what: string;
  lookAgain(
    rows: AuditSnapshot,
    ids: readonly string[],
    alive: number | null,
  ): Promise<(readonly [string, Difference | null])[]>;
}

const MESSAGES: Kind = {
  what: 'messages',
  lookAgain: async (rows, ids, alive) =>
    (await find(rows, 'messages', 'id', ids)).map(({ message }) => [message.id, findOverdue(message, alive)]),
};

/** Steps of journeys. */
export const STEPS: Kind = {
  what: 'enrollments',
  lookAgain: async (rows, ids, alive) =>
    (await allOf(enrollmentRecords(rows, rows.find('enrollments', 'id', ids)))).map((record) => [
      record.enrollment.id,
      findOverdueStep(record, alive),
    ]),
};

/**
 * What is past its deadline. After a time without a service, or after its clock was moved, there may be much that is
 * still being worked off. So it is checked again until no more of it changes.
 */
export class OverdueSuspects {
  private suspects: Suspect[] = [];
  private more = 0;

  constructor(private readonly kind: Kind = MESSAGES) {}

  add(id: string, suspect: Difference | null): void {
    if (!suspect) return;
    if (this.suspects.length < LIMIT) this.suspects.push([id, suspect]);
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
    const left = this.suspects.map(([, difference]) => difference);
    if (left.length === 0 || this.more === 0) return left;
    const subject = `further ${this.kind.what}`;
    return [...left, { rule: 'overdue', subject, expected: 'none', found: String(this.more) }];
  }

  private async lookAgain(source: AuditSource): Promise<Suspect[]> {
    const still: Suspect[] = [];
    for (let from = 0; from < this.suspects.length; from += PAGE) {
      const ids = this.suspects.slice(from, from + PAGE).map(([id]) => id);
      const found = await source.snapshot(async (rows) => this.kind.lookAgain(rows, ids, await readAliveUntil(rows)));
      for (const [id, difference] of found) if (difference) still.push([id, difference]);
    }
    return still;
  }
}
