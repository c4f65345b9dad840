import { DRIVE_WORK } from '../../domain/campaigns/campaign-moves';
import type { Stores } from '../../stores/ports';
import { dueWork } from '../timers/tasks/due-work';
import type { TimerTask } from '../timers/timer-task';
import { TimerWorker, type TimerWorkerDeps } from '../timers/timer-worker';
import { TimerWorkers } from '../timers/timer-workers';
import { driveWork, type DriveDeps } from './drive-work';
import { startWork, type StartWorkDeps } from './start-work';

export interface CampaignsDeps extends TimerWorkerDeps {
  stores: DriveDeps['stores'] & StartWorkDeps['stores'] & Pick<Stores, 'dueTasks'>;
  logger: TimerWorkerDeps['logger'] & DriveDeps['logger'];
  /** See DriveDeps. */
  brakePercent: number;
}

/** Starts scheduled campaigns and drives those that were started. Any number of processes may do so. */
export function createCampaigns(deps: CampaignsDeps): TimerWorkers {
  return new TimerWorkers([
    new TimerWorker('campaigns', [driveTask(deps)], deps),
    new TimerWorker('campaign starts', [dueWork({ ...deps, dueTasks: deps.stores.dueTasks }, startWork(deps))], deps),
  ]);
}

/**
 * A campaign is looked at every second until its last message is final. Time travel need not stop for these looks, only
 * where a campaign waits for room in the queue.
 */
function driveTask(deps: CampaignsDeps): TimerTask {
  const { clock } = deps;
  const { dueTasks } = deps.stores;
  const waiting = new Map<number, number>();
  const onWait = (campaignId: number, until: number | null): void => {
    if (until === null) waiting.delete(campaignId);
    else waiting.set(campaignId, until);
  };
  const task = dueWork({ ...deps, dueTasks }, driveWork({ ...deps, onWait }));
  return {
    ...task,
    nextAt: async () => {
      const next = await dueTasks.nextDue(DRIVE_WORK);
      if (next !== null && next <= clock.now()) return next;
      return waiting.size === 0 ? null : Math.min(...waiting.values());
    },
  };
}
