import { expiryOf, type DestinationState } from '../../domain/destinations/destination-state';
import type { PaceState } from '../../domain/destinations/pace';
import { clearedPace, stateSetBack } from '../../domain/destinations/set-back';
import { bodySetBack, record, type RecordEntry, type RecordKind } from '../../domain/records/record';
import { DAY } from '../../lib/clock';
import type { RecordStore } from '../../stores/ports/record-store';

/** What slows or stops a destination. */
export const DESTINATIONS = record<DestinationState>('destination', {
  expiresAt: expiryOf,
  setBack: bodySetBack(stateSetBack),
});
/** What a destination got. Nothing of it counts an hour after the last mail; mail that waits finds its plan. */
export const DESTINATION_PACES = record<PaceState>('destination_pace', {
  expiresAt: ({ planned }, now) => Math.max(now, planned.bulk, planned.transactional) + DAY,
  setBack: bodySetBack(clearedPace),
});

/** More entries than this do not fit into one look; the others come first in the order of names. */
const MAX = 5_000;

/** The destinations that are or were slowed or stopped, in the order of their ids. */
export const listStates = (records: Pick<RecordStore, 'list'>, now: number): Promise<RecordEntry<DestinationState>[]> =>
  records.list(DESTINATIONS, { limit: MAX }, now);

/** What the pace of a destination is kept as over a sending server that is not the first. */
export const paceOver = (destination: string, server: string): string => `${destination}@${server}`;

/** The ids of the paces of a destination over the sending servers that are not the first. */
export async function otherPaces(
  records: Pick<RecordStore, 'list'>,
  destination: string,
  now: number,
): Promise<string[]> {
  const listed = await records.list(DESTINATION_PACES, { prefix: paceOver(destination, ''), limit: MAX }, now);
  return listed.map(({ id }) => id);
}

/**
 * Changes a record by a rule that has an answer for the caller, too. Resolves to the answer, and the record as it is
 * then. `known` saves a read when it is still that.
 */
export async function changeByRule<B, T>(
  records: Pick<RecordStore, 'change'>,
  kind: RecordKind<B>,
  id: string,
  when: { now: number; known?: RecordEntry<B> | undefined },
  rule: (before: B | null) => { body: B; answer: T },
): Promise<{ entry: RecordEntry<B>; answer: T }> {
  let answer!: T;
  const entry = await records.change(kind, id, (before) => ({ answer } = rule(before)).body, when);
  // It is null only for a rule that says null.
  return { entry: entry!, answer };
}
