import { sleep } from '../../../lib/sleep';
import type { Stage } from './stage';
import { tellProcesses } from './stuck';

/** Real time between two steps of time while nothing works, ms, and steps to one look at what is left. */
const STEP = 25;
const LEFT_EVERY = 8;
/** Real time without a change after which nothing comes to its end any more, ms. */
const PATIENCE = 200_000;
/** How often it is looked meanwhile at what is left while something works all the time. */
const LOOKS = 20;

/**
 * Moves time on whenever nothing works, to what falls due, by `jump` ms at most; where several processes have something
 * due all the time, such as leases, by that much. Until `left` names nothing any more, or it is over. Throws after
 * `patience` ms of real time in which that did not change, with what is left and what the processes do.
 */
export async function workOff(
  stage: Stage,
  left: () => Promise<string>,
  jump: () => number,
  { over, patience = PATIENCE }: { over?: AbortSignal; patience?: number } = {},
): Promise<void> {
  let [open, rests, looked] = ['', 0, performance.now()];
  for (let end = looked + patience; performance.now() < end; await sleep(STEP)) {
    const due = await stage.rest();
    if (over?.aborted) return;
    const isTime = due === null ? performance.now() > looked + patience / LOOKS : rests++ % LEFT_EVERY === 0;
    if (isTime) {
      const now = await left();
      if (now === '' && due !== null) return;
      looked = performance.now();
      if (now !== open) [open, end] = [now, looked + patience];
    }
    if (due !== null) await stage.advance(Math.ceil(stage.members.length > 1 ? jump() : Math.min(due, jump())));
  }
  const last = await left().catch((error: unknown) => String(error));
  const facts = [`what is left: ${last || 'nothing'}`, ...(await tellProcesses(stage))];
  throw new Error([`It does not come to its end in ${patience / 1_000} s`, ...facts].join('\n'));
}
