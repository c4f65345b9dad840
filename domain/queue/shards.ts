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
