import { SECOND } from '../../lib/clock';
import { sendAll, type Load } from './load';
import { killMeanwhile } from './stage/kill-meanwhile';
import { play, untilFinal, type Played, type PlayOptions } from './stage/play';

export interface RunOptions extends PlayOptions, Load {
  messages: number;
  workspaces: number;
  /** Seconds between kills, on average. */
  every: number;
  /** Maximum number of kills: a busy machine gets little done between two. */
  mostKills?: number | undefined;
}

/** The crash proof: callers send while the service is killed and started again, until every message is final. */
export const runCrash = (options: RunOptions): Promise<Played> =>
  play(options, options, async (scene) => {
    const { stage, random } = scene;
    const kills = { random: () => random.next(), every: options.every * SECOND, mostKills: options.mostKills };
    await killMeanwhile(stage, kills, async () => {
      await sendAll(scene, options);
      await untilFinal(scene);
    });
    return {};
  });
