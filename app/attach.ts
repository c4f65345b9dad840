import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../stores/embedded/open';
import { SCHEMA_VERSION } from '../stores/embedded/schema';
import type { Engine } from '../stores/ports/engine';
import { AdvancingClock } from './clock';
import type { Config } from './config';
import { DATABASE } from './data-dir';
import { StartError } from './start-error';

/** The version of the data's layout; an older one is brought up when it is opened, a newer one refused. */
export const DATA_SCHEMA_VERSION = SCHEMA_VERSION;

/** Opens the data beside a running service, or without one; for the command line. Throws StartError when there is none. */
export async function attach(config: Config): Promise<Engine> {
  if (config.engine === 'cluster') throw new StartError('KURIR_ENGINE=cluster is not part of this version.');
  const file = join(config.dataDir, DATABASE);
  if (!existsSync(file)) {
    throw new StartError(`There is no data in ${config.dataDir} (KURIR_DATA_DIR): start the service once, or set it.`);
  }
  return openEmbedded({ file, clock: new AdvancingClock(), beside: true });
}
