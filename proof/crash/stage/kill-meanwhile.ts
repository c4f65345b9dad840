import { sleep } from '../../../lib/sleep';
import type { Stage } from './stage';

export interface Kills {
  random: () => number;
  /** ms between two kills, on average. */
  every: number;
  /** The maximum number of kills: a busy machine gets little done between two. Default: no limit. */
  mostKills?: number | undefined;
  /** When the first one comes at the latest, ms, where that is sooner. */
  first?: number;
}

/** Does the work while processes are killed at random moments and started again, some of them in their start. */
export async function killMeanwhile<T>(stage: Stage, kills: Kills, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const [result] = await Promise.all([work().finally(() => over.abort()), killUntil(stage, kills, over.signal)]);
  return result;
}

async function killUntil(
  stage: Stage,
  { random, every, mostKills = Infinity, first }: Kills,
  over: AbortSignal,
): Promise<void> {
  const pause = (): number => every * (0.25 + 1.5 * random());
  for (let wait = first === undefined ? pause() : first * random(); stage.kills < mostKills; wait = pause()) {
    await sleep(wait, over);
    if (over.aborted) return;
    const member = await stage.kill();
    if (random() < 0.15) {
      void stage.startMember(member);
      await sleep(600 * random(), over);
      await stage.kill(member);
    }
    await stage.mustStart([member]);
  }
}
