/** What a record may belong to, and is listed by: a user, by address, and a workspace. Null: to none. */
export interface RecordOwner {
  user: string | null;
  workspaceId: number | null;
}

/** A record of the store: small, and read and written as a whole. */
export interface RecordEntry<B = unknown> extends RecordOwner {
  /** The name of its kind. */
  kind: string;
  /** Unique within its kind. */
  id: string;
  /** ms; it is gone from then on. Null: never. */
  expiresAt: number | null;
  /** Counts its changes, from 1. */
  version: number;
  body: B;
}

/** What is written of a record. `expiresAt`: left out, the rule of its kind says, else it stays as it was. */
export type Written<B, K extends keyof RecordOwner = never> = { body: B; expiresAt?: number | null | undefined } & Pick<
  RecordOwner,
  K
>;

/** What the store does with all records of a kind. */
export interface RecordRules<B> {
  /** When a record is of no use any more, ms; null: never. */
  expiresAt?: (body: B, now: number) => number | null;
  /** A record of the future, by a clock that was ahead, as a right clock would have it; null: it is right. */
  setBack?: (entry: RecordEntry<B>, now: number) => Written<B> | null;
}

/** A kind of record, declared by its subject: its body, and what it belongs to (`K`), which it can be listed by. */
export interface RecordKind<B, K extends keyof RecordOwner = never> extends RecordRules<B> {
  /** As it is stored; unique. */
  readonly name: string;
  readonly owners?: K;
}

/** Declares a kind of record. What older releases have stored under its name must still be a `B`. */
export const record = <B, K extends keyof RecordOwner = never>(
  name: string,
  rules: RecordRules<B> = {},
): RecordKind<B, K> => ({ name, ...rules });

/** `setBack` by a rule for the body alone. */
export const bodySetBack =
  <B>(rule: (body: B, now: number) => B | null): NonNullable<RecordRules<B>['setBack']> =>
  ({ body: before }, now) => {
    const body = rule(before, now);
    return body && { body };
  };
