import { sleep } from '../../../lib/sleep';
import type { Stage } from './stage';

/** Real time between two steps of time while nothing works, ms, and steps to one look at what is left. */
const STEP = 25;
const LEFT_EVERY = 8;
/** Real time without a change after which nothing comes to its end any more, ms. */
const PATIENCE = 200_000;

/**
 * Moves time on whenever nothing works, to what falls due, by `jump` ms at most; where several processes have something
 * due all the time, such as leases, by that much. Until `left` names nothing any more, or it is over. Throws after
 * some minutes of real time in which that did not change.
 */
export async function workOff(
  stage: Stage,
  left: () => Promise<string>,
  jump: () => number,
  over?: AbortSignal,
): Promise<void> {
  let open = '';
  for (let [n, end] = [0, performance.now() + PATIENCE]; performance.now() < end; await sleep(STEP)) {
    const due = await stage.rest();
    if (over?.aborted) return;
    if (due === null) continue;
    if (n++ % LEFT_EVERY === 0) {
      const now = await left();
      if (now === '') return;
      if (now !== open) [open, end] = [now, performance.now() + PATIENCE];
    }
    await stage.advance(Math.ceil(stage.members.length > 1 ? jump() : Math.min(due, jump())));
  }
  throw new Error(`It does not come to its end: ${open}`);
}
