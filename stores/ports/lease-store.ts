export interface Lease {
  name: string;
  owner: string | null;
  epoch: number;
  /** ms */
  expiresAt: number;
}

/** The owner of a lease that was retired: no process has this name. */
export const RETIRED = '(retired)';

/** Named leases with an epoch that grows whenever the owner changes. */
export interface LeaseStore {
  /**
   * Takes the lease if it is free, has expired, or already belongs to the owner (from an earlier run). Returns the new
   * epoch, which is larger than `above`, or null if another owner holds it.
   */
  acquire(name: string, owner: string, now: number, ttl: number, above?: number): Promise<number | null>;
  /** Extends the lease. False if the owner no longer holds this epoch. */
  renew(name: string, owner: string, epoch: number, now: number, ttl: number): Promise<boolean>;
  /** Extends each of the leases that the owner holds with this epoch. False if one of them is not. */
  renewAll(leases: readonly Pick<Lease, 'name' | 'epoch'>[], owner: string, now: number, ttl: number): Promise<boolean>;
  /**
   * Every lease that was ever taken and neither removed nor retired, by name, including expired ones. Owner null =
   * released.
   */
  list(): Promise<Lease[]>;
  release(name: string, owner: string, epoch: number): Promise<void>;
  /**
   * Deletes the lease if the owner holds this epoch. For a name that will not be used again, such as that of a process.
   */
  remove(name: string, owner: string, epoch: number): Promise<void>;
  /** Ends the lease for good, whoever holds it: nobody can take or renew it, and work by it is fenced off. */
  retire(name: string): Promise<void>;
}
