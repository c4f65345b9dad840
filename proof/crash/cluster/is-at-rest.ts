import type { AdvancingClock } from '../../../app/core/advancing-clock';
import type { Stores } from '../../../stores/ports';
import type { Scene } from '../stage/play-scene';

/**
 * True when nothing can happen before time advances: no record or report is pending, nothing is claimed, and nothing is
 * due except for free accounts that wait for their next minute. `clock` shows the time of the processes.
 */
export async function isAtRest(
  { stage, senders }: Pick<Scene, 'stage' | 'senders'>,
  { queue, deadlines }: Stores,
  clock: AdvancingClock,
): Promise<boolean> {
  if (!(await stage.isIdle())) return false;
  if ((await queue.backlog(1)) > 0 || (await deadlines.pastFence(1)).length > 0) return false;
  if ((await deadlines.overdue(clock.now(), 1)).length > 0) return false;
  for (const { workspaceId, isFree } of senders) {
    if (!isFree && (await queue.waiting(workspaceId, clock.now(), 1)).length > 0) return false;
  }
  return true;
}
