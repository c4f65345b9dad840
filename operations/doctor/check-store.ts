import { randomUUID } from 'node:crypto';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { Check } from './check';

const NAME = 'doctor';

/** Checks that the store takes a write: files opened earlier may refuse what the folder still allows. */
export async function checkStore(leases: Pick<LeaseStore, 'acquire' | 'release'>, now: number): Promise<Check> {
  const owner = randomUUID();
  try {
    const epoch = await leases.acquire(NAME, owner, now, 1);
    if (epoch !== null) await leases.release(NAME, owner, epoch);
    return { check: 'store', status: 'ok', detail: 'writable' };
  } catch (error) {
    return { check: 'store', status: 'wrong', detail: `not writable: ${(error as Error).message}` };
  }
}
