import type { AdvancingClock } from '../../../app/core/advancing-clock';
import { sleep } from '../../../lib/sleep';
import type { Stores } from '../../../stores/ports';
import type { Sender } from '../seed';
import type { ClusterProcesses } from './processes';

/** Real time the cluster gets to become idle, ms. */
const PATIENCE = 180_000;
const LOOK = 300;

export interface IdleCheck {
  stores: Stores;
  /** Shows the time of the processes. */
  clock: AdvancingClock;
  processes: ClusterProcesses;
  senders: readonly Sender[];
  /** Number of reports that the sink still has to send. */
  pendingReports: () => Promise<number>;
}

/**
 * Waits until nothing can happen before time advances, twice in a row: no record or report is pending, nothing is
 * claimed, and nothing is due except for free accounts that wait for their next minute.
 */
export async function untilIdle(check: IdleCheck): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (let times = 0; times < 2 && performance.now() < end;) {
    await sleep(LOOK);
    times = (await isIdle(check)) ? times + 1 : 0;
  }
}

async function isIdle({
  stores: { queue, deadlines },
  clock,
  processes,
  senders,
  pendingReports,
}: IdleCheck): Promise<boolean> {
  if ((await processes.lag()) !== 0 || (await pendingReports()) > 0) return false;
  if ((await queue.backlog(1)) > 0 || (await deadlines.pastFence(1)).length > 0) return false;
  if ((await deadlines.overdue(clock.now(), 1)).length > 0) return false;
  for (const { workspaceId, isFree } of senders) {
    if (!isFree && (await queue.waiting(workspaceId, clock.now(), 1)).length > 0) return false;
  }
  return true;
}
