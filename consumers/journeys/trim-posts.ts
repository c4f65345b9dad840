import { HOUR } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { TimerTask } from '../timers/timer-task';

const PAGE = 1_000;

/** Deletes old posts of webhook steps, every hour; `kept` is how long they are kept, ms. */
export function trimPosts({ journeyPosts }: Pick<Stores, 'journeyPosts'>, kept: number): TimerTask {
  let trimmedAt = 0;
  return {
    name: 'trimming posts of journeys',
    run: async (now) => {
      if (now - trimmedAt < HOUR) return false;
      if ((await journeyPosts.trim(now - kept, PAGE)) > 0) return true;
      trimmedAt = now;
      return false;
    },
  };
}
