import { MongoServerError, type ClientSession, type Db } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guard } from './guard';

/** The server no longer has what the data was like at that moment. */
const SNAPSHOT_TOO_OLD = 239;

/** Reads that all see one moment. One at a time, though their cursors may take turns. */
export interface Snapshot {
  db: Db;
  /** Goes with every read. The level is named: the client's own would win over the session's. */
  moment: { session: ClientSession; readConcern: { level: 'snapshot' } };
}

/**
 * Hands `work` a snapshot, which begins within the call. It holds for as long as the server keeps the past: five minutes unless
 * its `minSnapshotHistoryWindowInSeconds` says otherwise; a longer one ends with UnavailableError.
 */
export async function inSnapshot<T>(mongo: Mongo, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const session = await guard(async () => mongo.client.startSession({ snapshot: true }));
  const moment: Snapshot['moment'] = { session, readConcern: { level: 'snapshot' } };
  try {
    // The first read fixes the moment.
    await guard(() => documents(mongo.db, 'meta').findOne({}, moment));
    return await work({ db: mongo.db, moment });
  } catch (error) {
    throw isTooOld(error) ? tooOld(error) : error;
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

const isTooOld = (error: unknown): boolean =>
  error instanceof UnavailableError && error.cause instanceof MongoServerError && error.cause.code === SNAPSHOT_TOO_OLD;

const tooOld = (error: unknown): UnavailableError =>
  new UnavailableError(
    'MongoDB no longer has the moment that is being read: raise its parameter minSnapshotHistoryWindowInSeconds.',
    { cause: error },
  );

interface Cursor<T> {
  next(): Promise<T | null>;
  close(): Promise<void>;
}

/** What a cursor gives, in pages of `size`. */
export async function* pages<T>(cursor: Cursor<T>, size: number): AsyncGenerator<T[]> {
  try {
    for (;;) {
      const page = await guard(() => takeUpTo(cursor, size));
      if (page.length > 0) yield page;
      if (page.length < size) return;
    }
  } finally {
    await cursor.close();
  }
}

async function takeUpTo<T>(cursor: Cursor<T>, size: number): Promise<T[]> {
  const page: T[] = [];
  while (page.length < size) {
    const item = await cursor.next();
    if (item === null) break;
    page.push(item);
  }
  return page;
}
