import { UNREAD_KEPT } from '../../../domain/bounces/unread-report';
import { HOUR } from '../../../lib/clock';
import type { BounceStore } from '../../../stores/ports/bounce-store';
import type { TimerTask } from '../timer-task';

/** Deletes what was not understood 30 days after it was last seen (docs/bounces.md#what-is-not-understood). */
export function trimUnread(bounces: Pick<BounceStore, 'trimUnread'>): TimerTask {
  let trimmedAt = 0;
  return {
    name: 'trimming reports that were not understood',
    run: async (now) => {
      if (now - trimmedAt < HOUR) return false;
      await bounces.trimUnread(now - UNREAD_KEPT);
      trimmedAt = now;
      return false;
    },
  };
}
