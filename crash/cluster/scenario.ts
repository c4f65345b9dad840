import type { ApiCaller } from '../caller';
import type { Installation } from '../installation';
import type { ClusterProcesses } from './processes';
import type { Servers } from './servers';

/** What a scenario plays with, while messages are handed in. */
export interface ScenarioContext {
  processes: ClusterProcesses;
  servers: Servers;
  installation: Installation;
  caller: ApiCaller;
  random: () => number;
  /** ms from one fault to the next. */
  every: number;
  progress: (text: string) => void;
}

/** One thing that goes wrong while the cluster sends. */
export interface Scenario {
  about: string;
  /** Why it cannot be played there, or null. */
  unsupportedReason?(servers: Servers): string | null;
  /** ms without a mail that a premium workspace may wait; not looked at when absent. */
  silence?: number;
  /** Answers what was not as it should be, beside what is counted in the end. */
  run(scene: ScenarioContext): Promise<string[]>;
}
