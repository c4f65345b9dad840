import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import { dueWork, type DueWork } from './tasks/due-work';
import { expiredAttachments } from './tasks/expired-attachments';
import { lostClaims } from './tasks/lost-claims';
import { overdueMessages } from './tasks/overdue-messages';
import { trimDeliveries } from './tasks/trim-deliveries';
import { trimLog } from './tasks/trim-log';
import { trimUnread } from './tasks/trim-unread';
import { TimerWorker, type TimerWorkerDeps } from './timer-worker';
import { TimerWorkers } from './timer-workers';

export interface TimerDeps extends TimerWorkerDeps {
  stores: Pick<Stores, 'deadlines' | 'dueTasks' | 'messages' | 'deliveries' | 'bounces'>;
  log: Pick<EventLog, 'trim' | 'publish'>;
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
  /** How long webhook deliveries are kept, ms. */
  deliveriesKept: number;
  /** The kinds of due work to process. */
  dueWork: readonly DueWork[];
}

/**
 * Handles everything that falls due: deadlines of messages, due work, and the log's retention along the way. Every
 * change is a compare-and-set, so any number of timers may run. A new deadline is one more entry in this list. Each kind
 * of due work has its own loop: a handler may wait for a slow server, and must not hold up the deadlines.
 */
export function createTimers(deps: TimerDeps): TimerWorkers {
  const { stores, log, clock, logger } = deps;
  const { dueTasks } = stores;
  const tasks = [
    overdueMessages(deps),
    expiredAttachments(stores),
    lostClaims(deps),
    trimLog(log),
    trimDeliveries(stores.deliveries, deps.deliveriesKept),
    trimUnread(stores.bounces),
  ];
  return new TimerWorkers([
    new TimerWorker('timers', tasks, deps),
    ...deps.dueWork.map((work) => {
      const task = dueWork({ dueTasks, clock, logger }, work);
      return new TimerWorker(task.name, [task], deps);
    }),
  ]);
}
