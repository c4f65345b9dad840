import type { LogRange } from '../../log-view';
import type { StoredRecord } from '../../records';
import type { GroupName, TopicName } from '../../topics';
import { fetchRecords, leadersOf } from './kafkajs/fetch-records';
import { topicName, type ServedLog } from './names';
import { positionsOf, rangesOf } from './offsets';
import { decodeRecord } from './record-codec';
import { unavailable } from './unavailable';

const PAGE_BYTES = 262_144;
/** Enough for the first record of each partition, which arrives however large it is. */
const PEEK_BYTES = 1;
const WAIT = 500;
/** Empty responses in a row before reading is given up. */
const PATIENCE = 20;

/** Reads the records at and after the given offsets that fit one response. */
async function read(
  { connection, prefix }: ServedLog,
  topic: TopicName,
  from: ReadonlyMap<number, number>,
  maxBytes: number,
): Promise<StoredRecord[]> {
  const name = topicName(prefix, topic);
  return connection.use(`reading ${topic}`, async ({ cluster }) => {
    const leaders = await leadersOf(cluster, name);
    const answers = [...leaders].map(async ([nodeId, partitions]) => {
      const wanted = new Map([...from].filter(([partition]) => partitions.includes(partition)));
      if (wanted.size === 0) return [];
      return fetchRecords(cluster, nodeId, { from: new Map([[name, wanted]]), maxBytes, maxWait: WAIT });
    });
    return (await Promise.all(answers)).flat().map(({ raw }) => decodeRecord(topic, raw));
  });
}

/** When the oldest record that the group has not committed was written, ms; null when there is none. */
export async function behindSince(log: ServedLog, group: GroupName, only?: TopicName): Promise<number | null> {
  const behind = (await positionsOf(log, group, only)).filter(({ next, end }) => next < end);
  const topics = [...new Set(behind.map(({ topic }) => topic))];
  const found = topics.map((topic) => {
    const own = behind.filter((position) => position.topic === topic);
    return read(log, topic, new Map(own.map(({ partition, next }) => [partition, next])), PEEK_BYTES);
  });
  const times = (await Promise.all(found)).flat().map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times);
}

/** Every record of the topic that is still kept, up to its current end; in order within a partition. */
export async function* all(log: ServedLog, topic: TopicName): AsyncGenerator<StoredRecord> {
  const ranges = await rangesOf(log, topic);
  yield* between(
    log,
    topic,
    ranges.map(({ partition, low, end }) => ({ partition, from: low, to: end })),
  );
}

/** The records of these ranges of the topic that are still kept; in order within a partition. */
export async function* between(
  log: ServedLog,
  topic: TopicName,
  ranges: readonly LogRange[],
): AsyncGenerator<StoredRecord> {
  const left = new Map(ranges.map(({ partition, from, to }) => [partition, { from, to }]));
  for (let empty = 1; ;) {
    if (empty > 0) await passDeleted(log, topic, left);
    for (const [partition, { from, to }] of left) if (from >= to) left.delete(partition);
    if (left.size === 0) return;
    const from = new Map([...left].map(([partition, range]) => [partition, range.from]));
    const records = await read(log, topic, from, PAGE_BYTES);
    // A server may take its time, but records are not deleted while their group has not committed them.
    empty = records.length > 0 ? 0 : empty + 1;
    if (empty > PATIENCE) throw unavailable(`reading ${topic}`, new Error('the records up to its end do not arrive'));
    for (const record of records) {
      const range = left.get(record.partition);
      if (!range) continue;
      range.from = record.offset + 1;
      if (record.offset < range.to) yield record;
    }
  }
}

/** Moves the bounds of ranges to where the log now starts and ends. */
async function passDeleted(
  log: ServedLog,
  topic: TopicName,
  left: Map<number, { from: number; to: number }>,
): Promise<void> {
  for (const { partition, low, end } of await rangesOf(log, topic)) {
    const range = left.get(partition);
    if (range) left.set(partition, { from: Math.max(range.from, low), to: Math.min(range.to, end) });
  }
}
