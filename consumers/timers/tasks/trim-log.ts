import { MINUTE } from '../../../lib/clock';
import type { EventLog } from '../../../streams/event-log';
import type { TimerTask } from '../timer-task';

const TRIM_EVERY = MINUTE;
const PAGE = 2_000;

/** Enforces the log's retention. */
export function trimLog(log: Pick<EventLog, 'trim'>): TimerTask {
  let trimmedAt = 0;
  return {
    name: 'trimming the log',
    run: async (now) => {
      if (now - trimmedAt < TRIM_EVERY) return false;
      if ((await log.trim(now, PAGE)) >= PAGE) return true;
      trimmedAt = now;
      return false;
    },
  };
}
