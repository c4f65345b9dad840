import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { done, type EachTask } from '../due-work/due-work';
import { STEP_LEASE } from './step-work';

export interface ResumeDeps {
  stores: Pick<Stores, 'journeyRuns'>;
  clock: Clock;
  /** Called when steps may have become due. */
  wakeSteps: () => void;
}

/** Enrollments scheduled in one commit. */
const PAGE = 500;

/**
 * Schedules the steps of a journey that goes on after a pause, a page an attempt, and once more after the longest
 * round: a step that met the pause may have been parked behind the first look.
 */
export const resumeWork = (deps: ResumeDeps): EachTask<'journey-resume'> => ({
  each: async ({ id, workspaceId, payload: { after, again } }) => {
    const { stores, clock, wakeSteps } = deps;
    const last = await stores.journeyRuns.resume({ workspaceId, id: Number(id) }, after, PAGE);
    const now = clock.now();
    wakeSteps();
    if (last !== null) return { kind: 'again', next: { dueAt: now, attempt: 0, payload: { after: last, again } } };
    if (!again) return done;
    return { kind: 'again', next: { dueAt: now + STEP_LEASE, attempt: 0, payload: { after: 0, again: false } } };
  },
});
