import type { EventLog, ParkedRecord, Position } from '../../../streams/event-log';
import type { OutgoingRecord } from '../../../streams/records';
import { readersOf, startsAtNewest, TOPICS, TOPIC_NAMES } from '../../../streams/topics';
import type { GroupName, GroupTable, TopicName } from '../../../streams/topics';
import { column, ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import type { Commits, Transaction } from '../database/commits';
import { logTable } from '../database/schema';
import { committed } from './cursors';
import { openReader } from './reader';
import { ONE_PARTITION, RECORD_VALUE } from './read-rows';
import type { TopicSignals } from './topic-signals';

const PARKED = new ColumnList<ParkedRecord>('parked', {
  ...columns('id', 'topic', 'key', 'version', 'reason', 'parkedAt'),
  group: column('consumer'),
  value: RECORD_VALUE,
});
const NEW_PARKED = PARKED.without('id');

/** The writes of the readers of a group; each resolves when it is durable. */
export interface CursorWrites {
  move(group: GroupName, positions: readonly Position[]): Promise<void>;
  /** Creates the missing cursors of the group at the end of these topics. */
  start(group: GroupName, topics: readonly TopicName[]): Promise<void>;
}

export interface EventLogParts {
  db: Database;
  commits: Commits;
  signals: TopicSignals;
  now: () => number;
  cursors: CursorWrites;
  groups: GroupTable;
}

/** Embedded driver of EventLog: one table per topic in the file of the stores, with one partition each. */
export function embeddedEventLog(parts: EventLogParts): EventLog {
  const { db, commits, signals, now, cursors, groups } = parts;
  const queues = new Map<GroupName, object[]>();
  const topicsOf = (group: GroupName, topic?: TopicName): readonly TopicName[] =>
    topic === undefined ? groups[group].topics : [topic];
  const next = (group: GroupName, topic: TopicName): number => committed(db, groups, group, topic);
  return {
    publish: (records) => commits.write((tx) => tx.emit(records)),
    reader: async (group, hooks) => {
      const { topics } = groups[group];
      if (startsAtNewest(groups, group)) await cursors.start(group, topics);
      const from = (topic: TopicName): number => next(group, topic);
      const commit = (positions: readonly Position[]): Promise<void> => cursors.move(group, positions);
      return openReader({ db, signals, queues, from, commit }, { group, topics }, hooks ?? {});
    },
    partitions: () => ONE_PARTITION,
    ...deadLetters(db, commits, now),
    lag: async (group, topic) =>
      topicsOf(group, topic).reduce((sum, one) => {
        const query = `SELECT count(*) AS n FROM ${logTable(one)} WHERE offset >= ?`;
        return sum + db.get<{ n: number }>(query, next(group, one))!.n;
      }, 0),
    behindSince: async (group, topic) => {
      const times = topicsOf(group, topic).flatMap((one) => {
        const query = `SELECT at FROM ${logTable(one)} WHERE offset >= ? ORDER BY offset LIMIT 1`;
        return db.get<{ at: number }>(query, next(group, one))?.at ?? [];
      });
      return times.length === 0 ? null : Math.min(...times);
    },
    trim: (at, limit) =>
      commits.write(() => TOPIC_NAMES.reduce((deleted, topic) => deleted + trim(parts, topic, at, limit - deleted), 0)),
    close: async () => signals.close(),
  };
}

const deadLetters = (
  db: Database,
  commits: Commits,
  now: () => number,
): Pick<EventLog, 'park' | 'parked' | 'redrive'> => ({
  park: (record, group, reason) =>
    commits.write(() => {
      const { topic, key, version, value } = record;
      NEW_PARKED.insert(db, { topic, key, version, value, group, reason, parkedAt: now() });
    }),
  parked: async (limit, after) => PARKED.all(db, 'WHERE id > ? ORDER BY id LIMIT ?', after ?? 0, limit),
  redrive: (id) => commits.write((tx) => redrive(tx, id)),
});

/** Deletes the oldest records, up to the position that every group of the topic has committed. Returns how many. */
function trim({ db, groups }: EventLogParts, topic: TopicName, now: number, limit: number): number {
  const positions = readersOf(groups, topic).map((group) => committed(db, groups, group, topic));
  return db.run(
    `DELETE FROM ${logTable(topic)} WHERE offset IN
       (SELECT offset FROM (SELECT offset, at FROM ${logTable(topic)} WHERE offset < ? ORDER BY offset LIMIT ?)
        WHERE at < ?)`,
    Math.min(Number.MAX_SAFE_INTEGER, ...positions),
    limit,
    now - TOPICS[topic].retention,
  );
}

/**
 * Emits the record and deletes the dead letter in one transaction, so it is redriven once even if several callers ask
 * for it.
 */
function redrive(tx: Transaction, id: number): boolean {
  const parked = PARKED.get(tx.db, 'WHERE id = ?', id);
  if (!parked) return false;
  const { topic, key, version, value, group: forGroup } = parked;
  tx.emit([{ topic, key, version, forGroup, value } as OutgoingRecord]);
  tx.db.run('DELETE FROM parked WHERE id = ?', id);
  return true;
}
