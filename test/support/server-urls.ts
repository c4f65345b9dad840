import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The servers of the cluster engine, and the variable with the address of each. */
export const VARIABLES = { kafka: 'KAFKA_BROKERS', mongodb: 'MONGODB_URL', redis: 'REDIS_URL' } as const;
export type Server = keyof typeof VARIABLES;

/** Set by the global setup when there are no servers; says why. */
export const MISSING = 'KURIR_TEST_NO_SERVICES';

export type Env = Readonly<Record<string, string | undefined>>;

/** The address of each server: `host:port,host:port`, a mongodb:// URL, a redis:// URL. */
export type Urls<S extends Server = Server> = Readonly<Record<S, string>>;

export const EVERY: readonly Server[] = ['kafka', 'mongodb', 'redis'];

const isClientBuilt = (): boolean =>
  existsSync(join(dirname(require.resolve('node-rdkafka/package.json')), 'build/Release/node-librdkafka.node'));

/** The servers that were found, or the reason why one is missing, or cannot be used. */
export function findUrls<S extends Server>(servers: readonly S[], env: Env, isBuilt = isClientBuilt): Urls<S> | string {
  const missing = servers.filter((server) => !env[VARIABLES[server]]).map((server) => VARIABLES[server]);
  if (missing.length > 0) return env[MISSING] ?? `not set: ${missing.join(', ')}`;
  if (servers.some((server) => server === 'kafka') && !isBuilt()) return 'node-rdkafka is not built: npm run native';
  return Object.fromEntries(servers.map((server) => [server, env[VARIABLES[server]]])) as Urls<S>;
}
