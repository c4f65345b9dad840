import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Activity } from '../domain/activity';
import type { Clock } from '../domain/clock';
import { Keyring } from '../domain/keyring';
import type { Transport } from '../email/transports/transport';
import type { Stores } from '../stores/ports';
import type { Engine } from '../stores/ports/engine';
import type { Logger } from 'pino';
import type { Config } from './config';
import { StartError } from './start-error';

/** Wrappers around ports, by which tests put faults in. */
export interface Wrappers {
  engine?(engine: Engine): Engine;
  transport?(transport: Transport): Transport;
}

/** What every part of the program is handed. */
export interface Services {
  config: Config;
  clock: Clock;
  activity: Activity;
  logger: Logger;
  engine: Engine;
  keyring: Keyring;
  /** UUIDv7 of the clock's milliseconds: ids in the order of time. */
  newId: () => string;
  newToken: () => string;
  /** Base of tracking links and pages, without a trailing slash; known once the HTTP port is bound. */
  publicUrl: () => string;
  wrap: Wrappers;
}

/** Ids and tokens of a process. */
export function makeIds(clock: Clock): Pick<Services, 'newId' | 'newToken'> {
  // Unique, not secret: a random name of this life and a count, since random bytes for each cost a system call.
  const life = randomBytes(12).toString('base64url');
  let count = 0;
  return { newId: () => uuidv7({ msecs: clock.now() }), newToken: () => `${life}.${(count += 1)}` };
}

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
