import type { Clock } from '../../domain/clock';
import { SECOND } from '../../domain/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { ShardLease } from '../../stores/ports/send-queue';

/** Workspaces are spread over so many shards; each has one owner at a time. */
export const SHARDS = 16;
const TTL = 15 * SECOND;
/** Real time between renewals, well below the life of a lease. */
export const RENEW_EVERY = 4 * SECOND;

/** The shard a workspace belongs to. */
export const shardOf = (workspaceId: number): number => workspaceId % SHARDS;

/** The leases this process holds on shards of workspaces (DESIGN 3.3). */
export class Shards {
  private readonly held = new Map<number, ShardLease>();

  constructor(
    private readonly leases: LeaseStore,
    private readonly owner: string,
    private readonly clock: Clock,
  ) {}

  /** Proof for claims of this workspace, or null when its shard is not ours. */
  leaseOf(workspaceId: number): ShardLease | null {
    return this.held.get(shardOf(workspaceId)) ?? null;
  }

  /** A claim was fenced off: somebody else owns the shard by now. */
  lost(workspaceId: number): void {
    this.held.delete(shardOf(workspaceId));
  }

  /** Renews what is held and takes what is free; answers whether anything was gained. */
  async maintain(): Promise<boolean> {
    let gained = false;
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const lease = this.held.get(shard);
      if (lease && (await this.leases.renew(lease.name, this.owner, lease.epoch, this.clock.now(), TTL))) continue;
      this.held.delete(shard);
      const name = `throttle/${shard}`;
      const epoch = await this.leases.acquire(name, this.owner, this.clock.now(), TTL);
      if (epoch === null) continue;
      this.held.set(shard, { name, owner: this.owner, epoch });
      gained = true;
    }
    return gained;
  }

  async release(): Promise<void> {
    for (const lease of this.held.values()) await this.leases.release(lease.name, lease.owner, lease.epoch);
    this.held.clear();
  }
}
