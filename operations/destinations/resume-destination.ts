import type { DestinationRules } from '../../domain/destinations/destination-rules';
import { NEW_DESTINATION, partsOfState, resumed, SEEN_AFTER } from '../../domain/destinations/destination-state';
import { MAIL_CLASSES, NEW_PACE, paceOf } from '../../domain/destinations/pace';
import { SECOND, type Clock } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { RecordStore } from '../../stores/ports/record-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import { DESTINATIONS, DESTINATION_PACES, otherPaces } from './destination-states';

/** Messages that are let go in one write. */
const PAGE = 500;

export interface ResumeDeps {
  /** Null: nothing is paced any more. */
  rules: Pick<DestinationRules, 'limitsOf' | 'slowedFrom'> | null;
  records: Pick<RecordStore, 'change' | 'list'>;
  queue: Pick<SendQueue, 'release'>;
  clock: Clock;
}

/**
 * Ends the stop or slowness of a destination, and lets go what waits for it, at its whole pace. `id` is that of its
 * state. Resolves to how many messages go on, after a second and a half: until all processes have seen it, they may
 * hold mail for a stop that is over.
 */
export async function resumeDestination(deps: ResumeDeps, id: string): Promise<number> {
  const { rules, records, clock } = deps;
  const now = clock.now();
  await records.change(DESTINATIONS, id, (state) => resumed(state ?? NEW_DESTINATION, now), { now });
  const pace = rules && paceOf(rules.limitsOf(partsOfState(id).destination), 1, rules.slowedFrom);
  const every = Math.max(pace?.minute?.every ?? 0, pace?.hour?.every ?? 0);
  const first = await releaseAll(deps, id, now, every);
  await sleep(SEEN_AFTER + SECOND);
  const late = await releaseAll(deps, id, now + Math.ceil(first.all * every), every);
  const released = first.all + late.all;
  const upTo = (count: number): number => (every === 0 || count === 0 ? 0 : now + count * every);
  // What comes now goes behind them, bulk mail behind the transactional mail that was let go.
  const planned = { transactional: upTo(first.transactional), bulk: upTo(released) };
  for (const paceId of [id, ...(await otherPaces(records, id, now))]) {
    await records.change(DESTINATION_PACES, paceId, (pace) => ({ ...(pace ?? NEW_PACE), planned }), { now });
  }
  return released;
}

/** Lets all that waits go, transactional mail first, from `start` on. Resolves to how many. */
export async function releaseAll(
  { queue }: Pick<ResumeDeps, 'queue'>,
  id: string,
  start: number,
  every: number,
): Promise<{ all: number; transactional: number }> {
  const released = { all: 0, transactional: 0 };
  for (const mails of MAIL_CLASSES) {
    for (let count = PAGE; count === PAGE;) {
      const now = start + Math.ceil(released.all * every);
      count = await queue.release(id, { mails, now, every, limit: PAGE });
      released.all += count;
      if (mails === 'transactional') released.transactional += count;
    }
  }
  return released;
}
