import { RETIRED, type Lease, type LeaseStore } from '../../ports/lease-store';
import { compareAndSet, upsertAndRead } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents, type LeaseDocument } from '../database/documents';
import { guarded, isDuplicate } from '../transactions/guard';

/** What `list` finds. */
export const LISTED = { owner: { $ne: RETIRED } };
export const leaseOf = ({ _id: name, owner, epoch, expiresAt }: LeaseDocument): Lease => ({
  name,
  owner,
  epoch,
  expiresAt,
});

/** MongoDB driver of LeaseStore. */
export function leaseStore(mongo: Mongo): LeaseStore {
  const leases = documents(mongo.db, 'leases');
  return guarded<LeaseStore>(
    {
      acquire: (name, owner, now, ttl, above = 0) => acquire(mongo, { name, owner, expiresAt: now + ttl }, now, above),
      renew: async (name, owner, epoch, now, ttl) => {
        return compareAndSet(leases, { _id: name, owner, epoch }, { $set: { expiresAt: now + ttl } });
      },
      renewAll: async (held, owner, now, ttl) => {
        const each = held.map(({ name: _id, epoch }) => ({ _id, epoch }));
        const ours = { _id: { $in: each.map(({ _id }) => _id) }, owner, $or: each };
        return (await leases.updateMany(ours, { $set: { expiresAt: now + ttl } })).matchedCount === held.length;
      },
      list: async () => (await leases.find(LISTED).sort({ _id: 1 }).toArray()).map(leaseOf),
      release: async (name, owner, epoch) => {
        await leases.updateOne({ _id: name, owner, epoch }, { $set: { owner: null } });
      },
      remove: async (name, owner, epoch) => {
        await leases.deleteOne({ _id: name, owner, epoch });
      },
      retire: (name) => retire(mongo, name),
    },
    mongo.timeoutMS,
  );
}

async function retire(mongo: Mongo, name: string): Promise<void> {
  const change = { $set: { owner: RETIRED, expiresAt: 0 }, $inc: { epoch: 1 } };
  await upsertAndRead(documents(mongo.db, 'leases'), { _id: name }, change);
}

async function acquire(
  mongo: Mongo,
  { name, owner, expiresAt }: Omit<Lease, 'epoch'>,
  now: number,
  above: number,
): Promise<number | null> {
  const epoch = { $add: [{ $max: [{ $ifNull: ['$epoch', 0] }, above] }, 1] };
  const take = (upsert: boolean) =>
    documents(mongo.db, 'leases').findOneAndUpdate(
      { _id: name, owner: { $ne: RETIRED }, $or: [{ owner: null }, { owner }, { expiresAt: { $lte: now } }] },
      [{ $set: { owner: { $literal: owner }, expiresAt, epoch } }],
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
