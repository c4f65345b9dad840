import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { ShardLease } from '../../stores/ports/send-queue';

/** After a death the partitions of an owner are assigned anew within ten seconds; its leases are over by then too. */
const TTL = 10 * SECOND;
/** Well below the life of a lease, ms. */
const RENEW_EVERY = 2.5 * SECOND;

/** What the leases on shards are called; the number follows. */
export const SHARD_LEASES = 'throttle/';

export interface ShardDeps {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'release'>;
  /** Name of this process in the leases. */
  owner: string;
  clock: Clock;
  /** The shard of a workspace: the partition its records of `messages.accepted` lie in. */
  shardOf: (workspaceId: number) => number;
}

/**
 * The leases this process holds on shards of workspaces (docs/architecture.md#pacing-and-claim). Which shards it is to
 * hold follows the assignment of its reader; that it may claim for one is proved by the lease alone.
 */
export class Shards {
  private readonly wanted = new Set<number>();
  private readonly held = new Map<number, ShardLease & { renewedAt: number }>();
  private upkeep: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ShardDeps) {}

  /** Proof for claims of this workspace, or null when its shard is not ours. */
  leaseOf(workspaceId: number): ShardLease | null {
    return this.held.get(this.deps.shardOf(workspaceId)) ?? null;
  }

  /** A claim was fenced off: somebody else owns the shard by now. */
  lost(workspaceId: number): void {
    this.held.delete(this.deps.shardOf(workspaceId));
  }

  /** These are to be ours; `maintain` takes them as soon as they are free. */
  want(shards: readonly number[]): void {
    for (const shard of shards) this.wanted.add(shard);
  }

  /** These are ours no longer: from now on no claim gets their proof. Answers the leases, to be released after the last claim. */
  yield(shards: readonly number[]): ShardLease[] {
    return shards.flatMap((shard) => {
      this.wanted.delete(shard);
      const lease = this.held.get(shard);
      this.held.delete(shard);
      return lease ? [lease] : [];
    });
  }

  /** All of them, as with `yield`. */
  yieldAll(): ShardLease[] {
    return this.yield([...this.wanted]);
  }

  async release(leases: readonly ShardLease[]): Promise<void> {
    await Promise.all(leases.map(({ name, owner, epoch }) => this.deps.leases.release(name, owner, epoch)));
  }

  /** Renews what is held, `force`d even if it was a moment ago, and takes what is free; answers whether anything was gained. */
  maintain(force = false): Promise<boolean> {
    const keepAll = async (): Promise<boolean> => {
      const gained = await Promise.all([...this.wanted].map((shard) => this.keep(shard, force)));
      return gained.includes(true);
    };
    // One at a time: of two that take the same lease the later would fence the earlier off.
    const upkeep = this.upkeep.then(keepAll);
    this.upkeep = upkeep.catch(() => undefined);
    return upkeep;
  }

  private async keep(shard: number, force: boolean): Promise<boolean> {
    const { leases, owner, clock } = this.deps;
    const now = clock.now();
    const lease = this.held.get(shard);
    if (lease) {
      // How often is a matter of real time; the end of a lease is not.
      const renewedAt = performance.now();
      if (!force && renewedAt - lease.renewedAt < RENEW_EVERY) return false;
      if (await leases.renew(lease.name, owner, lease.epoch, now, TTL)) {
        lease.renewedAt = renewedAt;
        return false;
      }
      if (this.held.get(shard) === lease) this.held.delete(shard);
    }
    return this.take(shard, now);
  }

  private async take(shard: number, now: number): Promise<boolean> {
    if (!this.wanted.has(shard)) return false;
    const { leases, owner } = this.deps;
    const name = `${SHARD_LEASES}${shard}`;
    const renewedAt = performance.now();
    const epoch = await leases.acquire(name, owner, now, TTL);
    if (epoch === null) return false;
    if (!this.wanted.has(shard)) {
      // Given up while it was asked for.
      await leases.release(name, owner, epoch);
      return false;
    }
    this.held.set(shard, { name, owner, epoch, renewedAt });
    return true;
  }
}
