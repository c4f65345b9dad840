import { findOverdueStep } from '../../domain/audit/check-enrolment';
import type { Difference } from '../../domain/audit/difference';
import { sleep } from '../../lib/sleep';
import type { AuditSource } from '../../stores/ports/audit-source';

/** Suspects of a workspace, at most; each takes memory. */
const LIMIT = 1_000;
/** Real time between two checks, ms: each reads all enrolments of the workspace. */
const LOOK_EVERY = 1_000;

/**
 * Steps of journeys that are past their due time. After a time without a service many are due at once, so they are
 * checked again until no more of them are done.
 */
export class OverdueSteps {
  private readonly suspects = new Map<number, Difference[]>();

  add(workspaceId: number, suspect: Difference | null): void {
    if (!suspect) return;
    const known = this.suspects.get(workspaceId);
    if (!known) this.suspects.set(workspaceId, [suspect]);
    else if (known.length < LIMIT) known.push(suspect);
  }

  /** Returns those still overdue, once none was done for `patience` ms. */
  async confirm(source: AuditSource, patience: number): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const [workspaceId, suspects] of this.suspects) {
      let left = suspects;
      for (let waited = 0; left.length > 0 && waited < patience;) {
        await sleep(Math.min(LOOK_EVERY, patience));
        const still = await stillOverdue(source, workspaceId, left);
        waited = still.length < left.length ? 0 : waited + LOOK_EVERY;
        left = still;
      }
      found.push(...left);
    }
    return found;
  }
}

async function stillOverdue(
  source: AuditSource,
  workspaceId: number,
  suspects: readonly Difference[],
): Promise<Difference[]> {
  const subjects = new Set(suspects.map(({ subject }) => subject));
  return source.workspace(workspaceId, async (snapshot) => {
    const alive = await snapshot.aliveUntil();
    const still: Difference[] = [];
    for await (const records of snapshot.enrolments()) {
      for (const record of records) {
        const overdue = findOverdueStep(record, alive);
        if (overdue && subjects.has(overdue.subject)) still.push(overdue);
      }
    }
    return still;
  });
}
