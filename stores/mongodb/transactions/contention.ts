import { MongoError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { UnavailableError } from '../../../lib/errors';

const WRITE_CONFLICT = 112;
const TIME_LIMIT = 50;

/** Somebody else held for too long what one write was about; the store itself can be had, so others are not concerned. */
export class ContentionError extends UnavailableError {}

/** Thrown by the work of a transaction when what it read outside no longer holds: it looks again. */
export class Conflict extends UnavailableError {}

/** True when another write was in the way. By the code: the driver leaves out labels in some of its errors. */
export const isContention = (error: unknown): boolean =>
  error instanceof Conflict || (error instanceof MongoError && error.code === WRITE_CONFLICT);

/** True for a single write that had waited for another one when its `maxTimeMS` was over; it was not done. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof MongoServerError && !(error instanceof MongoWriteConcernError) && error.code === TIME_LIMIT;

/** How a group commits: all callers of a batch share the attempt, or each has one of his own after that one failed. */
export interface Attempt {
  alone: boolean;
}

/** How long an attempt may contend with other writes, ms of real time. */
export interface Patience {
  shared: number;
  alone: number;
}

/** A shared attempt gives up early, since the lone ones follow. */
export const PATIENCE: Patience = { shared: 3_000, alone: 2_000 };

/** Of who works beside a service for a moment, with nobody waiting behind; shorter than a client waits for one answer. */
export const PATIENCE_BESIDE: Patience = { shared: 12_000, alone: 12_000 };

/** How long this attempt may, on this client. */
export const patienceOf = ({ patience }: { patience: Patience }, { alone }: Attempt): number =>
  alone ? patience.alone : patience.shared;
