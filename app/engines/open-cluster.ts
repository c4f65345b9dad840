import { readFileSync } from 'node:fs';
import type { ProcessLogger } from '../../lib/logger';
import type { Clock } from '../../lib/clock';
import type { Mongo } from '../../stores/mongodb/database/client';
import { PATIENCE_BESIDE } from '../../stores/mongodb/transactions/contention';
import { mongoStores, type MongoStores } from '../../stores/mongodb/stores';
import { settingsStore } from '../../stores/mongodb/settings/settings-store';
import { groupStarts } from '../../stores/mongodb/log/group-starts';
import { parkedRecords } from '../../stores/mongodb/log/parked-records';
import { compareCollections, prepareCollections, type OlderGone } from '../../stores/mongodb/database/prepare';
import type { Engine } from '../../stores/ports/engine';
import { OlderProcesses } from '../../operations/processes/older-processes';
import { leaseStore } from '../../stores/mongodb/queue/lease-store';
import { SCHEMA_VERSION } from '../../stores/mongodb/database/collections';
import { requireCurrent } from '../../stores/mongodb/database/schema-step';
import { UnavailableError } from '../../lib/errors';
import { kafkaAdmin } from '../../streams/drivers/kafka/kafka-admin';
import { openKafkaLog, type KafkaLog } from '../../streams/drivers/kafka/kafka-log';
import type { KafkaServers } from '../../streams/drivers/kafka/options';
import type { ClusterConfig, KafkaConfig } from '../../operations/config/cluster-config';
import { bindPrefix, checkPrefix } from '../cluster-settings/bound-prefix';
import { installationId } from '../../operations/installation/installation-id';
import { endOldShards, notePartitions, partitionsOf } from '../cluster-settings/partition-setting';
import { Partitions, type PartitionCounts } from '../../streams/partitions';
import { checkTopicsAreOurs } from './own-topics';
import { reachKafka, reachMongo } from './reach-servers';
import { schemaGate, type SchemaGateOptions } from './schema-gate';
import { StartError } from '../../lib/start-error';

/** An engine on the servers of a cluster, with access to those servers for health checks. */
export interface ClusterEngine extends Engine {
  log: KafkaLog;
  mongo: Mongo;
  /** Finishes what any process left undone. */
  sweeper: Pick<MongoStores['sweeper'], 'takeTurns'>;
}

export interface ClusterOptions {
  clock: Clock;
  logger: Pick<ProcessLogger, 'warn' | 'fatal'>;
  /** Creates missing topics, collections and indexes, and publishes what other processes left in the outbox. */
  serve: boolean;
  /** Aborts waiting for servers; null: no waiting at all. */
  signal: AbortSignal | null;
  /**
   * Called with the reason it waits for a server, and with null once the server is reached. Server names: `mongodb`,
   * `kafka`; `upgrade` for processes of an older schema.
   */
  onWait: (server: string, reason: string | null) => void;
  /** Called with null when the outbox published records, and with the error when it could not. */
  onDelivery?: (error: unknown) => void;
}

/**
 * Opens stores on MongoDB and the log on Kafka. Waits for servers that cannot be reached. Throws StartError, the errors
 * of the stores, and the errors of the topics when existing ones differ from what the program needs.
 */
export async function openCluster(config: ClusterConfig, options: ClusterOptions): Promise<ClusterEngine> {
  const { clock } = options;
  const owned = await openStores(config, options);
  const { mongo } = owned;
  const undo: (() => Promise<unknown>)[] = [() => mongo.close()];
  try {
    const log = await openLog(config, owned, options);
    undo.push(() => log.close());
    const stored = mongoStores(mongo, {
      clock,
      publish: (records) => log.publish(records),
      ...(options.onDelivery && { onDelivery: options.onDelivery }),
      onSweepError: (err) => options.logger.warn({ err }, 'the outbox could not be swept; trying again'),
    });
    if (options.serve) stored.sweeper.start();
    // Stores first: they still publish pending records.
    const { stores, sweeper } = stored;
    return { stores, sweeper, log, mongo, close: () => inOrder([() => stored.close(), ...undo.reverse()]) };
  } catch (error) {
    await inOrder(undo.reverse());
    throw error;
  }
}

/**
 * Opens the same for a short command, with or without a running service. Creates nothing and does not wait for servers.
 */
export function openClusterBeside(config: ClusterConfig, clock: Clock): Promise<ClusterEngine> {
  const quiet = (): void => undefined;
  const logger = { warn: quiet, fatal: quiet };
  return openCluster(config, { clock, logger, serve: false, signal: null, onWait: quiet });
}

async function inOrder(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, 'Not all server connections were closed cleanly.');
}

/** The stores of one installation. */
interface OwnedMongo {
  mongo: Mongo;
  /** Its id; undefined when no service has started on it yet. */
  installation: string | undefined;
  partitions: PartitionCounts;
}

function openStores(config: ClusterConfig, { serve, signal, onWait }: ClusterOptions): Promise<OwnedMongo> {
  const onOlder = (reason: string | null): void => onWait('upgrade', reason);
  const waiting = { signal, onWait: (reason: string | null) => onWait('mongodb', reason) };
  return reachMongo(
    config,
    { ...waiting, ...(serve ? { lookFirst: true } : { patience: PATIENCE_BESIDE }) },
    async (opened) => {
      try {
        if (serve)
          await prepareCollections(opened.db, olderGone(opened, { wait: config.upgradeWait, signal, onWait: onOlder }));
        else await checkCollections(opened);
        const settings = settingsStore(opened);
        await checkPrefix(settings, config);
        // Before the installation has its id.
        if (serve) await notePartitions(settings, config.kafka.partitions);
        const id = await (serve ? installationId(settings) : settings.get('installation_id'));
        const partitions = await partitionsOf(settings, config.kafka.partitions);
        if (serve) await endOldShards(leaseStore(opened), partitions);
        return { mongo: opened, installation: id as string | undefined, partitions };
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
  );
}

/** The gate before a change of the schema of this database. */
export function olderGone(mongo: Mongo, how: Omit<SchemaGateOptions, 'older'>): OlderGone {
  const stores = { settings: settingsStore(mongo), leases: leaseStore(mongo) };
  return schemaGate({ ...how, older: new OlderProcesses(stores, SCHEMA_VERSION) });
}

/** Creates nothing: creating what is missing would hide that this is the wrong database. */
async function checkCollections({ db }: Mongo): Promise<void> {
  await requireCurrent(db);
  const wrong = (await compareCollections(db)).filter(({ kind }) => kind !== 'extra');
  if (wrong.length === 0) return;
  const [first] = wrong;
  throw new StartError(
    `The database ${db.databaseName} (MONGODB_DATABASE) does not belong to a service of this version: ${first?.text ?? ''} See kurir indexes list; starting the service creates what is missing.`,
  );
}

function openLog(
  config: ClusterConfig,
  { mongo, installation, partitions }: OwnedMongo,
  options: ClusterOptions,
): Promise<KafkaLog> {
  const { clock, logger, serve, signal } = options;
  const servers = { ...kafkaServers(config.kafka, installation), partitions: new Partitions(partitions) };
  const onWait = (reason: string | null): void => options.onWait('kafka', reason);
  return reachKafka(config, { signal, onWait }, async () => {
    if (serve) {
      await prepareTopics(config, servers, clock);
      await bindPrefix(settingsStore(mongo), config);
    }
    const log = await openKafkaLog({
      ...servers,
      clock,
      parked: parkedRecords(mongo),
      starts: groupStarts(mongo),
      onProblem: ({ group, text }) =>
        logger.warn({ group, err: new UnavailableError(text) }, 'the event log reports a problem; trying again'),
      onFatal: (err) => {
        // A reader that cannot resume reading: only a new process can (docs/architecture.md#the-log-and-the-runner).
        logger.fatal({ err }, 'kurir is stopping: it can no longer read records');
        process.exit(1);
      },
    });
    if (!serve) await checkMarker(config, installation, log);
    return log;
  });
}

/** Closes the log when its topics are not those of this installation. Topics without a marker are left as they are. */
async function checkMarker(config: ClusterConfig, installation: string | undefined, log: KafkaLog): Promise<void> {
  try {
    checkTopicsAreOurs(config, installation, await log.marker());
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Creates missing topics, and their marker. */
async function prepareTopics(config: ClusterConfig, servers: KafkaServers, clock: Clock): Promise<void> {
  const { installation } = servers;
  const admin = kafkaAdmin(servers);
  try {
    await admin.check();
    await admin.prepareTopics();
    if (installation === undefined) return;
    const mine = { installation, database: config.mongo.database };
    checkTopicsAreOurs(config, installation, await admin.claim(mine, clock.now()));
  } finally {
    await admin.close();
  }
}

/**
 * Converts the configuration for the driver, with the id of the installation where it is known. Throws StartError when
 * the CA file cannot be read.
 */
export function kafkaServers({ brokers, prefix, sasl, tls }: KafkaConfig, installation?: string): KafkaServers {
  const names = installation === undefined ? { prefix } : { prefix, installation };
  return { brokers, ...names, ...(sasl && { sasl }), ...(tls && { tls: readAuthority(tls.caFile) }) };
}

function readAuthority(file: string | null): { ca?: string } {
  if (file === null) return {};
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch (error) {
    throw new StartError(
      `The certificate authority of Kafka (KAFKA_TLS_CA) cannot be read: ${(error as Error).message}`,
    );
  }
}
