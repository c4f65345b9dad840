import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Scene } from './play';

export interface Kills {
  /** Seconds between two kills, on average. */
  every: number;
  /** The maximum number of kills: a busy machine gets little done between two. Default: no limit. */
  mostKills?: number | undefined;
}

/**
 * Does the work while processes are killed at random moments and started again, some of them in their start. `first`:
 * when the first one comes at the latest, ms, where that is sooner.
 */
export async function killMeanwhile<T>(
  scene: Pick<Scene, 'stage' | 'random'>,
  kills: Kills & { first?: number },
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const [result] = await Promise.all([work().finally(() => over.abort()), killUntil(scene, kills, over.signal)]);
  return result;
}

async function killUntil(
  { stage, random }: Pick<Scene, 'stage' | 'random'>,
  { every, mostKills = Infinity, first }: Kills & { first?: number },
  over: AbortSignal,
): Promise<void> {
  const pause = (): number => every * SECOND * (0.25 + 1.5 * random.next());
  for (let wait = first === undefined ? pause() : first * random.next(); stage.kills < mostKills; wait = pause()) {
    await sleep(wait, over);
    if (over.aborted) return;
    const member = await stage.kill();
    if (random.chance(0.15)) {
      void stage.startMember(member);
      await sleep(random.between(0, 600), over);
      await stage.kill(member);
    }
    await stage.mustStart([member]);
  }
}
