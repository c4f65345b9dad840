import type { Stores } from '../../stores/ports';
import { dueWork } from '../timers/tasks/due-work';
import { TimerWorker, type TimerWorkerDeps } from '../timers/timer-worker';
import { TimerWorkers } from '../timers/timer-workers';
import { goalWork, type GoalDeps } from './goals';
import { resumeWork } from './resume-work';
import { stepWork, type StepDeps } from './step-work';
import { trimPosts } from './trim-posts';

export interface JourneysDeps extends TimerWorkerDeps, Omit<StepDeps, 'clock'> {
  stores: StepDeps['stores'] & GoalDeps['stores'] & Pick<Stores, 'journeyPosts'>;
  /** How long posts of webhook steps are kept, ms. */
  postsKept: number;
}

/** Takes contacts through the steps of their journeys. Any number of processes may do so. */
export function createJourneys(deps: JourneysDeps): TimerWorkers {
  const { stores, postsKept } = deps;
  const { dueTasks } = stores;
  return new TimerWorkers([
    new TimerWorker('journey steps', [stepWork(deps)], deps),
    new TimerWorker('journeys that go on', [dueWork({ ...deps, dueTasks }, resumeWork(deps))], deps),
    new TimerWorker('goals of journeys', [dueWork({ ...deps, dueTasks }, goalWork(deps))], deps),
    new TimerWorker('posts of journeys', [trimPosts(stores, postsKept)], deps),
  ]);
}
