import { StartError } from '../app/start-error';
import type { ServerUrls } from '../crash/cluster-installation';

const NAMES = { kafka: 'KAFKA_BROKERS', mongodb: 'MONGODB_URL', redis: 'REDIS_URL' } as const;

/** Where the servers of the cluster engine are. Throws StartError, with every variable that is missing, when one is not known. */
export function clusterServers(env: Readonly<Record<string, string | undefined>>): ServerUrls {
  const missing = Object.values(NAMES).filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new StartError(
      `The cluster is measured on real servers: set ${missing.join(', ')} to where they are, as for a service on that engine.`,
    );
  }
  const { kafka, mongodb, redis } = NAMES;
  return { kafka: env[kafka] ?? '', mongodb: env[mongodb] ?? '', redis: env[redis] ?? '' };
}
