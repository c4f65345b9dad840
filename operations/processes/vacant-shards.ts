import { shardLease } from '../../domain/queue/shards';
import type { Lease } from '../../stores/ports/lease-store';

/** The shards of workspaces (of `count`) whose lease no process holds at `now`, ms. */
export function vacantShards(leases: readonly Lease[], count: number, now: number): number[] {
  const held = new Set(
    leases.filter(({ owner, expiresAt }) => owner !== null && expiresAt > now).map(({ name }) => name),
  );
  return Array.from({ length: count }, (_, shard) => shard).filter((shard) => !held.has(shardLease(count, shard)));
}

/** A sentence about shards without an owner; null when there are none. */
export function describeVacant(shards: readonly number[], count: number): string | null {
  if (shards.length === 0) return null;
  const which = shards.length === count ? `any of the ${count} shards` : `shard ${shards.join(', ')} of ${count}`;
  return `no working process holds ${which} of workspaces (role throttle): their messages stay queued`;
}
