import { auditData } from '../audit-data';
import { ApiCaller } from '../caller';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import { Stage, type StageOptions } from './stage';

export interface SceneOptions extends StageOptions {
  seed: number;
  progress: (text: string) => void;
}

/** Those who send, and what else is there before the service starts. */
export interface Cast {
  workspaces: number;
  /** Coins of each; default: as many as `seedWorkspaces` gives. */
  coins?: number;
  prepare?: (scene: Scene) => Promise<void>;
}

/** What a scenario works with. */
export interface Scene {
  stage: Stage;
  senders: readonly Sender[];
  /** The first of them. */
  sender: Sender;
  caller: ApiCaller;
  /** Follows from the seed. */
  random: () => number;
  progress: (text: string) => void;
}

/** What is known of every scenario in the end. */
export interface SceneEnd {
  kills: number;
  /** What the audit found, and stops that were not clean. */
  differences: string[];
  /** Real time, ms. */
  took: number;
}

/**
 * Plays a scenario: seeds the data, starts the service, acts, stops the service, and looks at what it left. What one
 * has found is in the result of `look`.
 */
export async function playScene<A, V extends object>(
  options: SceneOptions,
  { workspaces, coins, prepare }: Cast,
  { act, look }: { act: (scene: Scene) => Promise<A>; look: (scene: Scene, acted: A) => Promise<V> },
): Promise<V & SceneEnd> {
  const began = performance.now();
  const stage = await Stage.open(options);
  let isGood = false;
  try {
    const senders = await seedWorkspaces(stage.installation, workspaces, coins);
    const caller = new ApiCaller(stage.baseUrls);
    const { seed, progress } = options;
    const scene: Scene = { stage, senders, sender: senders[0]!, caller, random: seededRandom(seed), progress };
    await prepare?.(scene);
    await stage.mustStart();
    const acted = await act(scene);
    const unclean = await stage.stop();
    const seen = await look(scene, acted);
    const differences = [...unclean, ...(await auditData(stage.installation))];
    isGood = differences.length === 0;
    return { ...seen, differences, kills: stage.kills, took: performance.now() - began };
  } finally {
    await stage.close(!isGood);
    if (!isGood) options.progress(`the logs of the processes are in ${stage.folder}`);
  }
}

/** Counts what the audit found among the faults. */
export const withDifferences = <R extends { faults: readonly string[]; differences: readonly string[] }>(
  result: R,
) => ({
  ...result,
  faults: [...result.faults, ...result.differences],
});
