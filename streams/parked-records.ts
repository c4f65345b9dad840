import type { ParkedRecord } from './event-log';

/**
 * Where a log that cannot store parked records itself keeps them: a list by id. Ids grow in the order of adding. To
 * drive a record again, take it, publish it, then remove it: a crash in between leaves it on the list.
 */
export interface ParkedRecords {
  add(record: Omit<ParkedRecord, 'id'>): Promise<void>;
  /** In order of id, those after record `after` when it is given; including taken ones, until they are removed. */
  list(limit: number, after?: number): Promise<ParkedRecord[]>;
  /**
   * Takes the record if it exists and no other caller holds it at `now` (ms). It is then held for `ttl` ms by `by`, a
   * name that no other call uses. Of many concurrent calls, one gets it.
   */
  take(id: number, by: string, now: number, ttl: number): Promise<ParkedRecord | null>;
  /** Removes the record from the list if `by` holds it; otherwise does nothing. */
  remove(id: number, by: string): Promise<void>;
}
