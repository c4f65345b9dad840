import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../../stores/embedded/open';
import type { Mongo } from '../../../stores/mongodb/database/client';
import { groupStarts } from '../../../stores/mongodb/log/group-starts';
import { parkedRecords } from '../../../stores/mongodb/log/parked-records';
import { openKafkaLog } from '../../../streams/drivers/kafka/kafka-log';
import type { EventLog } from '../../../streams/event-log';
import type { LogView } from '../../../streams/log-view';
import type { LogRecord } from '../../../streams/records';
import type { GroupTable, TopicName } from '../../../streams/topics';
import type { OpenedEngine } from '../harness';
import { embeddedLogView, recordsIn } from '../../../proof/world/embedded-log-view';
import { emptyTopics } from './log-topics';

type Clock = OpenedEngine['clock'];

/** A log, opened by one process. */
export interface OpenLog {
  log: EventLog;
  view: LogView;
  /** Safe to call again. */
  close(): Promise<void>;
}

/** A log that outlives the processes that open it, one after the other. */
export interface LogServer {
  open(mongo: Mongo): Promise<OpenLog>;
  /** See OpenedEngine. */
  records?: (topic: TopicName) => LogRecord[];
  destroy(): Promise<void>;
}

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
};

/** The embedded log on a file of its own: quick, and enough for suites about the stores. */
export async function fileLog(clock: Clock, groups?: GroupTable): Promise<LogServer> {
  const root = await mkdtemp(join(tmpdir(), 'kurir-contract-log-'));
  const file = join(root, 'log.db');
  return {
    open: async () => {
      const engine = await openEmbedded({ file, clock, ...(groups && { groups }) });
      return { log: engine.log, view: embeddedLogView(file), close: once(() => engine.close()) };
    },
    records: (topic) => recordsIn(file, topic),
    destroy: () => rm(root, { recursive: true, force: true }),
  };
}

const fail = (error: Error): void => {
  throw error;
};

/** Kafka, on emptied topics. */
export async function kafkaLog(clock: Clock, brokers: readonly string[]): Promise<LogServer> {
  const prefix = await emptyTopics(brokers, 'engine');
  return {
    open: async (mongo) => {
      const parked = parkedRecords(mongo);
      const starts = groupStarts(mongo);
      const log = await openKafkaLog({ brokers, prefix, parked, starts, clock, onFatal: fail });
      return { log, view: log, close: once(() => log.close()) };
    },
    destroy: async () => {},
  };
}
