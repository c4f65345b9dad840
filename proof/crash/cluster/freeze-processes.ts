import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Member } from './member';
import type { Scenario } from './scenario';
import { shardOwners } from './shard-owners';

const FROZEN = 60 * SECOND;
const AFTER = 10 * SECOND;

/** Freezes one process of each role that holds leases or partitions for a minute, then lets it continue. */
export const freezeProcesses: Scenario = {
  about: 'a throttle, a dispatch and a timers process are frozen for 60 s (SIGSTOP) and then continue',
  async run({ processes, installation, progress }) {
    const frozen = ['throttle', 'dispatch', 'timers'].map((role) => processes.withRole(role)[0] as Member);
    const owners = async (): Promise<number> => new Set((await shardOwners(installation)).values()).size;
    const before = await owners();
    progress(`freeze ${frozen.map(({ name }) => name).join(', ')}`);
    for (const member of frozen) member.freeze();
    await sleep(FROZEN);
    const during = await owners();
    for (const member of frozen) member.thaw();
    progress('continue');
    await sleep(AFTER);
    const faults = [];
    if (before !== 2) faults.push(`${before} processes held the shards before, not 2`);
    if (during !== 1) faults.push(`${during} processes held the shards while one of two was frozen, not 1`);
    return faults;
  },
};
