import type { ClusterHomeOptions } from './cluster-home';
import type { Config } from './config';
import { embeddedHome, type EmbeddedHomeOptions } from './embedded-home';
import type { Home } from './home';

/** The home of the configured engine; the libraries of servers are loaded where there are servers. Throws StartError. */
export async function openHome(config: Config, options: EmbeddedHomeOptions & ClusterHomeOptions): Promise<Home> {
  if (config.engine === 'embedded') return embeddedHome(config, options);
  const { clusterHome } = await import('./cluster-home.js');
  return clusterHome(config, options);
}
