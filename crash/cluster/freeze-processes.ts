import { SECOND } from '../../lib/clock';
import type { Lease } from '../../stores/ports/lease-store';
import type { Installation } from '../installation';
import { sleep } from '../../lib/sleep';
import type { Member } from './member';
import type { Scenario } from './scenario';

const FROZEN = 60 * SECOND;
const AFTER = 10 * SECOND;

/** Freezes one process of each role that holds leases or partitions for a minute, then lets it continue. */
export const freezeProcesses: Scenario = {
  about: 'a throttle, a dispatch and a timers process are frozen for 60 s (SIGSTOP) and then continue',
  async run({ processes, installation, progress }) {
    const frozen = ['throttle', 'dispatch', 'timers'].map((role) => processes.withRole(role)[0] as Member);
    const before = await shardOwners(installation);
    progress(`freeze ${frozen.map(({ name }) => name).join(', ')}`);
    for (const member of frozen) member.freeze();
    await sleep(FROZEN);
    const during = await shardOwners(installation);
    for (const member of frozen) member.thaw();
    progress('continue');
    await sleep(AFTER);
    const faults = [];
    if (before.size !== 2) faults.push(`${before.size} processes held the shards before, not 2`);
    if (during.size !== 1) faults.push(`${during.size} processes held the shards while one of two was frozen, not 1`);
    return faults;
  },
};

/** The owners of shard leases that have not expired. */
async function shardOwners(installation: Installation): Promise<Set<string>> {
  const engine = await installation.open();
  try {
    const leases = await engine.stores.leases.list();
    const held = ({ name, owner, expiresAt }: Lease): boolean =>
      name.startsWith('throttle/') && owner !== null && expiresAt > Date.now();
    return new Set(leases.filter(held).map(({ owner }) => owner ?? ''));
  } finally {
    await engine.close();
  }
}
