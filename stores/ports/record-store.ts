import type { RecordEntry, RecordKind, RecordOwner, Written } from '../../domain/records/record';

export type NewRecord<B, K extends keyof RecordOwner = never> = Written<B, K> & { id: string };

/**
 * Which records of a kind are listed: all, or those of an owner (null: that belong to none), with ids that begin with
 * `prefix` or lie behind `after`.
 */
export type RecordFilter<K extends keyof RecordOwner = never> = {
  prefix?: string;
  after?: string;
  /** At most so many. */
  limit?: number;
} & { [key in K]?: RecordOwner[key] };

/** `known` saves a read when it is still that. An owner counts where the record is added. */
export type RecordChange<B, K extends keyof RecordOwner = never> = {
  now: number;
  known?: RecordEntry<B> | undefined;
} & Partial<Omit<Written<B, K>, 'body'>>;

/**
 * Small records of any subject, few beside mail: people and what lets them in, drafts, reports, paces, warm-ups,
 * alarms. Each subject declares its kinds (domain/records/record.ts). What has expired counts as gone.
 */
export interface RecordStore {
  /** Adds a record in version 1. Null, and nothing is written, if the id is taken by one that has not expired. */
  add<B, K extends keyof RecordOwner>(
    kind: RecordKind<B, K>,
    entry: NewRecord<B, K>,
    now: number,
  ): Promise<RecordEntry<B> | null>;
  get<B>(kind: RecordKind<B, keyof RecordOwner>, id: string, now: number): Promise<RecordEntry<B> | null>;
  /** In the order of their ids, by code point. */
  list<B, K extends keyof RecordOwner>(
    kind: RecordKind<B, K>,
    filter: RecordFilter<K>,
    now: number,
  ): Promise<RecordEntry<B>[]>;
  /**
   * Writes what `rule` makes of the body of a record, or adds it where there was none (null). Decided again when
   * another write was first, so `rule` may be called more than once. Nothing is written if `rule` says null, which is
   * the answer then, or returns the body that it got, the same object: then the record stays as it is, its end too, and
   * is the answer (`known`, where that is given, though it may be old). Rejects with OvertakenError when it changes all
   * the time.
   */
  change<B, K extends keyof RecordOwner>(
    kind: RecordKind<B, K>,
    id: string,
    rule: (before: B | null) => B | null,
    how: RecordChange<B, K>,
  ): Promise<RecordEntry<B> | null>;
  /** Writes a change that was decided on `held`. Null, and nothing is written, if that is gone or has changed. */
  replace<B>(
    kind: RecordKind<B, keyof RecordOwner>,
    held: RecordEntry<B>,
    written: Written<B>,
    now: number,
  ): Promise<RecordEntry<B> | null>;
  /** Removes a record and returns it; of several callers one gets it, and the others null. */
  take<B>(kind: RecordKind<B, keyof RecordOwner>, id: string, now: number): Promise<RecordEntry<B> | null>;
  /** Removes the records of a kind that belong to a user, but for the one with id `except`. Returns how many. */
  removeOf<B, K extends keyof RecordOwner>(
    kind: RecordKind<B, K>,
    user: 'user' extends K ? string : never,
    except: string | null,
  ): Promise<number>;
  /** Removes what had expired at `now`; at most `limit`. Returns how many. */
  trim(now: number, limit: number): Promise<number>;
}
