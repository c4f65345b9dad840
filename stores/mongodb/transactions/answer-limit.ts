import { UnavailableError } from '../../../lib/errors';
import { withTimeout } from '../../../lib/with-timeout';

/**
 * A call without an answer after this long will never get one, ms of real time. The driver's own limits do not cover a
 * call whose connection closes during the write: it waits for the socket to drain, and a closed socket never reports
 * that.
 */
export const ANSWER_LIMIT = 30_000;

/**
 * Waits for the work for at most `ms` of real time, then rejects with UnavailableError. The work continues in the
 * background.
 */
export const withAnswerLimit = <T>(work: Promise<T>, ms = ANSWER_LIMIT): Promise<T> =>
  withTimeout(work, ms, { error: () => new UnavailableError(`not done in ${ms} ms`) });
