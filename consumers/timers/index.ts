import type { Stores } from '../../stores/ports';
import { expiredAttachments } from './tasks/expired-attachments';
import { housekeeping, type HousekeepingDeps } from './tasks/housekeeping';
import { settleSetBack, type SetBackDeps } from './tasks/set-back';
import { overdueMessages } from './tasks/overdue-messages';
import { TimerWorker, type TimerWorkerDeps } from './timer-worker';

export interface TimerDeps extends TimerWorkerDeps, HousekeepingDeps, SetBackDeps {
  stores: HousekeepingDeps['stores'] & SetBackDeps['stores'] & Pick<Stores, 'messages' | 'workspaces'>;
  logger: TimerWorkerDeps['logger'] & SetBackDeps['logger'];
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
}

/**
 * Handles the deadlines of messages, and housekeeping along the way. Every change is a compare-and-set, so any number
 * of timers may run. A new deadline is one more entry in this list.
 */
export const createTimers = (deps: TimerDeps): TimerWorker =>
  new TimerWorker(
    'timers',
    [settleSetBack(deps), overdueMessages(deps), expiredAttachments(deps.stores), ...housekeeping(deps)],
    deps,
  );
