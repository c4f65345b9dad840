import { openEmbedded } from '../../stores/embedded/open';
import type { Engine } from '../../stores/ports/engine';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { Config } from '../../operations/config/config';
import { StartError } from '../../lib/start-error';
import { findDataFile } from '../../operations/installation/data-file';
import { restoreClock } from '../time-travel/stored-clock';

/**
 * Opens the data with or without a running service, for the command line. Moves `clock` to the time of the service.
 * Throws StartError when there is no data.
 */
export async function attach(config: Config, clock = new AdvancingClock()): Promise<Engine> {
  if (config.cluster) return (await import('./open-cluster.js')).openClusterBeside(config.cluster, clock);
  const file = findDataFile(config.dataDir);
  if (file === null) {
    throw new StartError(
      `There is no data in ${config.dataDir} (KURIR_DATA_DIR): start the service once, or set KURIR_DATA_DIR to its data directory.`,
    );
  }
  const engine = await openEmbedded({ file, clock, beside: true });
  try {
    await restoreClock(clock, engine.stores.settings);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
