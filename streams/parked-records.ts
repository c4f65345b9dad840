import type { ParkedRecord } from './event-log';

/**
 * Where a log that cannot keep parked records itself puts them: a list by id. Ids grow with the order of adding.
 * A record is driven again by whoever took it, published it and removes it then: a crash in between leaves it on the list.
 */
export interface ParkedRecords {
  add(record: Omit<ParkedRecord, 'id'>): Promise<void>;
  /** By id, those after record `after` where it is given; taken ones too, until they are removed. */
  list(limit: number, after?: number): Promise<ParkedRecord[]>;
  /**
   * The record, when there is one and nobody else holds it at `now` (ms): it is held for `ttl` ms by `by`, a name that no other
   * call uses. Of many at once one gets it.
   */
  take(id: number, by: string, now: number, ttl: number): Promise<ParkedRecord | null>;
  /** Takes the record off the list while `by` holds it; does nothing otherwise. */
  remove(id: number, by: string): Promise<void>;
}
