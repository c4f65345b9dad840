import type { ClusterTools } from '../../operations/installation/engine-tools';
import type { Host } from './host';

/** The servers of the configured cluster; null on the embedded engine. */
export async function clusterOf(host: Host): Promise<ClusterTools | null> {
  const { cluster } = host.config();
  return cluster && (await host.tools()).cluster(cluster);
}
