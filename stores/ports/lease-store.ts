export interface Lease {
  name: string;
  owner: string | null;
  epoch: number;
  /** ms */
  expiresAt: number;
}

/** Named leases with an epoch that grows at every change of hands. */
export interface LeaseStore {
  /**
   * Takes the lease when it is free, has expired, or is the owner's already (an earlier life of the same owner): answers
   * the new epoch. Null when somebody else holds it.
   */
  acquire(name: string, owner: string, now: number, ttl: number): Promise<number | null>;
  /** Prolongs it; false when the epoch is no longer the owner's. */
  renew(name: string, owner: string, epoch: number, now: number, ttl: number): Promise<boolean>;
  /** Every lease that was ever taken and not removed, by name; owner null = released. Expired ones are among them. */
  list(): Promise<Lease[]>;
  release(name: string, owner: string, epoch: number): Promise<void>;
  /** Deletes it, when the epoch is the owner's: for a name that nobody will take again, such as that of a process. */
  remove(name: string, owner: string, epoch: number): Promise<void>;
}
