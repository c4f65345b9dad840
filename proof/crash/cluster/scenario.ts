import type { Installation } from '../installation';
import type { Scene } from '../stage/play';
import type { Servers } from './servers';

/** What a scenario works with, while messages are sent. */
export interface ScenarioContext extends Scene {
  servers: Servers;
  installation: Installation;
  /** ms from one fault to the next. */
  every: number;
}

/** One kind of fault while the cluster sends. */
export interface Scenario {
  about: string;
  /** Why the scenario cannot run on these servers, or null. */
  unsupportedReason?(servers: Servers): string | null;
  /** The longest a premium workspace may go without a mail, ms; not checked when absent. */
  silence?: number;
  /** Runs before the processes exist. Returns variables that are theirs alone. */
  setUp?(installation: Installation): Promise<Readonly<Record<string, string>>>;
  /** Runs after everything, also after a failure. */
  tearDown?(): Promise<void>;
  /** Runs the scenario. Returns what went wrong, in addition to what is counted at the end. */
  run(context: ScenarioContext): Promise<string[]>;
}
