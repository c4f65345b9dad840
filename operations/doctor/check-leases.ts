import { shardLease } from '../../domain/queue/shards';
import { describeVacant, vacantShards } from '../processes/vacant-shards';
import { MINUTE } from '../../lib/clock';
import { formatDuration } from '../../lib/duration';
import type { Lease, LeaseStore } from '../../stores/ports/lease-store';
import type { Check } from './check';

/** No lease is taken for longer than this. One that ends later was taken by a clock ahead of this one. */
const LONGEST = MINUTE;

/** Who holds the `shards` shards of workspaces. While a service runs, each must be held. */
export async function checkLeases(
  leases: Pick<LeaseStore, 'list'>,
  shards: number,
  now: number,
  running: boolean,
): Promise<{ leases: Lease[]; checks: Check[] }> {
  const all = await leases.list();
  const names = new Set(Array.from({ length: shards }, (_, shard) => shardLease(shards, shard)));
  const held = all.filter(({ name, owner, expiresAt }) => names.has(name) && owner !== null && expiresAt > now);
  const owners = [...new Set(held.map(({ owner }) => owner ?? ''))];
  const by = owners.length > 0 ? `, by ${owners.join(', ')}` : '';
  const vacant = describeVacant(vacantShards(all, shards, now), shards);
  const checks: Check[] = [
    {
      check: 'shards',
      status: held.length === shards ? 'ok' : running ? 'wrong' : 'note',
      detail: `${held.length} of ${shards} workspace shards are held${by}${running && vacant ? `; ${vacant}` : ''}`,
    },
  ];
  const ahead = Math.max(0, ...all.filter(({ owner }) => owner !== null).map(({ expiresAt }) => expiresAt - now));
  const back = `a lease ends in ${formatDuration(ahead)}: the clock of this machine is behind the service's`;
  if (ahead > LONGEST) checks.push({ check: 'clock', status: 'wrong', detail: back });
  return { leases: all, checks };
}
