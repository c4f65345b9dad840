import { StartError } from '../../lib/start-error';
import type { ServerUrls } from '../crash/cluster-installation';

const NAMES = { kafka: 'KAFKA_BROKERS', mongodb: 'MONGODB_URL', redis: 'REDIS_URL' } as const;

/** The addresses of the servers of the cluster engine. Throws StartError that names every missing variable. */
export function clusterServers(env: Readonly<Record<string, string | undefined>>): ServerUrls {
  const missing = Object.values(NAMES).filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new StartError(
      `The cluster is measured on real servers: set ${missing.join(', ')} to their addresses, as for a service on that engine.`,
    );
  }
  const { kafka, mongodb, redis } = NAMES;
  return { kafka: env[kafka] ?? '', mongodb: env[mongodb] ?? '', redis: env[redis] ?? '' };
}
