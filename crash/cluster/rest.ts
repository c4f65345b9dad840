import type { AdvancingClock } from '../../app/time-travel/advancing-clock';
import { sleep } from '../../lib/sleep';
import type { Stores } from '../../stores/ports';
import type { Sender } from '../seed';
import type { ClusterProcesses } from './processes';

/** Real time that is left to the cluster to come to rest, ms. */
const PATIENCE = 60_000;
const LOOK = 300;

export interface IdleCheck {
  stores: Stores;
  /** At the time of the processes. */
  clock: AdvancingClock;
  processes: ClusterProcesses;
  senders: readonly Sender[];
  /** Reports that the sink has still to send. */
  pendingReports: () => Promise<number>;
}

/**
 * Waits until nothing can happen before time moves on, twice in a row: no record and no report is on its way, nothing is claimed, and
 * nothing is due, but for free accounts that wait for their next minute.
 */
export async function untilIdle(of: IdleCheck): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (let times = 0; times < 2 && performance.now() < end;) {
    await sleep(LOOK);
    times = (await isAtRest(of)) ? times + 1 : 0;
  }
}

async function isAtRest({ stores: { queue, deadlines }, clock, processes, senders, pendingReports }: IdleCheck): Promise<boolean> {
  if ((await processes.lag()) !== 0 || (await pendingReports()) > 0) return false;
  if ((await queue.backlog(1)) > 0 || (await deadlines.pastFence(1)).length > 0) return false;
  if ((await deadlines.overdue(clock.now(), 1)).length > 0) return false;
  for (const { workspaceId, isFree } of senders) {
    if (!isFree && (await queue.waiting(workspaceId, clock.now(), 1)).length > 0) return false;
  }
  return true;
}
