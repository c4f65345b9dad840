import { MongoClient, type Db } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';
import { PATIENCE, type Patience } from '../transactions/contention';
import { guard } from '../transactions/guard';

/** Longer than an election, so that a call that meets one is answered after it, ms of real time. */
const TIMEOUT = 15_000;

export interface MongoOptions {
  /** `mongodb://host,host/?replicaSet=name`; a replica set, since transactions need one. */
  url: string;
  database: string;
  /** How long to wait for a primary, for an answer, or for a majority to have a write, each; ms of real time. */
  timeoutMS?: number;
  /** How long to wait for an answer, where that is longer; ms of real time. */
  answerMS?: number;
  /** How long to try again where other writes are in the way of a write that many share. */
  patience?: Patience;
  /** 0 <= n < 1; spreads retries. */
  random?: () => number;
}

/** One client of one database. */
export interface Mongo {
  client: MongoClient;
  db: Db;
  timeoutMS: number;
  patience: Patience;
  random: () => number;
  /** Ends what is under way; every later call is refused with UnavailableError. */
  close(): Promise<void>;
}

/** How the clients of a database name themselves to the server. */
export const appName = (database: string): string => `kurir ${database}`;

/**
 * Connects. A write is acknowledged when a majority has it in its journal, and nothing is read that could be rolled back; both
 * overrule what the URL says. Rejects with UnavailableError when no primary answers within the time.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { url, database, timeoutMS = TIMEOUT, answerMS = timeoutMS } = options;
  const { patience = PATIENCE, random = Math.random } = options;
  const client = new MongoClient(url, {
    appName: appName(database),
    // The driver's `timeoutMS` has no effect: each wait has its own limit.
    serverSelectionTimeoutMS: timeoutMS,
    connectTimeoutMS: timeoutMS,
    waitQueueTimeoutMS: timeoutMS,
    socketTimeoutMS: answerMS,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMS },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
  });
  try {
    await guard(() => client.connect());
  } catch (error) {
    await client.close();
    // mongodb+srv: the hosts are looked up in the DNS first.
    const { syscall = '' } = error as NodeJS.ErrnoException;
    if (syscall.startsWith('query')) throw new UnavailableError((error as Error).message, { cause: error });
    throw error;
  }
  return { client, db: client.db(database), timeoutMS, patience, random, close: () => client.close() };
}

/** The same of a database that is open already. */
export const openedOn = (db: Db): Mongo => ({
  client: db.client,
  db,
  timeoutMS: TIMEOUT,
  patience: PATIENCE,
  random: Math.random,
  close: () => db.client.close(),
});
