import type { Logger } from '../../lib/logger';
import type { Keyring } from '../../domain/keyring';
import type { Engine } from '../../stores/ports/engine';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import type { DataDir } from './data-dir';
import type { FirstRun } from '../operator/first-run';
import type { ProcessLease } from './process-lease';
import type { Part } from '../parts/part';
import type { Services } from '../services';
import type { TimeTravel } from '../time-travel/time-travel';

/** What an engine lends the program once it is open. */
export interface OpenedEngine {
  engine: Engine;
  keyring: Keyring;
  processLease: ProcessLease;
  rateLimiter: RateLimiter;
  /** What the parts of the program log with. */
  logger: Logger;
}

/** Where a running service is reached. */
export interface Addresses {
  publicUrl: string;
  /** By name: `http`, `bounce`, `sandbox` as far as they are there. */
  ports: Readonly<Record<string, number>>;
}

/** Everything in which the engines differ around the same parts: one process with a folder, or many that share servers. */
export interface EngineHost {
  /** Held before anything else; null when this process keeps no file. */
  dir: DataDir | null;
  /** Opens the engine. Throws StartError and the errors of the stores; an aborted `signal` ends the waits for servers. */
  open(signal: AbortSignal): Promise<OpenedEngine>;
  /** Starts a part; again for as long as a server it needs is gone. Rejects with StartError when the signal aborts. */
  begin(part: Part, signal: AbortSignal): Promise<void>;
  /** Releases the engine. */
  close(): Promise<void>;
  /** Started before the consumers: what hand-offs past the fence need. */
  recovery(services: Services): Part[];
  /** Started last; null where the clock cannot be moved. `parts` are all that take part. */
  travel(services: Services, parts: readonly Part[]): { travel: TimeTravel | null; parts: Part[] };
  /** Tells whoever is to know that everything runs. */
  announce(services: Services, where: Addresses): Promise<Announced>;
}

export interface Announced {
  /** Set when this start made the demo workspace, with the file that tells of it. */
  firstRun: { run: FirstRun; file: string } | null;
  withdraw: () => void;
}
