import type { FirstSteps } from '../../operations/installation/first-run';
import type { Logger } from '../../lib/logger';
import type { Keyring } from '../../domain/keyring';
import type { Engine } from '../../stores/ports/engine';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import type { DataDir } from '../../operations/installation/data-dir';
import type { ProcessLease } from '../core/process-lease';
import type { Part } from '../core/part';
import type { Services } from '../shared-services';
import type { TimeTravel } from '../time-travel/time-travel';

/** What an engine provides to the program once it is open. */
export interface OpenedEngine {
  engine: Engine;
  keyring: Keyring;
  /** See installationId. */
  installationId: string;
  processLease: ProcessLease;
  rateLimiter: RateLimiter;
  /** False while this process is on standby (docs/decisions/0058-a-process-on-standby-leaves-its-groups.md). */
  mayAct: () => boolean;
  /** How many processes hand mail over, at least 1. */
  dispatchers: () => number;
  /** Logger for the parts of the program. */
  logger: Logger;
}

/** Where a running service is reached. */
export interface Addresses {
  publicUrl: string;
  /** By name: `http`, and `smtp`, `smtps`, `bounce` and `sandbox`, if present. */
  ports: Readonly<Record<string, number>>;
}

/**
 * Everything in which the engines differ around the same parts: one process with a folder, or many that share servers.
 */
export interface EngineHost {
  /** Locked before anything else; null when this process keeps no file. */
  dir: DataDir | null;
  /** Opens the engine. Throws StartError and the errors of the stores. Aborting `signal` stops waiting for servers. */
  open(signal: AbortSignal): Promise<OpenedEngine>;
  /** Starts a part, and retries while a server it needs is down. Rejects with StartError when the signal aborts. */
  begin(part: Part, signal: AbortSignal): Promise<void>;
  /** Releases the engine. */
  close(): Promise<void>;
  /** Parts started before the consumers: they settle hand-offs that an earlier process left past the fence. */
  recovery(services: Services): Part[];
  /** Parts started last; `travel` is null where the clock cannot be moved. `parts` are all that take part. */
  travel(services: Services, parts: readonly Part[]): { travel: TimeTravel | null; parts: Part[] };
  /** Announces that everything runs. */
  announce(services: Services, where: Addresses): Promise<Announced>;
}

export interface Announced {
  /** What to do first, for the operator to read, where no workspace of their own exists yet; else null. */
  firstSteps: FirstSteps | null;
  withdraw: () => void;
}
