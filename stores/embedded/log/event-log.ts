import type { EventLog, LogReader, ParkedRecord, Position, ReaderHooks } from '../../../streams/event-log';
import type { LogRecord, OutgoingRecord, RecordValues } from '../../../streams/records';
import { GROUPS, TOPICS, TOPIC_NAMES, type GroupName, type TopicName } from '../../../streams/topics';
import type { Database } from '../database/database';
import type { Commits, Transaction } from '../database/commits';
import { logTable } from '../database/schema';
import type { TopicSignals } from './topic-signals';

interface Row {
  offset: number;
  key: string;
  value: string;
  at: number;
}
interface ParkedRow {
  id: number;
  topic: TopicName;
  consumer: GroupName;
  key: string;
  value: string;
  reason: string;
  parked_at: number;
}

/** There is one. */
const PARTITION = 0;
/** Another process may append too (the command line); a reader that sleeps looks again after this time, ms. */
const LOOK_AGAIN = 500;
/** Records read at once; consumers ask for one or two at a time when they are busy. */
const READ_AHEAD = 256;

/** Writes positions of a group; resolves when they are durable. */
export type MoveCursors = (group: GroupName, positions: readonly Position[]) => Promise<void>;

interface EventLogParts {
  db: Database;
  commits: Commits;
  signals: TopicSignals;
  now: () => number;
  move: MoveCursors;
}

/** Embedded driver of EventLog: one table a topic in the file of the stores, one partition each. */
export function embeddedEventLog({ db, commits, signals, now, move }: EventLogParts): EventLog {
  const queues: ReaderQueues = new Map();
  return {
    publish: (records) => commits.write((tx) => tx.emit(records)),
    reader: async (group, hooks) => openReader({ db, move, signals, queues }, group, hooks ?? {}),
    partitionOf: () => PARTITION,
    park: (record, group, reason) =>
      commits.write(() => {
        db.run(
          'INSERT INTO parked (topic, consumer, key, value, reason, parked_at) VALUES (?, ?, ?, ?, ?, ?)',
          record.topic,
          group,
          record.key,
          JSON.stringify(record.value),
          reason,
          now(),
        );
      }),
    parked: async (limit, after) =>
      db
        .all<ParkedRow>('SELECT * FROM parked WHERE id > ? ORDER BY id LIMIT ?', after ?? 0, limit)
        .map((row): ParkedRecord => ({
          id: row.id,
          topic: row.topic,
          group: row.consumer,
          key: row.key,
          value: readValue(row.value),
          reason: row.reason,
          parkedAt: row.parked_at,
        })),
    redrive: (id) => commits.write((tx) => redrive(tx, id)),
    lag: async (group) => {
      const from = committed(db, group);
      const table = logTable(GROUPS[group]);
      return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE offset >= ?`, from)!.n;
    },
    behindSince: async (group) => {
      const table = logTable(GROUPS[group]);
      const row = db.get<{ at: number }>(
        `SELECT at FROM ${table} WHERE offset >= ? ORDER BY offset LIMIT 1`,
        committed(db, group),
      );
      return row?.at ?? null;
    },
    trim: (at, limit) =>
      commits.write(() => TOPIC_NAMES.reduce((gone, topic) => gone + trim(db, topic, at, limit - gone), 0)),
    close: async () => signals.close(),
  };
}

function committed(db: Database, group: GroupName): number {
  return db.get<{ next: number }>('SELECT next FROM cursors WHERE consumer = ?', group)?.next ?? 0;
}

/** Deletes from the old end, up to what every group of the topic has committed. */
function trim(db: Database, topic: TopicName, now: number, limit: number): number {
  const groups = (Object.keys(GROUPS) as GroupName[]).filter((group) => GROUPS[group] === topic);
  const end = (db.get<{ last: number | null }>(`SELECT max(offset) AS last FROM ${logTable(topic)}`)?.last ?? 0) + 1;
  const done = Math.min(end, ...groups.map((group) => committed(db, group)));
  return db.run(
    `DELETE FROM ${logTable(topic)} WHERE offset IN
       (SELECT offset FROM (SELECT offset, at FROM ${logTable(topic)} WHERE offset < ? ORDER BY offset LIMIT ?)
        WHERE at < ?)`,
    done,
    limit,
    now - TOPICS[topic].retention,
  );
}

/** Readers of each group in the order they came; the first one holds the partition (see `EventLog`). */
type ReaderQueues = Map<GroupName, object[]>;

interface ReaderParts extends Pick<EventLogParts, 'db' | 'signals' | 'move'> {
  queues: ReaderQueues;
}

function openReader(
  { db, move, signals, queues }: ReaderParts,
  group: GroupName,
  { onAssigned }: ReaderHooks,
): LogReader {
  const topic = GROUPS[group];
  const me = {};
  const queue = queues.get(group) ?? [];
  queues.set(group, queue);
  queue.push(me);
  let held = false;
  let next: number | null = null;
  let ahead: LogRecord[] = [];
  return {
    poll: async (limit, signal) => {
      while (!signal.aborted && !signals.closed) {
        if (queue[0] === me) {
          if (!held) onAssigned?.([PARTITION]);
          held = true;
          if (ahead.length === 0) ahead = readRows(db, topic, (next ??= committed(db, group)), READ_AHEAD);
          const rows = ahead.splice(0, limit);
          if (rows.length > 0) {
            next = rows.at(-1)!.offset + 1;
            return rows;
          }
        }
        await signals.wait(topic, LOOK_AGAIN, signal);
      }
      return [];
    },
    commit: (positions) => move(group, positions),
    close: async () => {
      const place = queue.indexOf(me);
      if (place >= 0) queue.splice(place, 1);
      signals.wake([topic]);
    },
  };
}

function readRows<T extends TopicName>(db: Database, topic: T, from: number, limit: number): LogRecord<T>[] {
  const rows = db.all<Row>(
    `SELECT offset, key, value, at FROM ${logTable(topic)} WHERE offset >= ? ORDER BY offset LIMIT ?`,
    from,
    limit,
  );
  return rows.map((row) => ({
    topic,
    partition: PARTITION,
    offset: row.offset,
    key: row.key,
    value: readValue(row.value) as RecordValues[T],
    at: row.at,
  }));
}

/** A damaged row must not stop its group: no handler knows this shape, so the record ends parked. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}

/** Moves the position of a group on, never back; inside a transaction. */
export function moveCursors(db: Database, group: GroupName, positions: readonly Position[]): void {
  for (const { next } of positions) {
    db.run(
      `INSERT INTO cursors (consumer, next) VALUES (?1, ?2)
       ON CONFLICT (consumer) DO UPDATE SET next = max(next, ?2)`,
      group,
      next,
    );
  }
}

/** Both in one transaction: a parked record is driven again once, however often and by how many it is asked for. */
function redrive(tx: Transaction, id: number): boolean {
  const row = tx.db.get<ParkedRow>('SELECT * FROM parked WHERE id = ?', id);
  if (!row) return false;
  tx.emit([{ topic: row.topic, key: row.key, value: readValue(row.value) } as OutgoingRecord]);
  tx.db.run('DELETE FROM parked WHERE id = ?', id);
  return true;
}
