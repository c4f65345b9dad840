import type { LogReader, Position, ReaderHooks } from '../../../streams/event-log';
import type { StoredRecord } from '../../../streams/records';
import type { GroupName, TopicName } from '../../../streams/topics';
import type { Database } from '../database/database';
import { PARTITION, readRows } from './read-rows';
import type { TopicSignals } from './topic-signals';

/** Another process may append too (the command line); a reader that sleeps looks again after this time, ms. */
const LOOK_AGAIN = 500;
/** Records read at once; consumers ask for one or two at a time when they are busy. */
const READ_AHEAD = 256;

export interface ReaderParts {
  db: Database;
  signals: TopicSignals;
  /** Readers of each group in the order they came; the first one holds the partitions (see `EventLog`). */
  queues: Map<GroupName, object[]>;
  /** Where the group has committed. */
  from: (topic: TopicName) => number;
  commit: (positions: readonly Position[]) => Promise<void>;
}

/** One topic of a reader. */
interface Place {
  topic: TopicName;
  /** The next record to read; null before the first look. */
  next: number | null;
  ahead: StoredRecord[];
}

/** A reader of all topics of its group, in turn. */
export function openReader(
  { db, signals, queues, from, commit }: ReaderParts,
  { group, topics }: { group: GroupName; topics: readonly TopicName[] },
  { onAssigned }: ReaderHooks,
): LogReader {
  const me = {};
  const queue = queues.get(group) ?? [];
  queues.set(group, queue);
  queue.push(me);
  let held = false;
  const places = topics.map((topic): Place => ({ topic, next: null, ahead: [] }));

  /** Records of the first place that has some; it goes to the end, so that a busy topic does not keep the others waiting. */
  const read = (limit: number): StoredRecord[] => {
    for (const [at, place] of places.entries()) {
      if (place.ahead.length === 0) {
        place.ahead = readRows(db, place.topic, (place.next ??= from(place.topic)), READ_AHEAD);
      }
      const records = place.ahead.splice(0, limit);
      if (records.length === 0) continue;
      place.next = records.at(-1)!.offset + 1;
      places.push(...places.splice(at, 1));
      return records;
    }
    return [];
  };
  return {
    poll: async (limit, signal) => {
      while (!signal.aborted && !signals.closed) {
        if (queue[0] === me) {
          if (!held) onAssigned?.(topics.map((topic) => ({ topic, partition: PARTITION })));
          held = true;
          const records = read(limit);
          if (records.length > 0) return records;
        }
        await signals.wait(topics, LOOK_AGAIN, signal);
      }
      return [];
    },
    commit,
    close: async () => {
      const place = queue.indexOf(me);
      if (place >= 0) queue.splice(place, 1);
      signals.wake(topics);
    },
  };
}
