import { MongoError, type ClientSession, type TransactionOptions } from 'mongodb';
import { Backoff } from '../../../lib/backoff';
import { UnavailableError } from '../../../lib/errors';
import { sleep } from '../../../lib/sleep';
import type { Mongo } from '../database/client';
import { ContentionError, isContention, patienceOf, type Attempt } from './contention';
import { guard, isClosed, isDuplicate, isUnavailable } from './guard';

const options = ({ timeoutMS }: Mongo): TransactionOptions => ({
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMS },
  readPreference: 'primary',
});
/** Waits between two tries; each wait is a random part of it. */
const backoffOf = ({ random }: Mongo): Backoff => new Backoff({ first: 8, longest: 250, jitter: random });
/** A unique key still violated after this many tries is not a race. */
const MAX_DUPLICATES = 5;

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

const mayPass = (error: unknown): boolean => isContention(error) || hasLabel(error, 'TransientTransactionError');

/**
 * Runs the work in a transaction with snapshot reads and majority commit. It runs again, after a growing random wait,
 * when it conflicted with another write (or throws Conflict), when the primary changed, and when a unique key was
 * violated: another commit came between our read and our write, so the next read shows it. So the work must write only
 * through the session, and await the session's calls one by one. Retries end when the client's time is over. Then, or
 * when the outcome of the commit stays unknown, it throws UnavailableError. It throws ContentionError when only other
 * writes were in the way for all that time, or for as long as an attempt of a group may take (`how`).
 */
export async function transact<T>(
  mongo: Mongo,
  work: (session: ClientSession) => Promise<T>,
  how?: Attempt,
): Promise<T> {
  const deadline = performance.now() + mongo.timeoutMS;
  const patience = how ? patienceOf(mongo, how) : mongo.timeoutMS;
  let contendsUntil: number | null = null;
  let duplicates = 0;
  let backoff: Backoff | undefined;
  for (;;) {
    try {
      return await attempt(mongo, work, deadline);
    } catch (error) {
      duplicates += isDuplicate(error) ? 1 : 0;
      contendsUntil = isContention(error) ? (contendsUntil ?? Math.min(performance.now() + patience, deadline)) : null;
      if (contendsUntil !== null && performance.now() >= contendsUntil) {
        throw new ContentionError('Other writes hold the same data. Try again.', { cause: error });
      }
      const retry = isDuplicate(error) ? duplicates < MAX_DUPLICATES : mayPass(error);
      if (!retry || performance.now() >= deadline) return guard(() => Promise.reject(error as Error));
      backoff ??= backoffOf(mongo);
      await sleep(backoff.next());
    }
  }
}

async function attempt<T>(mongo: Mongo, work: (session: ClientSession) => Promise<T>, deadline: number): Promise<T> {
  const session = await guard(async () => mongo.client.startSession());
  try {
    session.startTransaction(options(mongo));
    const value = await work(session);
    // A frozen process may wake here, after others have considered it dead.
    if (mongo.mayWrite?.() === false) throw new UnavailableError('The lease of this process has expired.');
    await commit(mongo, session, deadline);
    return value;
  } catch (error) {
    // If this abort fails, the server ends the transaction by itself.
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw error;
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

/** Committing again is safe: the server returns the result of the first commit. */
async function commit(mongo: Mongo, session: ClientSession, deadline: number): Promise<void> {
  let backoff: Backoff | undefined;
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      // Certainly undone: the whole work may run again.
      if (hasLabel(error, 'TransientTransactionError')) throw error;
      if (!isUnavailable(error)) throw error;
      if (performance.now() >= deadline || isClosed(error)) {
        throw new UnavailableError('MongoDB did not say whether it committed.', { cause: error });
      }
      backoff ??= backoffOf(mongo);
      await sleep(backoff.next());
    }
  }
}
