import type { LogReader, Position, ReaderHooks } from '../../../streams/event-log';
import type { StoredRecord } from '../../../streams/records';
import type { GroupName, TopicName } from '../../../streams/topics';
import type { Database } from '../database/database';
import { PARTITION, readRows, toRecord, type LogRow } from './read-rows';
import type { TopicSignals } from './topic-signals';

/** Rows read from the file at once; busy consumers ask for only one or two at a time. */
const READ_AHEAD = 256;

export interface ReaderParts {
  db: Database;
  signals: TopicSignals;
  /** Readers of each group in order of arrival; the first one owns the partitions (see `EventLog`). */
  queues: Map<GroupName, object[]>;
  /** The position that the group has committed. */
  from: (topic: TopicName) => number;
  commit: (positions: readonly Position[]) => Promise<void>;
}

/** The position of a reader in one topic. */
interface TopicPosition {
  topic: TopicName;
  /** Offset of the next record to read; null before the first read. */
  next: number | null;
  /** Rows that were read from the file. */
  ahead: LogRow[];
  /** The generation of the signals in which the file was read: in it, only this process has appended since. */
  readIn: number;
}

/** Opens a reader of all topics of its group, in turn. */
export function openReader(
  { db, signals, queues, from, commit }: ReaderParts,
  { group, topics }: { group: GroupName; topics: readonly TopicName[] },
  { onAssigned }: ReaderHooks,
): LogReader {
  const self = {};
  const queue = queues.get(group) ?? [];
  queues.set(group, queue);
  queue.push(self);
  let assigned = false;
  const positions = topics.map((topic): TopicPosition => ({ topic, next: null, ahead: [], readIn: -1 }));

  /** The next rows of a topic: what was read before, what this process appended, or else what is in the file. */
  const rowsOf = (position: TopicPosition, limit: number): LogRow[] => {
    if (position.ahead.length > 0) return position.ahead.splice(0, limit);
    const next = (position.next ??= from(position.topic));
    const { generation } = signals;
    const appended = signals.tail.from(position.topic, next, limit);
    if (appended && (appended.length > 0 || position.readIn === generation)) return appended;
    position.ahead = readRows(db, position.topic, next, READ_AHEAD);
    position.readIn = generation;
    return position.ahead.splice(0, limit);
  };
  /**
   * Reads from the first topic that has records, and moves it to the end, so that a busy topic does not hold up the
   * others.
   */
  const read = (limit: number): StoredRecord[] => {
    for (const [at, position] of positions.entries()) {
      const rows = rowsOf(position, limit);
      if (rows.length === 0) continue;
      position.next = rows.at(-1)!.offset + 1;
      positions.push(...positions.splice(at, 1));
      return rows.map((row) => toRecord(position.topic, row));
    }
    return [];
  };
  return {
    poll: async (limit, signal) => {
      while (!signal.aborted && !signals.closed) {
        if (queue[0] === self) {
          if (!assigned) onAssigned?.(topics.map((topic) => ({ topic, partition: PARTITION })));
          assigned = true;
          const records = read(limit);
          if (records.length > 0) return records;
        }
        await signals.wait(topics, signal);
      }
      return [];
    },
    commit,
    close: async () => {
      const index = queue.indexOf(self);
      if (index >= 0) queue.splice(index, 1);
      signals.wake(topics);
    },
  };
}
