import type { Deadlines } from '../../stores/ports/deadlines';
import type { EventLog } from '../../streams/event-log';

/** More than throttles ever have claimed at once. */
const MAX_CLAIMS = 10_000;

/**
 * Writes the dispatch records of claims before the fence again: those whose lease ends at `leaseUntil` (ms) or earlier.
 * An extra record is harmless: only one hand-off of a claim passes the fence.
 */
export async function redispatch(
  deps: { stores: { deadlines: Pick<Deadlines, 'unfenced'> }; log: Pick<EventLog, 'publish'> },
  leaseUntil: number,
): Promise<number> {
  const claims = await deps.stores.deadlines.unfenced(leaseUntil, MAX_CLAIMS);
  if (claims.length > 0) {
    await deps.log.publish(claims.map((value) => ({ topic: 'messages.dispatch', key: value.messageId, value })));
  }
  return claims.length;
}
