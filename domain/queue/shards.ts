/** Its partitions are the shards of workspaces. */
export const SHARD_TOPIC = 'messages.accepted';

/** What the names of all shard leases begin with. */
export const SHARD_LEASES = 'throttle/';
/** Counts of the one shard of the embedded engine, and of clusters whose count never changed. */
const UNNAMED: readonly number[] = [1, 8];

/**
 * The name of the lease on a shard. Another count has other leases, since a workspace then belongs to another shard:
 * they may not be held side by side.
 */
export const shardLease = (count: number, shard: number): string =>
  UNNAMED.includes(count) ? `${SHARD_LEASES}${shard}` : `${SHARD_LEASES}${count}/${shard}`;

/** More than a lease is ever taken. */
const EPOCHS = 2 ** 32;

/**
 * No lease on a shard had a larger epoch before the shards became more for the last time of so many. What an owner
 * notes with its epoch so takes the place of what the last owner of a shard with the same number noted, whose lease was
 * another one.
 */
export const lastEpochBefore = (growths: number): number => growths * EPOCHS;
