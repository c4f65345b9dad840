import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { BusyError, DuplicateError, UnavailableError } from '../../../lib/errors';
import { wrapEachMethod } from '../../../lib/wrap-methods';
import { ANSWER_LIMIT, withAnswerLimit } from './answer-limit';

/**
 * Server codes that mean "not now" rather than "wrong": unreachable hosts, elections, recovery, shutdown, time limits,
 * killed operations, write conflicts, a full disk, a write concern or snapshot that is not available at the moment.
 */
const UNAVAILABLE_CODES = new Set([
  6, 7, 11, 24, 43, 50, 63, 64, 79, 89, 91, 100, 112, 133, 134, 150, 175, 189, 202, 208, 237, 239, 246, 251, 262, 290,
  384, 9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436, 14031,
]);
const UNAVAILABLE_LABELS = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'SystemOverloadedError',
];
/** Of a client that was closed: no later call on it works. */
const CLOSED_TYPES = [MongoNotConnectedError, MongoClientClosedError, MongoTopologyClosedError];
const UNAVAILABLE_TYPES = [
  MongoNetworkError,
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoWriteConcernError,
  MongoServerClosedError,
  ...CLOSED_TYPES,
];
/** The driver does not export the class. */
const WAIT_QUEUE_TIMEOUT = 'MongoWaitQueueTimeoutError';
const BUSY =
  'MongoDB: no connection was free in time. MongoDB or this machine is busy: try again, and if this continues, check the load of both and maxPoolSize in MONGODB_URL.';
export const DUPLICATE_KEY = 11_000;

/** True for a violated unique key. */
export function isDuplicate(error: unknown): boolean {
  return (error instanceof MongoServerError || error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;
}

/** True when the client was closed, so that no retry on it can work. */
export const isClosed = (error: unknown): boolean => CLOSED_TYPES.some((type) => error instanceof type);

/** True when a later retry may work. It is then unknown whether the write was done. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (UNAVAILABLE_TYPES.some((type) => error instanceof type) || error.name === WAIT_QUEUE_TIMEOUT) return true;
  if (UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  // The driver wraps the lost connection of a bulk write, and the wrapper says nothing of it.
  if (error instanceof MongoBulkWriteError && isUnavailable(error.errorResponse)) return true;
  return typeof error.code === 'number' && UNAVAILABLE_CODES.has(error.code);
}

/** The error that the ports promise. An error that is neither "not now" nor known stays as it is. */
function translate(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  if (error instanceof MongoError && error.name === WAIT_QUEUE_TIMEOUT) return new BusyError(BUSY, { cause: error });
  return new UnavailableError(`MongoDB cannot be used right now: ${(error as Error).message}`, { cause: error });
}

/** Runs the work. An error of MongoDB that means "not now" becomes UnavailableError. */
export async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

/** Runs an insert. A violated unique key becomes DuplicateError with the given text. */
export async function orDuplicate<T>(message: string, insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (isDuplicate(error)) throw new DuplicateError(message, { cause: error });
    throw error;
  }
}

/** How often each caller may lose to another when several upsert the same document at once. */
const MAX_LOST = 5;

/**
 * Runs an upsert. When two find nothing at the same time, one gets a duplicate key error although both want the same
 * document. That one retries and finds what the other wrote.
 */
export async function upserting<T>(work: () => Promise<T>): Promise<T> {
  for (let lost = 0; ; lost += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicate(error) || lost === MAX_LOST) throw error;
    }
  }
}

/** Longer than a call may wait for others in its group and then for its own commit. */
const CALL_LIMIT = 2 * ANSWER_LIMIT;

/**
 * Wraps every method of the port in `guard`, and ends it with UnavailableError after `limit` ms of real time; null:
 * never. All methods must return promises.
 */
export function guarded<T extends object>(port: T, limit: number | null = CALL_LIMIT): T {
  const answered = (work: Promise<unknown>): Promise<unknown> => (limit === null ? work : withAnswerLimit(work, limit));
  return wrapEachMethod(
    port,
    () =>
      (method) =>
      (...args) =>
        guard(() => answered(method(...args))),
  );
}
