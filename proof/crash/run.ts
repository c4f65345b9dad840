import { sendAll, type Load } from './load';
import { killMeanwhile, type Kills } from './stage/kill-meanwhile';
import { play, untilFinal, type Played, type PlayOptions } from './stage/play';

export interface RunOptions extends PlayOptions, Load, Kills {
  workspaces: number;
}

/** The crash proof: callers send while the service is killed and started again, until every message is final. */
export const runCrash = (options: RunOptions): Promise<Played> =>
  play(options, options, async (scene) => {
    await killMeanwhile(scene, options, async () => {
      await sendAll(scene, options);
      await untilFinal(scene);
    });
    return {};
  });
