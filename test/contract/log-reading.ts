import { expect } from '@jest/globals';
import type { EventLog, LogReader, Position } from '../../streams/event-log';
import type { LogRecord, RecordValues } from '../../streams/records';
import { GROUPS, type GroupName, type TopicName } from '../../streams/topics';
import { PATIENCE } from './helpers';

/** How long a case listens for records that must not come, ms of real time. */
const QUIET = 250;

type TopicOf<G extends GroupName> = (typeof GROUPS)[G];

/** Polls until `enough` says so; fails after PATIENCE ms. */
export async function pollUntil(
  reader: LogReader,
  enough: (records: readonly LogRecord[]) => boolean,
  limit = 100,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
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
export function pollCount(reader: LogReader, count: number, limit?: number): Promise<LogRecord[]> {
  return pollUntil(reader, (records) => records.length >= count, limit);
}

/** What still comes before the reader falls silent. */
export async function pollRest(reader: LogReader): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (;;) {
    const batch = await reader.poll(100, AbortSignal.timeout(QUIET));
    if (batch.length === 0) return records;
    records.push(...batch);
  }
}

/** The positions after the given records. */
export function positionsAfter(records: readonly LogRecord[]): Position[] {
  const next = new Map<number, number>();
  for (const { partition, offset } of records) next.set(partition, Math.max(next.get(partition) ?? 0, offset + 1));
  return [...next].map(([partition, position]) => ({ partition, next: position }));
}

/** True of records of the topic. */
export const isOf =
  <T extends TopicName>(topic: T) =>
  (record: LogRecord): record is LogRecord<T> =>
    record.topic === topic;

/** Reads with a reader of its own, which is closed whatever happens. */
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
 * records may arrive twice (DESIGN 3.1). Commits nothing.
 */
export async function valuesSeen<G extends GroupName>(
  log: EventLog,
  group: G,
  count: number,
  mine: (value: RecordValues[TopicOf<G>]) => boolean,
): Promise<RecordValues[TopicOf<G>][]> {
  const values = (records: readonly LogRecord[]): RecordValues[TopicOf<G>][] => {
    const own = records.filter(isOf<TopicOf<G>>(GROUPS[group])).filter((record) => mine(record.value));
    return [...new Map(own.map(({ value }) => [JSON.stringify(value), value])).values()];
  };
  return withReader(log, group, async (reader) => {
    const records = await pollUntil(reader, (read) => values(read).length >= count);
    return values([...records, ...(await pollRest(reader))]);
  });
}
