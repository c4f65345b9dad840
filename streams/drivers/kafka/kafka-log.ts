import type { Clock } from '../../../lib/clock';
import type { EventLog } from '../../event-log';
import type { GroupPartition, LogView } from '../../log-view';
import type { GroupStarts } from '../../group-starts';
import type { ParkedRecords } from '../../parked-records';
import { newPartitions, type PartitionCounts } from '../../partitions';
import { GROUPS, namesOf, type GroupName, type GroupTable } from '../../topics';
import type { KafkaClient } from './client';
import { unreadPartitions, viewGroup, type Unread } from './group-view';
import { checkServers, keepTopics } from './kafka-admin';
import { KafkaReaders } from './kafka-readers';
import { KafkajsConnection } from './kafkajs/connection';
import { claimTopics, readMarker, type InstallationMarker } from './installation-marker';
import type { ServedLog } from './names';
import { lagOf, positionsOf } from './offsets';
import type { KafkaServers } from './options';
import { parking } from './parking';
import { rdkafkaClient } from './rdkafka/rdkafka-client';
import { encodeRecord } from './record-codec';
import { trim } from './trim';
import { textOf } from './unavailable';
import { all, behindSince, between } from './log-range';
import { Watchdog } from './watchdog';

export interface KafkaLogOptions extends KafkaServers {
  clock: Clock;
  parked: ParkedRecords;
  starts: GroupStarts;
  /** The consumer groups; default: GROUPS. */
  groups?: GroupTable;
  /** A reader cannot be restarted. The process must end, so that its supervisor starts another. */
  onFatal(error: Error): void;
  /** Reports a problem that the log recovers from by itself. */
  onProblem?(problem: KafkaProblem): void;
  watch?: { every: number; limit: number; monotonic(): number };
}

export interface KafkaProblem {
  /** The group whose reader has the problem; null when it is not about one group. */
  group: GroupName | null;
  text: string;
}

/** The event log, with what the audit and /readyz need. */
export interface KafkaLog extends EventLog, LogView {
  /** Rejects with UnavailableError when the servers do not answer. */
  check(): Promise<void>;
  /**
   * Leaves every group, with work in progress finished and committed, and stays out of them until `resume`. Readers
   * that are opened meanwhile wait too. Resolves once all have left; publishing goes on.
   */
  suspend(): Promise<void>;
  /** Joins the groups again. */
  resume(): void;
  /**
   * Uses these counts of partitions from now on. They are the shards of workspaces too, so this process leaves the
   * group of the throttle for it.
   */
  usePartitions(counts: PartitionCounts): Promise<void>;
  /**
   * Makes topics again that are missing, and returns their names and a sentence for each that differs or cannot be
   * made. Rejects with UnavailableError.
   */
  keepTopics(): Promise<{ made: string[]; faults: string[] }>;
  /** The partitions that no member of their groups holds; groups that are rebalancing are left out. */
  unread(): Promise<Unread[]>;
  /** Whose topics these are; null while they carry no marker. Rejects with UnavailableError. */
  marker(): Promise<InstallationMarker | null>;
  /** Marks the topics, unless they are marked, and returns the marker that counts. Rejects with UnavailableError. */
  claim(mine: InstallationMarker): Promise<InstallationMarker>;
}

const WATCH = { every: 10_000, limit: 30_000, monotonic: (): number => performance.now() };

/**
 * Opens the event log on Kafka. The topics must exist (see kafkaAdmin). Throws UnavailableError when no server answers,
 * and NotBuiltError.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<KafkaLog> {
  const { prefix, installation, starts, groups = GROUPS } = options;
  const problem = (group: GroupName | null, error: unknown): void =>
    options.onProblem?.({ group, text: textOf(error) });
  const client = rdkafkaClient(options, (error) => problem(null, error));
  const connection = new KafkajsConnection(options);
  try {
    await checkServers(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const names = installation === undefined ? { prefix } : { prefix, installation };
  const partitions = options.partitions ?? newPartitions();
  return kafkaLog(options, { client, problem, served: { connection, ...names, partitions, groups, starts } });
}

interface Parts {
  served: ServedLog;
  client: KafkaClient;
  problem: (group: GroupName | null, error: unknown) => void;
}

/** Builds the log on an open connection and a client. */
export function kafkaLog(options: KafkaLogOptions, { served, client, problem }: Parts): KafkaLog {
  const { clock } = options;
  const producer = client.producer();
  const watchdog = new Watchdog({
    ...(options.watch ?? WATCH),
    look: (group) => viewGroup(served, group),
    onRestart: (group) => problem(group, 'no records arrived although there are some; restarting the consumer'),
    onFatal: (error) => options.onFatal(error),
  });
  const readers = new KafkaReaders({ served, client, starts: options.starts, watchdog, problem });
  const publish: EventLog['publish'] = (records) => {
    const at = clock.now();
    return producer.send(records.map((record) => encodeRecord(served, record, at)));
  };
  return {
    publish,
    partitions: () => served.partitions,
    usePartitions: (counts) => readers.aside('throttle', () => served.partitions.use(counts)),
    reader: (group, hooks = {}) => readers.open(group, hooks),
    ...parking(options.parked, clock, publish),
    lag: async (group, topic) => lagOf(await positionsOf(served, group, topic)),
    behindSince: (group, topic) => behindSince(served, group, topic),
    trim: (now, limit) => trim(served, now, limit),
    check: () => checkServers(served.connection),
    suspend: () => readers.suspend(),
    resume: () => readers.resume(),
    keepTopics: () => keepTopics(served),
    unread: () => unreadPartitions(served),
    marker: () => readMarker(served.connection, served.prefix),
    claim: (mine) => claimTopics(served.connection, options, mine, clock.now()),
    between: (topic, ranges) => between(served, topic, ranges),
    all: (topic) => all(served, topic),
    groupPositions: async () =>
      (await Promise.all(namesOf(served.groups).map((group) => groupPartitions(served, group)))).flat(),
    close: async () => {
      await watchdog.close();
      await readers.close();
      await producer.close();
      await served.connection.close();
    },
  };
}

async function groupPartitions(log: ServedLog, group: GroupName): Promise<GroupPartition[]> {
  const positions = await positionsOf(log, group);
  return positions.map(({ topic, partition, committed, end }) => ({
    group,
    topic,
    partition,
    next: committed,
    newest: end - 1,
  }));
}
