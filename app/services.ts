import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../lib/logger';
import type { Activity } from '../lib/activity';
import type { Clock } from '../lib/clock';
import { Keyring } from '../domain/keyring';
import type { DueWork } from '../consumers/timers/tasks/due-work';
import type { Transport } from '../email/transports/transport';
import type { Stores } from '../stores/ports';
import type { Engine } from '../stores/ports/engine';
import type { RateLimiter } from '../stores/ports/rate-limiter';
import type { Config } from './config/config';
import type { Health } from './parts/health';
import type { ProcessLease } from './engines/process-lease';
import { StartError } from './start-error';

/** Wrappers around ports, by which tests put faults in, and due work of theirs. */
export interface Wrappers {
  engine?: (engine: Engine) => Engine;
  transport?(transport: Transport): Transport;
  dueWork?(services: Services): readonly DueWork[];
}

/** What every part of the program is handed. */
export interface Services {
  config: Config;
  clock: Clock;
  activity: Activity;
  logger: Logger;
  engine: Engine;
  keyring: Keyring;
  processLease: ProcessLease;
  rateLimiter: RateLimiter;
  health: Health;
  /** UUIDv7 of the clock's milliseconds: ids in the order of time. */
  newId: () => string;
  /** Base of tracking links and pages, without a trailing slash; known once the HTTP port is bound. */
  publicUrl: () => string;
  wrap: Wrappers;
  /** The folder of the compiled programs of threads, where there are any. */
  programs: string | null;
}

/** UUIDv7 of the clock's milliseconds: ids in the order of time. */
export const makeNewId =
  (clock: Clock): (() => string) =>
  () =>
    uuidv7({ msecs: clock.now() });

/** The keyring, held against the data: another secret could read none of its keys and would forge none of its links. */
export async function checkedKeyring(secret: string, stores: Pick<Stores, 'settings'>): Promise<Keyring> {
  const keyring = new Keyring(secret);
  const check = keyring.hashCredential('secret check');
  if ((await stores.settings.setOnce('secret_check', check)) !== check) {
    throw new StartError(
      'The master secret (KURIR_SECRET, or the file secret in the data dir) is not the one of this data.',
    );
  }
  return keyring;
}
