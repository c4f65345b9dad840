import { MongoServerError, type ClientSession, type Db } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guard } from './guard';

/** The server no longer has the data of that moment. */
const SNAPSHOT_TOO_OLD = 239;

/** Reads that all see one moment. Run them one at a time; their cursors may alternate. */
export interface Snapshot {
  db: Db;
  /** Pass it to every read. It names the level, since the client's level would override that of the session. */
  moment: { session: ClientSession; readConcern: { level: 'snapshot' } };
}

/**
 * Runs `work` with a snapshot that begins within the call. It is valid as long as the server keeps the history: five
 * minutes, unless its `minSnapshotHistoryWindowInSeconds` says otherwise. A longer one ends with UnavailableError.
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
    'MongoDB no longer has the data of the time being read: raise its parameter minSnapshotHistoryWindowInSeconds.',
    { cause: error },
  );

interface Cursor<T> {
  next(): Promise<T | null>;
  close(): Promise<void>;
}

/** The items of a cursor, in pages of `size`. */
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
