import type { Lease } from '../../../stores/ports/lease-store';
import type { Installation } from '../installation';

/** The owners of shard leases that have not expired, by shard. */
export async function shardOwners(installation: Installation): Promise<Map<string, string>> {
  const engine = await installation.open();
  try {
    const leases = await engine.stores.leases.list();
    const held = ({ name, owner, expiresAt }: Lease): boolean =>
      name.startsWith('throttle/') && owner !== null && expiresAt > Date.now();
    return new Map(leases.filter(held).map(({ name, owner }) => [name, owner ?? '']));
  } finally {
    await engine.close();
  }
}
