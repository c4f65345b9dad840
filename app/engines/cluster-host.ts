import { SECOND } from '../../lib/clock';
import type { ProcessLogger } from '../../lib/logger';
import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import type { Engine } from '../../stores/ports/engine';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import { openRedisRateLimiter, type RedisRateLimiter } from '../../stores/redis/redis-rate-limiter';
import { outageLogger } from './outage-logger';
import { agreedSettings, dispatches } from '../../operations/processes/agreed-settings';
import { SHARD_TOPIC } from '../../domain/queue/shards';
import { clusterSettingsPart, watchClock } from '../cluster-settings/cluster-settings';
import { fencedOnStandby } from '../cluster-settings/fenced-on-standby';
import { ProcessRegister } from '../../operations/processes/process-register';
import { lostFor, Standby } from '../cluster-settings/standby';
import { CLOCK_LIMIT, type StoreClock } from '../../operations/processes/store-clock';
import { PartitionKeeper } from '../cluster-settings/partition-keeper';
import { TopicKeeper } from '../cluster-settings/topic-keeper';
import { SCHEMA_VERSION } from '../../stores/mongodb/database/collections';
import { checkSchema } from '../../stores/mongodb/database/schema-step';
import { readShared, type SharedState } from '../../stores/mongodb/queue/shared-state';
import { guard } from '../../stores/mongodb/transactions/guard';
import type { AdvancingClock } from '../../lib/advancing-clock';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import type { Config } from '../../operations/config/config';
import { openDataDir, sandboxDir } from '../../operations/installation/data-dir';
import type { Health } from '../core/health';
import type { Announced, EngineHost, OpenedEngine } from './engine-host';
import { installationId } from '../../operations/installation/installation-id';
import type { Part } from '../core/part';
import { checkPrefix, OtherPrefixError } from '../cluster-settings/bound-prefix';
import { fencedByLease } from './fenced-by-lease';
import { openCluster, type ClusterEngine } from './open-cluster';
import { Outages } from './outages';
import { topicsOfAnother } from './own-topics';
import { RenewedProcessLease } from '../cluster-settings/renewed-process-lease';
import { recoverProcessesPart } from './recover-processes';
import { kafkaServer, mongoServer, redisServer } from '../../operations/config/server-names';
import { checkedKeyring } from '../../operations/installation/checked-keyring';
import type { Services } from '../shared-services';
import { StartError } from '../../lib/start-error';
import { untilReachable } from './until-reachable';

/** What the outbox does, as `/readyz` says it. */
const OUTBOX = 'publishing what was committed (outbox)';

/** What the processes compare. */
const SHARED = ['processes', 'partitions', 'installation_id', 'topic_prefix'] as const;

/** How long a process without its lease stays in its groups, ms: elections and short outages pass. */
const LEASE_PATIENCE = 20 * SECOND;

export interface ClusterHostOptions {
  clock: AdvancingClock;
  logger: ProcessLogger;
  health: Health;
  wrapEngine?: ((engine: Engine) => Engine) | undefined;
  /** Compares the clock of this machine with the store's. */
  storeClock: StoreClock;
  /** Ends the process once a newer release has the data; for tests. */
  onOutdated?: () => void;
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
  private standby: Standby | null = null;
  /** Why the topics are not those of this installation. */
  private foreignTopics: string | null = null;
  /** Processes that hand mail over, as last compared. */
  private dispatchers = 1;

  constructor(
    private readonly config: Config & { cluster: ClusterConfig; secret: string },
    private readonly options: ClusterHostOptions,
  ) {
    this.dir = config.roles.includes('sandbox') ? openDataDir(sandboxDir(config)) : null;
    this.outages = new Outages({ logger: options.logger });
    this.logger = outageLogger(options.logger, this.outages);
  }

  async open(signal: AbortSignal): Promise<OpenedEngine> {
    const { config, logger } = this;
    const { clock, health, wrapEngine, storeClock } = this.options;
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
    await this.reach(signal, () => storeClock.measure(() => this.storeTime()));
    watchClock(health, storeClock);
    const mayAct = (): boolean => standby.mayAct();
    const processLease = new RenewedProcessLease({
      leases: engine.stores.leases,
      clock,
      logger,
      mayAct,
      checkData: () => this.readShared(opened),
      onOutdated: (err) => this.outdated(err),
    });
    this.processLease = processLease;
    const standby = new Standby({
      reasons: [
        () => storeClock.fault(CLOCK_LIMIT),
        () => this.foreignTopics,
        lostFor(LEASE_PATIENCE, () => processLease.isCurrent()),
      ],
      log: opened.log,
      logger,
    });
    this.standby = standby;
    const keyring = await this.reach(signal, () => checkedKeyring(config.secret, engine.stores));
    const id = await this.reach(signal, () => installationId(engine.stores.settings));
    await this.reach(signal, () => processLease.begin());
    opened.mongo.mayWrite = (): boolean => processLease.isCurrent();
    health.watch('process', async () => whatIsLeftUndone(processLease, standby));
    const fenced = fencedOnStandby(fencedByLease(engine, processLease), mayAct);
    const rateLimiter = await this.openLimiter();
    const dispatchers = (): number => this.dispatchers;
    return { engine: fenced, keyring, installationId: id, processLease, rateLimiter, mayAct, dispatchers, logger };
  }

  begin(part: Part, signal: AbortSignal): Promise<void> {
    return this.reach(signal, () => part.start());
  }

  async close(): Promise<void> {
    this.outages.stop();
    // What is still being stored was begun while the lease was held, and this process is alive.
    if (this.opened) delete this.opened.mongo.mayWrite;
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
    return [this.agreement(services), ...(this.standby ? [this.standby.part()] : []), ...recovery];
  }

  private agreement(services: Services): Part {
    const { config, opened, processLease } = this;
    if (!opened || !processLease) throw new Error('the engine is not open yet');
    const { publicUrl, keyring, installationId: installation, clock, health, logger, engine } = services;
    const { database } = config.cluster.mongo;
    const { owner } = processLease;
    return clusterSettingsPart({
      register: new ProcessRegister(opened.stores),
      keeper: new TopicKeeper({ leases: engine.stores.leases, log: opened.log, owner, clock, logger }),
      partitions: new PartitionKeeper({ leases: engine.stores.leases, log: opened.log, logger }),
      onCompared: (processes) => (this.dispatchers = Math.max(1, processes.filter(dispatches).length)),
      takeTurns: (turn) => opened.sweeper.takeTurns(turn),
      shards: () => opened.log.partitions().count(SHARD_TOPIC),
      storeClock: this.options.storeClock,
      shared: () => this.readShared(opened).catch((error: unknown) => processLease.failed(error)),
      leaseName: () => processLease.leaseName(),
      roles: config.roles,
      schema: SCHEMA_VERSION,
      settings: () =>
        agreedSettings(config, {
          publicUrl: publicUrl(),
          secretCheck: keyring.hashCredential('secret check'),
        }),
      topicsFault: async () => {
        const marker = await opened.log.claim({ installation, database });
        return (this.foreignTopics = topicsOfAnother(config.cluster, installation, marker));
      },
      clock,
      health,
      logger,
    });
  }

  /** Nothing is drained: what this process would still write is of a schema that is gone. */
  private outdated(err: Error): void {
    const why =
      err instanceof OtherPrefixError
        ? 'the installation was moved to the topics of another prefix'
        : 'a newer release has changed the schema of the data';
    this.options.logger.fatal({ err }, `kurir is stopping: ${why}`);
    (this.options.onOutdated ?? ((): void => process.exit(1)))();
  }

  /** Rejects with NewerSchemaError or OtherPrefixError once the data is no longer this process's. */
  private async readShared({ mongo }: ClusterEngine): Promise<SharedState> {
    const shared = await readShared(mongo, SHARED);
    checkSchema(shared.schema);
    await checkPrefix(shared.settings, this.config.cluster);
    return shared;
  }

  /** The time of the MongoDB primary, ms. */
  private async storeTime(): Promise<number> {
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
      meanwhile: 'Until then, nothing is accepted, sent or recorded.',
      ask: () => mongo.db.command({ ping: 1 }),
    });
    this.outages.add({
      server: kafkaServer(this.config.cluster),
      meanwhile: 'Until then, messages are accepted and stay queued.',
      ask: () => log.check(),
    });
  }

  /** Only the API, the relay and the public pages count what they take; no other process needs Redis. */
  private async openLimiter(): Promise<RateLimiter> {
    const { cluster, roles, apiRatePerMinute: limit } = this.config;
    const { clock, health, logger } = this.options;
    const alone = inProcessRateLimiter(clock, limit);
    if (!(['api', 'smtp', 'public'] as const).some((role) => roles.includes(role))) return alone;
    const server = redisServer(cluster);
    const limiter = await openRedisRateLimiter({ url: cluster.redisUrl, server, clock, limit, alone, logger });
    this.limiter = limiter;
    const look = async (): Promise<string | null> =>
      (await limiter.isShared()) ? null : `${server} does not respond: this process limits the API rate on its own`;
    health.watch('redis', look, 'missed');
    return limiter;
  }
}

function whatIsLeftUndone(lease: RenewedProcessLease, standby: Standby): string | null {
  if (!standby.mayAct()) return 'on standby: it accepts no messages, sends nothing and has left its consumer groups';
  return lease.isHeld() ? null : 'it sends nothing: its lease has expired';
}
