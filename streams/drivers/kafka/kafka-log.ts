import type { Clock } from '../../../lib/clock';
import type { EventLog } from '../../event-log';
import type { GroupPartition, LogView } from '../../log-view';
import type { GroupStarts } from '../../group-starts';
import type { ParkedRecords } from '../../parked-records';
import { GROUPS, namesOf, startsAtNewest, type GroupName, type GroupTable } from '../../topics';
import { carryOver } from './carry-over';
import type { KafkaClient } from './client';
import { openClient, type ClientChoice } from './open-client';
import { viewGroup } from './group-view';
import { checkServers } from './kafka-admin';
import { KafkaReader } from './kafka-reader';
import { KafkajsConnection } from './kafkajs/connection';
import { AT_OLDEST, GroupStart } from './group-start';
import { claimTopics, readMarker, type InstallationMarker } from './installation-marker';
import type { ServedLog } from './names';
import { lagOf, positionsOf } from './offsets';
import type { KafkaServers } from './options';
import { parking } from './parking';
import { partitionOf } from './partition-of';
import { encodeRecord } from './record-codec';
import { trim } from './trim';
import { textOf } from './unavailable';
import { all, behindSince, between } from './log-range';
import { Watchdog } from './watchdog';

export interface KafkaLogOptions extends KafkaServers {
  clock: Clock;
  /** `auto`: node-rdkafka where it is built, otherwise kafkajs. All readers of a group must use the same client. */
  client: ClientChoice;
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
  /** The client library that transports the records. */
  client: KafkaClient['name'];
  /** Rejects with UnavailableError when the servers do not answer. */
  check(): Promise<void>;
  /** Whose topics these are; null while they carry no marker. Rejects with UnavailableError. */
  marker(): Promise<InstallationMarker | null>;
  /** Marks the topics, unless they are marked, and returns the marker that counts. Rejects with UnavailableError. */
  claim(mine: InstallationMarker): Promise<InstallationMarker>;
}

const WATCH = { every: 10_000, limit: 30_000, monotonic: (): number => performance.now() };

/**
 * Opens the event log on Kafka. The topics must exist (see kafkaAdmin). Throws UnavailableError when no server answers.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<KafkaLog> {
  const { prefix, installation, starts, groups = GROUPS } = options;
  const problem = (group: GroupName | null, error: unknown): void =>
    options.onProblem?.({ group, text: textOf(error) });
  const connection = new KafkajsConnection(options);
  const client = openClient(options.client, options, (error) => problem(null, error));
  try {
    await checkServers(connection);
  } catch (error) {
    await Promise.all([client.close(), connection.close()]);
    throw error;
  }
  const names = installation === undefined ? { prefix } : { prefix, installation };
  return kafkaLog(options, { client, problem, served: { connection, ...names, groups, starts } });
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
  const readers = new Set<KafkaReader>();
  const watchdog = new Watchdog({
    ...(options.watch ?? WATCH),
    look: (group) => viewGroup(served, group),
    onRestart: (group) => problem(group, 'no records arrived although there are some; restarting the reader'),
    onFatal: (error) => options.onFatal(error),
  });
  const publish: EventLog['publish'] = (records) => {
    const at = clock.now();
    return producer.send(records.map((record) => encodeRecord(served.prefix, record, at)));
  };
  return {
    client: client.name,
    publish,
    partitionOf,
    reader: async (group, hooks = {}) => {
      const { topics } = served.groups[group];
      await carryOver(served, group);
      const atNewest = startsAtNewest(served.groups, group);
      const start = atNewest ? await GroupStart.open(served, options.starts, group) : AT_OLDEST;
      const reader = new KafkaReader(
        (owner) => client.feed({ group, topics }, owner),
        hooks,
        (error) => problem(group, error),
        start,
      );
      const unwatch = watchdog.watch(group, reader);
      readers.add(reader);
      return {
        poll: (limit, signal) => reader.poll(limit, signal),
        commit: (positions) => reader.commit(positions),
        close: async () => {
          unwatch();
          readers.delete(reader);
          await reader.close();
        },
      };
    },
    ...parking(options.parked, clock, publish),
    lag: async (group, topic) => lagOf(await positionsOf(served, group, topic)),
    behindSince: (group, topic) => behindSince(served, group, topic),
    trim: (now, limit) => trim(served, now, limit),
    check: () => checkServers(served.connection),
    marker: () => readMarker(served.connection, served.prefix),
    claim: (mine) => claimTopics(served.connection, options, mine, clock.now()),
    between: (topic, ranges) => between(served, topic, ranges),
    all: (topic) => all(served, topic),
    groupPositions: async () =>
      (await Promise.all(namesOf(served.groups).map((group) => groupPartitions(served, group)))).flat(),
    close: async () => {
      await watchdog.close();
      await Promise.all([...readers].map((reader) => reader.close()));
      await producer.close();
      await Promise.all([client.close(), served.connection.close()]);
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
