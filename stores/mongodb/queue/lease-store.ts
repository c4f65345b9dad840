import type { LeaseStore } from '../../ports/lease-store';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded, isDuplicate } from '../transactions/guard';

/** MongoDB driver of LeaseStore. */
export function leaseStore(mongo: Mongo): LeaseStore {
  const leases = documents(mongo.db, 'leases');
  return guarded<LeaseStore>(
    {
      acquire: (name, owner, now, ttl) => acquire(mongo, name, owner, now, ttl),
      renew: async (name, owner, epoch, now, ttl) => {
        return compareAndSet(leases, { _id: name, owner, epoch }, { $set: { expiresAt: now + ttl } });
      },
      list: async () =>
        (await leases.find().sort({ _id: 1 }).toArray()).map(({ _id: name, owner, epoch, expiresAt }) => ({
          name,
          owner,
          epoch,
          expiresAt,
        })),
      release: async (name, owner, epoch) => {
        await leases.updateOne({ _id: name, owner, epoch }, { $set: { owner: null } });
      },
      remove: async (name, owner, epoch) => {
        await leases.deleteOne({ _id: name, owner, epoch });
      },
    },
    mongo.timeoutMS,
  );
}

async function acquire(mongo: Mongo, name: string, owner: string, now: number, ttl: number): Promise<number | null> {
  const take = (upsert: boolean) =>
    documents(mongo.db, 'leases').findOneAndUpdate(
      { _id: name, $or: [{ owner: null }, { owner }, { expiresAt: { $lte: now } }] },
      { $set: { owner, expiresAt: now + ttl }, $inc: { epoch: 1 } },
      { upsert, returnDocument: 'after' },
    );
  try {
    return (await take(true))?.epoch ?? null;
  } catch (error) {
    // The insert failed: another owner holds the lease, or created it at the same time. Then try to take the existing
    // one.
    if (isDuplicate(error)) return (await take(false))?.epoch ?? null;
    throw error;
  }
}
