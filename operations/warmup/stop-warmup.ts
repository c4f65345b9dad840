import type { DestinationRules } from '../../domain/destinations/destination-rules';
import { SEEN_AFTER } from '../../domain/destinations/destination-state';
import { heldByWarmup, OTHERS, stateId } from '../../domain/warmup/warmup-state';
import { SECOND, type Clock } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { RecordStore } from '../../stores/ports/record-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import { releaseAll } from '../destinations/resume-destination';
import { announceWarmups, listWarmupStates, WARMUPS, WARMUP_STATES } from './warmups';

export interface StopDeps {
  /** Null: nothing is paced any more. */
  rules: Pick<DestinationRules, 'names'> | null;
  records: Pick<RecordStore, 'change' | 'take' | 'list'>;
  queue: Pick<SendQueue, 'release'>;
  clock: Clock;
}

/**
 * Ends the warm-up of a domain and lets go what waits for it, at the pace of the destinations. Resolves to how many
 * messages go on, once every process knows of it. Done again, it lets go what was left when it was cut off.
 */
export async function stopWarmup(deps: StopDeps, domain: string): Promise<number> {
  const { records } = deps;
  const now = deps.clock.now();
  await records.take(WARMUPS, domain, now);
  await announceWarmups(records, now);
  // Those that mail went to, also under other rules.
  const own = (await listWarmupStates(records, domain, now)).map(({ id }) => id.slice(stateId(domain, '').length));
  const destinations = new Set([...(deps.rules?.names ?? []), OTHERS, ...own]);
  const waiting = [...destinations].map((destination) => heldByWarmup(domain, destination));
  let released = 0;
  for (const heldFor of waiting) released += (await releaseAll(deps, heldFor, now, 0)).all;
  await sleep(SEEN_AFTER + SECOND);
  for (const heldFor of waiting) released += (await releaseAll(deps, heldFor, now, 0)).all;
  for (const { id, body } of await listWarmupStates(records, domain, now)) {
    // One that was begun meanwhile has its own.
    if (body.of <= now) await records.take(WARMUP_STATES, id, now);
  }
  return released;
}
