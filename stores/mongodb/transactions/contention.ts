import { MongoError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';

const WRITE_CONFLICT = 112;
const TIME_LIMIT = 50;

/** Another caller held the data of one write for too long. The store itself works, so other calls are not affected. */
export class ContentionError extends UnavailableError {}

/** Thrown by the work of a transaction when something it read outside no longer holds; the transaction runs again. */
export class Conflict extends UnavailableError {}

/** True when another write was in the way. Uses the code, since the driver leaves out labels in some of its errors. */
export const isContention = (error: unknown): boolean =>
  error instanceof Conflict || (error instanceof MongoError && error.code === WRITE_CONFLICT);

/** True for a single write that was still waiting for another one at the end of its `maxTimeMS`; it was not done. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof MongoServerError && !(error instanceof MongoWriteConcernError) && error.code === TIME_LIMIT;

/** How a group commits: all callers of a batch share the attempt, or, after that failed, each has its own. */
export interface Attempt {
  alone: boolean;
}

/** How long an attempt may contend with other writes, ms of real time. */
export interface Patience {
  shared: number;
  alone: number;
}

/** A shared attempt gives up early, since the single ones follow. */
export const PATIENCE: Patience = { shared: 3_000, alone: 2_000 };

/**
 * For a process that works next to a service for a moment, with no callers waiting. Shorter than a client waits for one
 * answer.
 */
export const PATIENCE_BESIDE: Patience = { shared: 12_000, alone: 12_000 };

/** How long this attempt may take on this client. */
export const patienceOf = ({ patience }: { patience: Patience }, { alone }: Attempt): number =>
  alone ? patience.alone : patience.shared;
