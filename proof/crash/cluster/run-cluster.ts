import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Installation } from '../installation';
import { sendAll, type Load } from '../load';
import { play, type Played, type PlayOptions, type Scene } from '../stage/play';
import type { Scenario } from './scenario';
import type { Servers } from './servers';
import { longestSilence } from './silence';

export interface ClusterOptions extends PlayOptions, Pick<Load, 'pace'> {
  installation: Installation;
  servers: Servers;
  scenario: Scenario;
  workspaces: number;
  /** ms from one fault to the next. */
  every: number;
}

export interface ClusterResult extends Played {
  /** Processes that ended by themselves during the scenario and were restarted. */
  unexpectedExits: string[];
  /** The longest time a premium workspace waited for a mail to go out under load, ms. */
  silence: number;
}

/** More messages than any scenario has time for. */
const MAX = 100_000;
/** Load before the first fault, and after the last. */
const LEAD = 5 * SECOND;
/** A scenario is a fault as long as it lasts; so often it is noted. */
const NOTED = SECOND;

/** The crash proof of the cluster: callers send while the scenario runs against several processes and real servers. */
export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  const { installation, scenario, servers } = options;
  const env = (await scenario.setUp?.(installation)) ?? {};
  try {
    return await play({ ...options, env }, options, (scene) => playUnderLoad(options, scene));
  } finally {
    await servers.restartAll();
    await scenario.tearDown?.();
  }
}

async function playUnderLoad({ scenario, servers, installation, every, pace }: ClusterOptions, scene: Scene) {
  const { stage, outside } = scene;
  const over = new AbortController();
  const from = Date.now();
  const load = sendAll(scene, { messages: MAX, pace, until: over.signal });
  await sleep(LEAD);
  const noted = noteUntil(() => void outside.recorder.begin('nemesis', 'fault', { kind: 'scenario' }), over.signal);
  const runScenario = async (): Promise<string[]> => {
    const found = await scenario.run({ ...scene, servers, installation, every });
    await sleep(LEAD);
    return found;
  };
  const faults = await runScenario().finally(() => over.abort());
  const to = Date.now();
  await Promise.all([load, noted]);
  const silence = longestSilence(scene, { from, to });
  const limit = scenario.silence ?? Infinity;
  if (silence > limit) faults.push(`a workspace waited ${silence} ms for a mail to go out, not at most ${limit}`);
  return { faults, silence, unexpectedExits: [...stage.unexpectedExits] };
}

async function noteUntil(note: () => void, over: AbortSignal): Promise<void> {
  for (; !over.aborted; await sleep(NOTED, over)) note();
  note();
}
