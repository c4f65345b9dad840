import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import { dueWork, type DueWork } from './tasks/due-work';
import { expiredAttachments } from './tasks/expired-attachments';
import { lostClaims } from './tasks/lost-claims';
import { overdueMessages } from './tasks/overdue-messages';
import { trimLog } from './tasks/trim-log';
import { TimerWorker, type TimerWorkerDeps } from './timer-worker';

export interface TimerDeps extends TimerWorkerDeps {
  stores: Pick<Stores, 'deadlines' | 'dueTasks' | 'messages'>;
  log: Pick<EventLog, 'trim' | 'publish'>;
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
  /** The kinds of due work that are worked off here. */
  dueWork: readonly DueWork[];
}

/**
 * What falls due: deadlines of messages, due work, and in passing the log's retention. Every change is a compare-and-set, so any
 * number of timers may run. A new deadline is one more entry of this list.
 */
export function createTimers(deps: TimerDeps): TimerWorker {
  const { stores, log, clock, logger } = deps;
  const { dueTasks } = stores;
  const tasks = [
    overdueMessages(deps),
    expiredAttachments(stores),
    lostClaims(deps),
    trimLog(log),
    ...deps.dueWork.map((work) => dueWork({ dueTasks, clock, logger }, work)),
  ];
  return new TimerWorker('timers', tasks, deps);
}
