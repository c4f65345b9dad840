import { shardLease } from '../../../domain/queue/shards';
import type { Lease } from '../../../stores/ports/lease-store';
import { withData, type Installation } from '../installation';

/** The owners of the leases on `count` shards that have not expired, by lease. */
export async function shardOwners(installation: Installation, count: number): Promise<Map<string, string>> {
  const names = new Set(Array.from({ length: count }, (_, shard) => shardLease(count, shard)));
  const leases = await withData(installation, ({ stores }) => stores.leases.list());
  const held = ({ name, owner, expiresAt }: Lease): boolean =>
    names.has(name) && owner !== null && expiresAt > Date.now();
  return new Map(leases.filter(held).map(({ name, owner }) => [name, owner ?? '']));
}
