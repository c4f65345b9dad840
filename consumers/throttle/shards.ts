import { lastEpochBefore, shardLease, SHARD_TOPIC } from '../../domain/queue/shards';
import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { ShardLease } from '../../stores/ports/send-queue';
import type { Partitions } from '../../streams/partitions';

/** When an owner dies, its partitions are reassigned within ten seconds. Its leases have ended by then too. */
const TTL = 10 * SECOND;
/** Well below the lease's lifetime, ms. */
const RENEW_EVERY = 2.5 * SECOND;

export interface ShardDeps {
  leases: Pick<LeaseStore, 'acquire' | 'renew' | 'renewAll' | 'release'>;
  /** The name of this process in the leases. */
  owner: string;
  clock: Clock;
  /** The partitions of the log, which tell the shard of a workspace. */
  partitions: () => Pick<Partitions, 'of' | 'count' | 'growths'>;
}

/**
 * The leases this process holds on shards of workspaces (docs/architecture.md#pacing-and-claim). The assignment of its
 * reader decides which shards it should hold. Only the lease proves that it may claim for one.
 */
export class Shards {
  private readonly wanted = new Set<number>();
  private readonly held = new Map<number, ShardLease & { renewedAt: number }>();
  private upkeep: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ShardDeps) {}

  /** The proof for claims of this workspace, or null when this process does not hold its shard. */
  leaseOf(workspaceId: number): ShardLease | null {
    return this.held.get(this.of(workspaceId)) ?? null;
  }

  /** The shard of a workspace. */
  of(workspaceId: number): number {
    return this.deps.partitions().of(SHARD_TOPIC, String(workspaceId));
  }

  /** A claim was fenced off: another process owns the shard now. */
  lost({ name, epoch }: ShardLease): void {
    for (const [shard, lease] of this.held) if (lease.name === name && lease.epoch === epoch) this.held.delete(shard);
  }

  /** The shards whose leases this process holds. */
  holding(): number[] {
    return [...this.held.keys()];
  }

  /** Adds shards to hold; `maintain` takes them as soon as they are free. */
  want(shards: readonly number[]): void {
    for (const shard of shards) this.wanted.add(shard);
  }

  /** Gives up these shards: no new claim gets their proof. Returns the leases, to be released after the last claim. */
  yield(shards: readonly number[]): ShardLease[] {
    return shards.flatMap((shard) => {
      this.wanted.delete(shard);
      const lease = this.held.get(shard);
      this.held.delete(shard);
      return lease ? [lease] : [];
    });
  }

  /** Gives up all shards, as `yield` does. */
  yieldAll(): ShardLease[] {
    return this.yield([...this.wanted]);
  }

  async release(leases: readonly ShardLease[]): Promise<void> {
    await Promise.all(leases.map(({ name, owner, epoch }) => this.deps.leases.release(name, owner, epoch)));
  }

  /**
   * Renews the leases held (with `force` even those renewed a moment ago) and takes those that are free. Returns the
   * shards that were gained.
   */
  maintain(force = false): Promise<number[]> {
    const keepAll = async (): Promise<number[]> => {
      const shards = [...this.wanted];
      // Otherwise one of them is lost: then each is renewed alone.
      const areRenewed = await this.renewHeld(force);
      const gained = await Promise.all(shards.map((shard) => this.keep(shard, force && !areRenewed)));
      return shards.filter((_, n) => gained[n]);
    };
    // One run at a time: if two runs took the same lease, the later would fence off the earlier.
    const upkeep = this.upkeep.then(keepAll);
    this.upkeep = upkeep.catch(() => undefined);
    return upkeep;
  }

  /** Renews the leases held, in one request. False when one of them is lost, or none is due. */
  private async renewHeld(force: boolean): Promise<boolean> {
    const { leases, owner, clock } = this.deps;
    // How often to renew is a matter of real time; the end of a lease is not.
    const renewedAt = performance.now();
    const due = [...this.held.values()].filter((lease) => force || renewedAt - lease.renewedAt >= RENEW_EVERY);
    if (due.length === 0 || !(await leases.renewAll(due, owner, clock.now(), TTL))) return false;
    for (const lease of due) lease.renewedAt = renewedAt;
    return true;
  }

  private async keep(shard: number, force: boolean): Promise<boolean> {
    const { leases, owner, clock } = this.deps;
    const now = clock.now();
    const lease = this.held.get(shard);
    if (lease) {
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
    const partitions = this.deps.partitions();
    const name = shardLease(partitions.count(SHARD_TOPIC), shard);
    const above = lastEpochBefore(partitions.growths(SHARD_TOPIC));
    const renewedAt = performance.now();
    const epoch = await leases.acquire(name, owner, now, TTL, above);
    if (epoch === null) return false;
    if (!this.wanted.has(shard)) {
      // The shard was given up while its lease was being taken.
      await leases.release(name, owner, epoch);
      return false;
    }
    this.held.set(shard, { name, owner, epoch, renewedAt });
    return true;
  }
}
