import { MongoClient, type Db } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';
import { PATIENCE, type Patience } from '../transactions/contention';
import { guard } from '../transactions/guard';

/** Longer than an election, so that a call during one succeeds afterwards, ms of real time. */
const TIMEOUT = 15_000;

export interface MongoOptions {
  /** `mongodb://host,host/?replicaSet=name`. A replica set, since transactions need one. */
  url: string;
  database: string;
  /** The limit of each wait: for a primary, for a response, or for a majority to have a write; ms of real time. */
  timeoutMS?: number;
  /** The limit for a response, when it should be longer; ms of real time. */
  answerMS?: number;
  /** How long to retry when other writes block a write that many callers share. */
  patience?: Patience;
  /** 0 <= n < 1. Spreads retries. */
  random?: () => number;
}

/** One client of one database. */
export interface Mongo {
  client: MongoClient;
  db: Db;
  timeoutMS: number;
  patience: Patience;
  random: () => number;
  /** False while no transaction may be committed; absent: always true. */
  mayWrite?: () => boolean;
  /** Aborts what is in progress. Every later call is refused with UnavailableError. */
  close(): Promise<void>;
}

/** The name by which the clients of a database identify themselves to the server. */
export const appName = (database: string): string => `kurir ${database}`;

/**
 * Connects. A write is acknowledged once a majority has it in its journal, and reads never see data that could be
 * rolled back; both override the URL. Rejects with UnavailableError when no primary answers in time.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { url, database, timeoutMS = TIMEOUT, answerMS = timeoutMS } = options;
  const { patience = PATIENCE, random = Math.random } = options;
  const client = new MongoClient(url, {
    appName: appName(database),
    // The driver's `timeoutMS` has no effect here: each wait has its own limit.
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
    // mongodb+srv: the hosts are first looked up in the DNS.
    const { syscall = '' } = error as NodeJS.ErrnoException;
    if (syscall.startsWith('query')) throw new UnavailableError((error as Error).message, { cause: error });
    throw error;
  }
  return { client, db: client.db(database), timeoutMS, patience, random, close: () => client.close() };
}
