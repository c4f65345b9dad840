import { expect } from '@jest/globals';
import type { EventLog, LogReader, Position } from '../../streams/event-log';
import type { RecordValues } from '../../streams/record-values';
import type { LogRecord, StoredRecord } from '../../streams/records';
import { partitionKey, type GroupName, type TopicName, type TopicOf } from '../../streams/topics';
import { PATIENCE } from '../support/limits';

/** How long a case listens for records that must not come, ms of real time. */
const QUIET = 250;

/** Polls until `enough` returns true; fails after PATIENCE ms. */
export async function pollUntil(
  reader: LogReader,
  enough: (records: readonly StoredRecord[]) => boolean,
  limit = 100,
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const deadline = AbortSignal.timeout(PATIENCE);
  while (!enough(records)) {
    if (deadline.aborted) throw new Error(`still waiting for records; ${records.length} came`);
    const batch = await reader.poll(limit, deadline);
    expect(batch.length).toBeLessThanOrEqual(limit);
    records.push(...batch);
  }
  return records;
}

/** Polls until `count` records were read. */
export function pollCount(reader: LogReader, count: number, limit?: number): Promise<StoredRecord[]> {
  return pollUntil(reader, (records) => records.length >= count, limit);
}

/** The records that still come until the reader is quiet. */
export async function pollRest(reader: LogReader): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (;;) {
    const batch = await reader.poll(100, AbortSignal.timeout(QUIET));
    if (batch.length === 0) return records;
    records.push(...batch);
  }
}

/** The positions after the given records. */
export function positionsAfter(records: readonly StoredRecord[]): Position[] {
  const positions = new Map<string, Position>();
  for (const { topic, partition, offset } of records) {
    const key = partitionKey({ topic, partition });
    positions.set(key, { topic, partition, next: Math.max(positions.get(key)?.next ?? 0, offset + 1) });
  }
  return [...positions.values()];
}

/** True for records of the topic; the cases only publish valid ones. */
export const isOf =
  <T extends TopicName>(topic: T) =>
  (record: StoredRecord): record is LogRecord<T> =>
    record.topic === topic;

/** Reads with a new reader, which is always closed. */
export async function withReader<T>(
  log: EventLog,
  group: GroupName,
  use: (reader: LogReader) => Promise<T>,
): Promise<T> {
  const reader = await log.reader(group);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/**
 * The distinct values of a group's topic for which `mine` holds, once there are `count` of them and nothing more comes;
 * records may arrive twice. Commits nothing.
 */
export async function valuesSeen<G extends GroupName>(
  log: EventLog,
  group: G,
  count: number,
  mine: (value: RecordValues[TopicOf<G>]) => boolean,
): Promise<RecordValues[TopicOf<G>][]> {
  const values = (records: readonly StoredRecord[]): RecordValues[TopicOf<G>][] => {
    const own = (records as LogRecord<TopicOf<G>>[]).filter((record) => mine(record.value));
    return [...new Map(own.map(({ value }) => [JSON.stringify(value), value])).values()];
  };
  return withReader(log, group, async (reader) => {
    const records = await pollUntil(reader, (read) => values(read).length >= count);
    return values([...records, ...(await pollRest(reader))]);
  });
}
