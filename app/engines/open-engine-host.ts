import type { ClusterHostOptions } from './cluster-host';
import type { Config } from '../../operations/config/config';
import { embeddedHost, type EmbeddedHostOptions } from './embedded-host';
import type { EngineHost } from './engine-host';

/**
 * Opens the host of the configured engine. Loads the server libraries only for the cluster engine. Throws StartError.
 */
export async function openEngineHost(
  config: Config,
  options: EmbeddedHostOptions & ClusterHostOptions,
): Promise<EngineHost> {
  if (config.engine === 'embedded') return embeddedHost(config, options);
  const { clusterHost } = await import('./cluster-host.js');
  return clusterHost(config, options);
}
