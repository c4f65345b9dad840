import { acceptMessages, type Accepted } from './accept-messages';
import type { AcceptDeps } from './accept-deps';
import type { AcceptRequest } from './accept-request';
import { Refusal } from './refusal';
import type { Logger } from '../../../lib/logger';

export interface AcceptWholeDeps extends AcceptDeps {
  logger: Pick<Logger, 'error'>;
}

/**
 * Accepts messages in one commit. Once one of them is accepted, a penalty of another that cannot be recorded must not
 * undo the answer: the caller would send all of them again. It is logged then.
 */
export async function acceptWhole(
  deps: AcceptWholeDeps,
  requests: readonly AcceptRequest[],
): Promise<(Accepted | Refusal)[]> {
  const failures: unknown[] = [];
  const publish: AcceptDeps['log']['publish'] = async (records) => {
    try {
      await deps.log.publish(records);
    } catch (cause) {
      failures.push(cause);
    }
  };
  const results = await acceptMessages({ ...deps, log: { publish } }, requests);
  if (failures.length === 0) return results;
  const [cause] = failures;
  if (results.every((result) => result instanceof Refusal)) throw cause;
  deps.logger.error(
    { err: cause },
    'the penalty of a refused message was not booked: others in the batch were accepted',
  );
  return results;
}
