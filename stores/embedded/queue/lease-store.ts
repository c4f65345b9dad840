import { RETIRED, type Lease, type LeaseStore } from '../../ports/lease-store';
import type { ShardLease } from '../../ports/send-queue';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';

const LEASE = new ColumnList<Lease>('leases', columns('name', 'owner', 'epoch', 'expiresAt'));

const readLease = (db: Database, name: string): Lease | null => LEASE.get(db, 'WHERE name = ?', name);

/** True while this owner holds the lease at this epoch. Fences every claim. */
export function holdsLease(db: Database, lease: ShardLease): boolean {
  const row = readLease(db, lease.name);
  return row !== null && row.owner === lease.owner && row.epoch === lease.epoch;
}

const extend = (db: Database, { name, owner, epoch }: ShardLease, until: number): boolean =>
  db.run('UPDATE leases SET expires_at = ? WHERE name = ? AND owner = ? AND epoch = ?', until, name, owner, epoch) ===
  1;

/** Embedded driver of LeaseStore. */
export function leaseStore(db: Database, commits: Commits): LeaseStore {
  return {
    acquire: (name, owner, now, ttl, above = 0) =>
      commits.write(() => {
        const row = readLease(db, name);
        if (row?.owner === RETIRED) return null;
        if (row && row.owner !== null && row.owner !== owner && row.expiresAt > now) return null;
        const epoch = Math.max(row?.epoch ?? 0, above) + 1;
        LEASE.replace(db, { name, owner, epoch, expiresAt: now + ttl });
        return epoch;
      }),
    renew: (name, owner, epoch, now, ttl) => commits.write(() => extend(db, { name, owner, epoch }, now + ttl)),
    renewAll: (leases, owner, now, ttl) =>
      commits.write(() => leases.filter((lease) => !extend(db, { ...lease, owner }, now + ttl)).length === 0),
    list: async () => LEASE.all(db, 'WHERE owner IS NOT ? ORDER BY name', RETIRED),
    release: (name, owner, epoch) =>
      commits.write(() => {
        db.run('UPDATE leases SET owner = NULL WHERE name = ? AND owner = ? AND epoch = ?', name, owner, epoch);
      }),
    remove: (name, owner, epoch) =>
      commits.write(() => {
        db.run('DELETE FROM leases WHERE name = ? AND owner = ? AND epoch = ?', name, owner, epoch);
      }),
    retire: (name) =>
      commits.write(() => {
        const epoch = (readLease(db, name)?.epoch ?? 0) + 1;
        LEASE.replace(db, { name, owner: RETIRED, epoch, expiresAt: 0 });
      }),
  };
}
