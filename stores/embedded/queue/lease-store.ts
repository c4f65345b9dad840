import type { LeaseStore } from '../../ports/lease-store';
import type { ShardLease } from '../../ports/send-queue';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';

interface Row {
  owner: string | null;
  epoch: number;
  expires_at: number;
}

const readLease = (db: Database, name: string): Row | undefined =>
  db.get<Row>('SELECT owner, epoch, expires_at FROM leases WHERE name = ?', name);

/** True while this owner holds the lease at this epoch. Fences every claim. */
export function holdsLease(db: Database, lease: ShardLease): boolean {
  const row = readLease(db, lease.name);
  return row !== undefined && row.owner === lease.owner && row.epoch === lease.epoch;
}

/** Embedded driver of LeaseStore. */
export function leaseStore(db: Database, commits: Commits): LeaseStore {
  return {
    acquire: (name, owner, now, ttl) =>
      commits.write(() => {
        const row = readLease(db, name);
        if (row && row.owner !== null && row.owner !== owner && row.expires_at > now) return null;
        const epoch = (row?.epoch ?? 0) + 1;
        db.run(
          'INSERT OR REPLACE INTO leases (name, owner, epoch, expires_at) VALUES (?, ?, ?, ?)',
          name,
          owner,
          epoch,
          now + ttl,
        );
        return epoch;
      }),
    renew: (name, owner, epoch, now, ttl) =>
      commits.write(
        () =>
          db.run(
            'UPDATE leases SET expires_at = ? WHERE name = ? AND owner = ? AND epoch = ?',
            now + ttl,
            name,
            owner,
            epoch,
          ) === 1,
      ),
    list: async () =>
      db
        .all<Row & { name: string }>('SELECT name, owner, epoch, expires_at FROM leases ORDER BY name')
        .map(({ expires_at: expiresAt, ...lease }) => ({ ...lease, expiresAt })),
    release: (name, owner, epoch) =>
      commits.write(() => {
        db.run('UPDATE leases SET owner = NULL WHERE name = ? AND owner = ? AND epoch = ?', name, owner, epoch);
      }),
    remove: (name, owner, epoch) =>
      commits.write(() => {
        db.run('DELETE FROM leases WHERE name = ? AND owner = ? AND epoch = ?', name, owner, epoch);
      }),
  };
}
