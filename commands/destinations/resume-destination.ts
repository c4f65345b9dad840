import type { DestinationRules } from '../../domain/destinations/destination-rules';
import { partsOfState, resumed, SEEN_AFTER } from '../../domain/destinations/destination-state';
import { NEW_PACE, paceOf } from '../../domain/destinations/pace';
import { SECOND, type Clock } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { DirectoryStore } from '../../stores/ports/directory-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import { changePace, changeState, otherPaces } from './destination-states';

/** Messages that are let go in one write. */
const PAGE = 500;

export interface ResumeDeps {
  /** Null: nothing is paced any more. */
  rules: Pick<DestinationRules, 'limitsOf' | 'slowedFrom'> | null;
  directory: Pick<DirectoryStore, 'get' | 'add' | 'change' | 'list'>;
  queue: Pick<SendQueue, 'release'>;
  clock: Clock;
}

/**
 * Ends the stop or slowness of a destination, and lets go what waits for it, at its whole pace. `id` is that of its
 * state. Resolves to how many messages go on, after a second and a half: until all processes have seen it, they may
 * hold mail for a stop that is over.
 */
export async function resumeDestination(deps: ResumeDeps, id: string): Promise<number> {
  const { rules, directory, clock } = deps;
  const now = clock.now();
  await changeState(directory, id, now, (state) => ({ body: resumed(state, now), answer: null }));
  const pace = rules && paceOf(rules.limitsOf(partsOfState(id).destination), 1, rules.slowedFrom);
  const every = Math.max(pace?.minute?.every ?? 0, pace?.hour?.every ?? 0);
  let released = await releaseAll(deps, id, now, every);
  await sleep(SEEN_AFTER + SECOND);
  released += await releaseAll(deps, id, now + Math.ceil(released * every), every);
  const planned = { ...NEW_PACE.planned, bulk: every === 0 ? 0 : now + released * every };
  for (const paceId of [id, ...(await otherPaces(directory, id, now))]) {
    await changePace(directory, paceId, { now, known: undefined }, (body) => ({
      body: { ...body, planned },
      answer: null,
    }));
  }
  return released;
}

/** Lets all that waits go, the first at `start`. Resolves to how many. */
export async function releaseAll(
  { queue }: Pick<ResumeDeps, 'queue'>,
  id: string,
  start: number,
  every: number,
): Promise<number> {
  for (let released = 0; ;) {
    const count = await queue.release(id, { now: start + Math.ceil(released * every), every, limit: PAGE });
    released += count;
    if (count < PAGE) return released;
  }
}
