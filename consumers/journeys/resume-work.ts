import { RESUME_WORK } from '../../domain/journeys/enrollment';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { DueWork } from '../timers/tasks/due-work';
import { STEP_LEASE } from './step-work';

/** Enrolments scheduled in one commit. */
const PAGE = 500;

/**
 * Schedules the steps of a journey that goes on after a pause, a page an attempt, and once more after the longest turn:
 * a step that met the pause may have been parked behind the first look.
 */
export function resumeWork({ stores, clock }: { stores: Pick<Stores, 'journeyRuns'>; clock: Clock }): DueWork {
  return {
    kind: RESUME_WORK,
    lease: STEP_LEASE,
    atOnce: 4,
    handle: async ({ id, workspaceId, payload }) => {
      const again = payload['again'] === true;
      const last = await stores.journeyRuns.resume({ workspaceId, id: Number(id) }, Number(payload['after']), PAGE);
      const now = clock.now();
      if (last !== null) return { kind: 'again', next: { dueAt: now, attempt: 0, payload: { after: last, again } } };
      if (!again) return { kind: 'done' };
      return { kind: 'again', next: { dueAt: now + STEP_LEASE, attempt: 0, payload: { after: 0, again: false } } };
    },
  };
}
