import { UnavailableError } from '../../../lib/errors';
import { withTimeout } from '../../../lib/with-timeout';

/**
 * What is still unanswered after so long never will be, ms of real time. The driver's own limits do not cover a call whose
 * connection closes while it is written: it waits for the socket to drain, and a closed one does not say that it never will.
 */
export const ANSWER_LIMIT = 30_000;

/** Waits for the work, for `ms` of real time at most; then it rejects with UnavailableError, and the work goes on alone. */
export const withAnswerLimit = <T>(work: Promise<T>, ms = ANSWER_LIMIT): Promise<T> =>
  withTimeout(work, ms, { error: () => new UnavailableError(`not done in ${ms} ms`) });
