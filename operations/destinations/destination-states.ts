import { expiryOf, NEW_DESTINATION, type DestinationState } from '../../domain/destinations/destination-state';
import { NEW_PACE, type PaceState } from '../../domain/destinations/pace';
import type { WarmupState } from '../../domain/warmup/warmup-state';
import type { RecordBodies, RecordEntry } from '../../domain/people/records';
import { DAY } from '../../lib/clock';
import { UnavailableError } from '../../lib/errors';
import type { RecordStore } from '../../stores/ports/record-store';

/** More entries than this do not fit into one look; the others come first in the order of names. */
const MOST = 5_000;
/** Tries of a change that others overtake. */
const TRIES = 50;

type Store = Pick<RecordStore, 'get' | 'add' | 'change'>;
type Kind = 'destination' | 'destination_pace' | 'warmup_state';

/** A rule for a change: what is kept then, null for no change, and an answer for the caller. */
export type Rule<B, T, Before = B> = (body: Before) => { body: B | null; answer: T };
/** What stands for an entry that does not exist. */
type Fresh<K extends Kind> = RecordBodies[K] | (K extends 'warmup_state' ? null : never);

/** The destinations that are or were slowed or stopped, in the order of their ids. */
export const listStates = (records: Pick<RecordStore, 'list'>, now: number): Promise<RecordEntry<'destination'>[]> =>
  records.list('destination', {}, { after: '', limit: MOST, now });

/** Changes what is known of a destination by a rule. Resolves to its answer; rejects with the errors of the store. */
export const changeState = async <T>(
  records: Store,
  id: string,
  now: number,
  rule: Rule<DestinationState, T>,
): Promise<T> =>
  (await change(records, { kind: 'destination', id, now, fresh: NEW_DESTINATION, expiry: expiryOf }, rule)).answer;

/** The same of what a destination got. `known` saves a read when it is still that. */
export const changePace = <T>(
  records: Store,
  id: string,
  { now, known }: { now: number; known: RecordEntry<'destination_pace'> | undefined },
  rule: Rule<PaceState, T>,
): Promise<{ entry: RecordEntry<'destination_pace'> | null; answer: T }> =>
  change(records, { kind: 'destination_pace', id, now, known, fresh: NEW_PACE, expiry: paceExpiry }, rule);

/** What the pace of a destination is kept as over a sending server that is not the first. */
export const paceOver = (destination: string, server: string): string => `${destination}@${server}`;

/** The ids of the paces of a destination over the sending servers that are not the first. */
export async function otherPaces(
  records: Pick<RecordStore, 'list'>,
  destination: string,
  now: number,
): Promise<string[]> {
  const prefix = paceOver(destination, '');
  const listed = await records.list('destination_pace', {}, { after: prefix, limit: MOST, now });
  return listed.map(({ id }) => id).filter((id) => id.startsWith(prefix));
}

/** Nothing of it counts an hour after the last mail; mail that waits finds its plan. */
const paceExpiry = ({ planned }: PaceState, now: number): number =>
  Math.max(now, planned.bulk, planned.transactional) + DAY;

/**
 * The same of the warm-up of a domain at a destination; null: there is no entry yet. It stays until the warm-up ends,
 * or what has reached its goal would begin again.
 */
export const changeWarmup = <T>(
  records: Store,
  id: string,
  { now, known }: { now: number; known: RecordEntry<'warmup_state'> | undefined },
  rule: (before: WarmupState | null) => { body: WarmupState | null; answer: T },
): Promise<{ entry: RecordEntry<'warmup_state'> | null; answer: T }> =>
  change(records, { kind: 'warmup_state', id, now, known, fresh: null, expiry: () => null }, rule);

interface Place<K extends Kind> {
  kind: K;
  id: string;
  now: number;
  known?: RecordEntry<K> | undefined;
  fresh: Fresh<K>;
  expiry: (body: RecordBodies[K], now: number) => number | null;
}

async function change<K extends Kind, T>(
  records: Store,
  { kind, id, now, known, fresh, expiry }: Place<K>,
  rule: Rule<RecordBodies[K], T, RecordBodies[K] | Fresh<K>>,
): Promise<{ entry: RecordEntry<K> | null; answer: T }> {
  const nobody = { user: null, workspaceId: null };
  let entry = known ?? (await records.get(kind, id, now));
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { body, answer } = rule(entry?.body ?? fresh);
    if (body === null) return { entry, answer };
    const next = { kind, id, expiresAt: expiry(body, now), body };
    const version = entry?.version ?? 0;
    const isWritten = entry
      ? await records.change({ ...next, version })
      : await records.add({ ...next, ...nobody }, now);
    if (isWritten) return { entry: { ...next, ...nobody, version: version + 1 }, answer };
    entry = await records.get(kind, id, now);
  }
  throw new UnavailableError(`What is kept of ${id} changes all the time.`);
}
