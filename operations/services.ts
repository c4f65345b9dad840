import type { Keyring } from '../domain/keyring';
import type { Clock } from '../lib/clock';
import type { Logger } from '../lib/logger';
import type { Engine } from '../stores/ports/engine';
import type { RateLimiter } from '../stores/ports/rate-limiter';
import type { Config } from './config/config';
import type { EngineTools } from './installation/engine-tools';

/** The running service for what is done in it: use cases, the dashboard and the management API. */
export interface Services {
  config: Config;
  clock: Clock;
  logger: Logger;
  engine: Engine;
  tools: EngineTools;
  keyring: Keyring;
  rateLimiter: RateLimiter;
  /** Base of tracking links and pages, no trailing slash; known once the HTTP port is bound. */
  publicUrl: () => string;
  /** Where people reach the dashboard, no trailing slash. */
  dashboardUrl: () => string;
  /** Folder of the compiled worker programs, if there are any. */
  programs: string | null;
}
