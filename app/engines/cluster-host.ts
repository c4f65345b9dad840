import type { ProcessLogger } from '../../lib/logger';
import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import type { Engine } from '../../stores/ports/engine';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import { openRedisRateLimiter, type RedisRateLimiter } from '../../stores/redis/redis-rate-limiter';
import { outageLogger } from './outage-logger';
import { agreedSettings } from '../agreement/agreed-settings';
import { agreementPart, watchClock } from '../agreement/agreement';
import { fencedByClock } from '../agreement/fenced-by-clock';
import { ProcessRegister } from '../agreement/process-register';
import { StoreClock } from '../agreement/store-clock';
import { guard } from '../../stores/mongodb/transactions/guard';
import { steadyTime, type AdvancingClock } from '../time-travel/advancing-clock';
import type { ClusterConfig } from '../config/cluster-config';
import type { Config } from '../config/config';
import { openDataDir, sandboxDir } from './data-dir';
import type { Health } from '../parts/health';
import type { Announced, EngineHost, OpenedEngine } from './engine-host';
import { installationId } from './installation-id';
import type { Part } from '../parts/part';
import { openCluster, type ClusterEngine } from './open-cluster';
import { Outages } from './outages';
import { topicsOfAnother } from './own-topics';
import { RenewedProcessLease } from './renewed-process-lease';
import { recoverProcessesPart } from './recover-processes';
import { kafkaServer, mongoServer, redisServer } from '../config/server-names';
import { checkedKeyring, type Services } from '../services';
import { StartError } from '../start-error';
import { untilReachable } from './until-reachable';

/** What the outbox does, as `/readyz` says it. */
const OUTBOX = 'publishing what was committed (outbox)';

export interface ClusterHostOptions {
  clock: AdvancingClock;
  logger: ProcessLogger;
  health: Health;
  wrapEngine?: ((engine: Engine) => Engine) | undefined;
  /** The time of this machine, ms; for tests. */
  machineTime?: (() => number) | undefined;
}

/**
 * One process of many that share Kafka, MongoDB and Redis. Only the sandbox keeps a file; throws StartError when it
 * cannot.
 */
export function clusterHost(config: Config, options: ClusterHostOptions): EngineHost {
  const { cluster, secret } = config;
  if (!cluster || secret === null) throw new StartError('The cluster engine is not configured.');
  return new ClusterHost({ ...config, cluster, secret }, options);
}

class ClusterHost implements EngineHost {
  readonly dir: EngineHost['dir'];
  private readonly outages: Outages;
  private readonly logger: OpenedEngine['logger'];
  private engine: Engine | null = null;
  private limiter: RedisRateLimiter | null = null;
  private processLease: RenewedProcessLease | null = null;
  private opened: ClusterEngine | null = null;
  private readonly storeClock: StoreClock;

  constructor(
    private readonly config: Config & { cluster: ClusterConfig; secret: string },
    private readonly options: ClusterHostOptions,
  ) {
    this.dir = config.roles.includes('sandbox') ? openDataDir(sandboxDir(config)) : null;
    this.storeClock = new StoreClock({
      serverTime: () => this.serverTime(),
      machineTime: options.machineTime ?? steadyTime(),
    });
    this.outages = new Outages({ logger: options.logger });
    this.logger = outageLogger(options.logger, this.outages);
  }

  async open(signal: AbortSignal): Promise<OpenedEngine> {
    const { config, logger } = this;
    const { clock, health, wrapEngine } = this.options;
    const opened = await openCluster(config.cluster, {
      clock,
      logger: {
        warn: (facts, text) => logger.warn(facts, text),
        fatal: (facts, text) => this.options.logger.fatal(facts, text),
      },
      serve: true,
      signal,
      onWait: (server, reason) => this.waitsFor(server, reason),
      onDelivery: (error) => {
        if (error === null) health.failing.log.worked(OUTBOX);
        else health.failing.log.failed(OUTBOX, error);
      },
    });
    const engine = wrapEngine?.(opened) ?? opened;
    this.engine = engine;
    this.opened = opened;
    this.watch(opened);
    await this.reach(signal, () => this.storeClock.measure());
    watchClock(health, this.storeClock);
    const isClockRight = (): boolean => this.storeClock.isRight();
    const processLease = new RenewedProcessLease({ leases: engine.stores.leases, clock, logger, isClockRight });
    this.processLease = processLease;
    const keyring = await this.reach(signal, () => checkedKeyring(config.secret, engine.stores));
    const id = await this.reach(signal, () => installationId(engine.stores.settings));
    await this.reach(signal, () => processLease.begin());
    health.watch('process', async () =>
      processLease.isHeld() ? null : 'it hands nothing over: its lease has expired, or its clock is wrong',
    );
    const fenced = fencedByClock(engine, isClockRight);
    return { engine: fenced, keyring, installationId: id, processLease, rateLimiter: await this.openLimiter(), logger };
  }

  begin(part: Part, signal: AbortSignal): Promise<void> {
    return this.reach(signal, () => part.start());
  }

  async close(): Promise<void> {
    this.outages.stop();
    const { logger } = this.options;
    // Released after everything is stored: only now are all its hand-offs over.
    await this.processLease
      ?.end()
      .catch((err: unknown) => logger.warn({ err }, 'the lease of this process could not be released; it will expire'));
    this.limiter?.close();
    await this.engine?.close();
  }

  recovery(services: Services): Part[] {
    const recovery = this.config.roles.includes('timers') ? [recoverProcessesPart(services)] : [];
    return [this.agreement(services), ...recovery];
  }

  private agreement(services: Services): Part {
    const { config, opened, processLease, storeClock } = this;
    if (!opened || !processLease) throw new Error('the engine is not open yet');
    const { publicUrl, keyring, installationId: installation, clock, health, logger } = services;
    const { database } = config.cluster.mongo;
    return agreementPart({
      register: new ProcessRegister(opened.stores),
      storeClock,
      leaseName: () => processLease.leaseName(),
      roles: config.roles,
      settings: () =>
        agreedSettings(config, {
          publicUrl: publicUrl(),
          secretCheck: keyring.hashCredential('secret check'),
          kafkaClient: opened.log.client,
        }),
      topicsFault: async () =>
        topicsOfAnother(config.cluster, installation, await opened.log.claim({ installation, database })),
      clock,
      health,
      logger,
    });
  }

  /** The time of the MongoDB primary, ms. */
  private async serverTime(): Promise<number> {
    if (!this.opened) throw new Error('the engine is not open yet');
    const { localTime } = await guard(() => this.opened!.mongo.db.command({ hello: 1 }));
    return (localTime as Date).getTime();
  }

  /** Many processes cannot agree on a jump, and the servers have their own clocks. */
  travel(): { travel: null; parts: Part[] } {
    return { travel: null, parts: [] };
  }

  async announce(): Promise<Announced> {
    this.outages.start();
    return { firstSteps: null, withdraw: () => undefined };
  }

  private reach<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const server = mongoServer(this.config.cluster);
    return untilReachable({ server, signal, onWait: (reason) => this.waitsFor('mongodb', reason) }, work);
  }

  private waitsFor(server: string, reason: string | null): void {
    this.options.health.waitsFor(server, reason);
    if (reason !== null) this.options.logger.warn({}, reason);
  }

  private watch({ mongo, log }: ClusterEngine): void {
    this.outages.add({
      server: mongoServer(this.config.cluster),
      meanwhile: 'Until it does, nothing is accepted, handed over or recorded.',
      ask: () => mongo.db.command({ ping: 1 }),
    });
    this.outages.add({
      server: kafkaServer(this.config.cluster),
      meanwhile: 'Until it does, mail is accepted and waits.',
      ask: () => log.check(),
    });
  }

  /** Only the API and the relay count what they take; no other process needs Redis. */
  private async openLimiter(): Promise<RateLimiter> {
    const { cluster, roles, apiRatePerMinute: limit } = this.config;
    const { clock, health, logger } = this.options;
    const alone = inProcessRateLimiter(clock, limit);
    if (!roles.includes('api') && !roles.includes('smtp')) return alone;
    const server = redisServer(cluster);
    const limiter = await openRedisRateLimiter({ url: cluster.redisUrl, server, clock, limit, alone, logger });
    this.limiter = limiter;
    const look = async (): Promise<string | null> =>
      (await limiter.isShared()) ? null : `${server} does not answer: this process limits the API rate on its own`;
    health.watch('redis', look, 'missed');
    return limiter;
  }
}
