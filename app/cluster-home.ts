import type { Logger } from 'pino';
import { inProcessRateLimiter } from '../api/rate-limit/in-process-rate-limiter';
import type { Engine } from '../stores/ports/engine';
import { openRedisRateLimiter, type RedisRateLimiter } from '../stores/redis/redis-rate-limiter';
import type { AdvancingClock } from './clock';
import type { Config } from './config';
import { openDataDir } from './data-dir';
import type { Health } from './health';
import type { Home, Lent } from './home';
import { openCluster } from './open-cluster';
import { ProcessLife } from './process-life';
import { recoverProcessesPart } from './recover-processes';
import { checkedKeyring } from './services';
import { StartError } from './start-error';
import { untilReachable } from './until-reachable';

export interface ClusterHomeOptions {
  clock: AdvancingClock;
  logger: Logger;
  health: Health;
  wrapEngine?: ((engine: Engine) => Engine) | undefined;
}

/** One process of many that share Kafka, MongoDB and Redis. Only the sandbox keeps a file; throws StartError when it cannot. */
export function clusterHome(config: Config, { clock, logger, health, wrapEngine }: ClusterHomeOptions): Home {
  const { cluster, secret } = config;
  if (!cluster || secret === null) throw new StartError('The cluster engine is not configured.');
  const dir = config.roles.includes('sandbox') ? openDataDir(config.dataDir) : null;
  let engine: Engine | null = null;
  let limiter: RedisRateLimiter | null = null;
  let life: ProcessLife | null = null;
  const onWait = (server: string, reason: string | null): void => {
    health.waitsFor(server, reason);
    if (reason !== null) logger.warn(reason);
  };
  const open = async (signal: AbortSignal): Promise<Lent> => {
    const opened = await openCluster(cluster, { clock, logger, serve: true, signal, onWait });
    engine = wrapEngine?.(opened) ?? opened;
    const { stores } = engine;
    const own = new ProcessLife({ leases: stores.leases, clock, logger });
    life = own;
    const reach = { server: 'MongoDB', signal, onWait: (reason: string | null) => onWait('mongodb', reason) };
    const keyring = await untilReachable(reach, () => checkedKeyring(secret, stores));
    await untilReachable(reach, () => own.begin());
    health.watch('process', async () => (own.isHeld() ? null : 'its lease has ended: it hands nothing over'));
    const limit = config.apiRatePerMinute;
    const alone = inProcessRateLimiter(clock, limit);
    limiter = await openRedisRateLimiter({ url: cluster.redisUrl, clock, limit, alone, logger });
    return { engine, keyring, life: own, rateLimiter: limiter };
  };
  return {
    dir,
    open,
    close: async () => {
      // Last of all that is stored: only now are all its hand-offs over.
      await life?.end().catch((err: unknown) => logger.warn({ err }, 'the lease of this process is left to expire'));
      limiter?.close();
      await engine?.close();
    },
    recovery: (services) => (config.roles.includes('timers') ? [recoverProcessesPart(services)] : []),
    // Many processes cannot agree on a jump, and the servers have clocks of their own.
    travel: () => ({ travel: null, parts: [] }),
    announce: async () => ({ firstRun: null, withdraw: () => undefined }),
  };
}
