import type { RecordBodies, RecordEntry, RecordKind } from '../../domain/people/records';

export type NewRecordEntry<K extends RecordKind = RecordKind> = Omit<RecordEntry<K>, 'version'>;

/** Which entries of a kind are listed: those of a user, of a workspace, or all. */
export interface RecordFilter {
  user?: string;
  workspaceId?: number;
}

/**
 * People, and what lets them in: users, memberships, sessions, links that work once, keys of the management API, drafts
 * of journeys, reports of imports, those of receivers about a domain, who is behind recipients' domains, how
 * destinations are paced, how domains are warmed up, and alarms. Few and small beside mail, so all kinds are entries of
 * one form. What has expired counts as gone.
 */
export interface RecordStore {
  /** Adds an entry in version 1. False, and nothing is written, if the id is taken by one that has not expired. */
  add<K extends RecordKind>(entry: NewRecordEntry<K>, now: number): Promise<boolean>;
  get<K extends RecordKind>(kind: K, id: string, now: number): Promise<RecordEntry<K> | null>;
  /** In the order of their ids, by code point, after `after`; at most `limit`. */
  list<K extends RecordKind>(
    kind: K,
    filter: RecordFilter,
    page: { after: string; limit: number; now: number },
  ): Promise<RecordEntry<K>[]>;
  /** Writes a change that was decided on `version`. False, and nothing is written, if it is gone or has changed. */
  change<K extends RecordKind>(
    entry: Pick<RecordEntry<K>, 'kind' | 'id' | 'version' | 'expiresAt'> & { body: RecordBodies[K] },
  ): Promise<boolean>;
  /** Removes an entry and returns it; of several callers one gets it, and the others null. */
  take<K extends RecordKind>(kind: K, id: string, now: number): Promise<RecordEntry<K> | null>;
  /** Removes the entries of a kind that belong to a user, but for the one with id `except`. Returns how many. */
  removeOf(kind: RecordKind, user: string, except: string | null): Promise<number>;
  /** Removes what had expired at `now`; at most `limit`. Returns how many. */
  trim(now: number, limit: number): Promise<number>;
}
