import { sleep } from '../../../lib/sleep';
import { listDeliveries, WATCHED, type ListedDelivery, type Registered } from './endpoints';
import type { Ground } from './ground';
import { checkSchedule, checkUnderLoad, ON_ITS_WAY, type ScheduleFound } from './schedule';

/** Lines of one kind that are listed. */
const SHOWN = 5;
/** The last wait ends 300 s after the first attempt; the rest is for slow machines, ms. */
const PATIENCE = 400_000;

/** Summed over the good endpoints. */
export interface ArrivalsFound {
  faults: string[];
  lost: number;
  severalIds: number;
}

/** What is wrong with what good endpoints got: `events` are those of each workspace. */
export async function judgeArrivals(
  { receivers, registered }: Ground,
  events: readonly (readonly string[])[],
  unanswered: ReadonlyMap<string, number>,
): Promise<ArrivalsFound> {
  const faults = [...(await receivers.call('faults', undefined))];
  const found = { faults, lost: 0, severalIds: 0 };
  for (const { endpoint, behaviour, workspace } of registered) {
    if (behaviour !== 'good') continue;
    const lost = await receivers.call('missing', { endpoint, events: events[workspace] ?? [] });
    found.lost += lost.length;
    if (lost.length > 0)
      faults.push(`endpoint ${endpoint} never got ${lost.length}: ${lost.slice(0, SHOWN).join(', ')}`);
    for (const [event, ids] of await receivers.call('severalIds', endpoint)) {
      found.severalIds += 1;
      // A visit without an answer may be an event too, with an id of its own.
      if (ids > 1 + (unanswered.get(event) ?? 0)) faults.push(`endpoint ${endpoint} got ${event} under ${ids} ids`);
    }
  }
  return found;
}

/** What is wrong at the failing endpoints of the load: more than five requests under an id, or a wait too short. */
export async function judgeFailing({ receivers, registered }: Ground): Promise<string[]> {
  const faults: string[] = [];
  for (const { endpoint, behaviour } of registered.slice(0, -WATCHED.length)) {
    if (behaviour === 'good') continue;
    const wrong = (await receivers.call('arrivals', endpoint)).flatMap(({ id, times }) =>
      checkUnderLoad(times).map((fault) => `endpoint ${endpoint}: ${id}: ${fault}`),
    );
    faults.push(...wrong.slice(0, SHOWN));
  }
  return faults;
}

const watchedOnes = ({ registered }: Ground): readonly Registered[] => registered.slice(-WATCHED.length);

const deliveriesOf = (ground: Ground, { workspace, webhookId }: Registered): Promise<ListedDelivery[]> =>
  listDeliveries(ground.caller, ground.senders[workspace]!, webhookId);

/** Waits until every watched delivery has as many attempts as are to be watched. */
export async function untilAttempts(ground: Ground): Promise<void> {
  const { attempts: wanted, progress } = ground.options;
  const end = performance.now() + PATIENCE;
  for (let open = 1; open > 0 && performance.now() < end; await sleep(500)) {
    const lists = await Promise.all(watchedOnes(ground).map((webhook) => deliveriesOf(ground, webhook)));
    open = lists.filter((list) => list.length === 0).length;
    open += lists.flat().filter(({ attempts }) => attempts.length < wanted).length;
  }
  progress('the watched attempts are over');
}

/** What is wrong with attempts and waits at the watched endpoints, by their own clock. */
export async function judgeWatched(ground: Ground): Promise<ScheduleFound> {
  const { options, receivers, stage } = ground;
  const found: ScheduleFound = { faults: [], worst: 0 };
  for (const webhook of watchedOnes(ground)) {
    const arrivals = await receivers.call('arrivals', webhook.endpoint);
    for (const { id, state, attempts } of await deliveriesOf(ground, webhook)) {
      const list = attempts.map(({ at, duration_ms }) => ({
        at: Date.parse(at),
        wasInterrupted: duration_ms === null,
      }));
      // The next attempt may be under way.
      const until = (list.at(-1)?.at ?? 0) + ON_ITS_WAY;
      const received = arrivals.find((one) => one.id === id)?.times.filter((time) => time <= until) ?? [];
      const { faults, worst } = checkSchedule({ attempts: list, received }, stage.downtimes, options.late);
      if (attempts.length < options.attempts || attempts.length > 5) faults.push(`${attempts.length} attempts`);
      if (options.attempts === 5 && state !== 'given_up') faults.push(`it is ${state} after five attempts`);
      found.faults.push(...faults.map((fault) => `watched endpoint that ${webhook.behaviour}: ${id}: ${fault}`));
      found.worst = Math.max(found.worst, worst);
    }
  }
  return found;
}
