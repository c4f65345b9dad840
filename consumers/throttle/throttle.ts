import type { Activity } from '../../lib/activity';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { sleep } from '../../lib/sleep';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import { ok } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';
import type { Logger } from '../../lib/logger';
import { Pacer, type Deferred, type PacerStores } from './pacer';
import { Shards } from './shards';

const TASK = 'throttle';
/** The most messages that are claimed and not yet being sent. More would only stay in `sending` for longer. */
const MAX_BACKLOG = 400;
/** Claims for one workspace before the next one has its turn (deficit round robin). */
const QUANTUM = 50;
/**
 * Wait for room in the backlog, ms of real time. Even at 2,000 mails a second, most of the backlog is still there
 * afterwards.
 */
const FULL_WAIT = 50;
/**
 * Real time between tries to take a shard that another process still holds. Leases held are renewed when it is time.
 */
const KEEP_EVERY = 1_000;
/** Real time between checks for workspaces whose wake-up was lost. */
const SWEEP_EVERY = 2_000;
const SWEEP_PAGE = 1_000;

export interface ThrottleDeps {
  stores: PacerStores & Pick<Stores, 'leases' | 'messages'>;
  clock: Clock;
  activity: Activity;
  /** The name of this process in the leases. */
  owner: string;
  logger: Logger;
  /** The shard of a workspace: the partition of `messages.accepted` that holds its records. */
  shardOf: (workspaceId: number) => number;
  /** Mails a minute of a premium account. */
  premiumPerMinute: number;
}

/**
 * The throttle (docs/architecture.md#pacing-and-claim). It wakes on accepted messages and claims in round robin among
 * the workspaces of its shards. The store is the queue; memory holds only the waiting workspaces and when to check
 * each.
 */
export class Throttle {
  readonly consumer: Consumer<'throttle'> = {
    group: 'throttle',
    concurrency: 1_000,
    handle: async ({ value: { workspaceId, messageId } }) => {
      // At once: to wake a workspace for nothing is harmless.
      this.wakeUp(workspaceId);
      const message = await this.deps.stores.messages.get(messageId);
      return message?.workspaceId === workspaceId ? ok : notInStore;
    },
    onAssigned: (partitions) => this.assigned(partitions.map(({ partition }) => partition)),
    onRevoked: (partitions) => this.revoked(partitions.map(({ partition }) => partition)),
  };

  private readonly shards: Shards;
  private readonly pacer: Pacer;
  /** Workspaces to check now, in turn. */
  private readonly ready = new Set<number>();
  /** Workspaces to check later, and when. */
  private readonly sleeping = new Map<number, Deferred>();
  private readonly claims: WorkerLoop;
  /** Maintains the shards, and finds workspaces whose wake-up was lost. */
  private readonly keeping: WorkerLoop;
  private readonly sweeping: WorkerLoop;
  /** The claims in progress for one workspace. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ThrottleDeps) {
    const { owner, clock, shardOf } = deps;
    this.shards = new Shards({ leases: deps.stores.leases, owner, clock, shardOf });
    this.pacer = new Pacer(deps.stores, this.shards, deps.clock, deps.premiumPerMinute);
    this.claims = new WorkerLoop({
      iterate: (signal) => this.claim(signal),
      onError: (err) => deps.logger.error({ err }, 'claiming failed; trying again'),
      task: { activity: deps.activity, name: TASK },
    });
    this.keeping = this.every(KEEP_EVERY, () => this.keepShards());
    this.sweeping = this.every(SWEEP_EVERY, () => this.sweep());
  }

  async start(): Promise<void> {
    await this.shards.maintain();
    await this.sweep();
    this.keeping.start(KEEP_EVERY);
    this.sweeping.start(SWEEP_EVERY);
    this.claims.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.keeping.stop(), this.sweeping.stop(), this.claims.stop()]);
    await this.shards.release(this.shards.yieldAll());
  }

  /** False while there is a workspace to check and room to claim for it. */
  async isIdle(): Promise<boolean> {
    return this.ready.size === 0 || (await this.room()) < QUANTUM;
  }

  /** Renews the leases on its shards when it is time (with `force` now), and takes those that are free. */
  async keepShards(force = false): Promise<void> {
    if (await this.shards.maintain(force)) await this.sweep();
  }

  /** The reader now reads these partitions: take their leases as soon as their last owner releases them. */
  private assigned(partitions: readonly number[]): void {
    if (this.claims.signal.aborted) return;
    this.shards.want(partitions);
    this.keepShards().catch((error: unknown) => this.logFailure(error));
  }

  /** Another process takes over: finish the claims in progress, release the leases, and forget the workspaces. */
  private async revoked(partitions: readonly number[]): Promise<void> {
    const leases = this.shards.yield(partitions);
    await this.turn;
    this.pacer.forgetOthers();
    for (const waiting of [this.ready, this.sleeping]) {
      for (const workspaceId of waiting.keys()) if (!this.shards.leaseOf(workspaceId)) waiting.delete(workspaceId);
    }
    await this.shards.release(leases).catch((error: unknown) => this.logFailure(error));
  }

  private logFailure(err: unknown): void {
    this.deps.logger.error({ err }, 'the throttle could not maintain its shards; trying again');
  }

  private wakeUp(workspaceId: number): void {
    if (this.ready.has(workspaceId)) return;
    // Its rate is used up: another message changes nothing, and a check for each would cost more than the claims.
    if (this.sleeping.get(workspaceId)?.paced) return;
    this.sleeping.delete(workspaceId);
    this.ready.add(workspaceId);
    this.claims.wake();
  }

  private async claim(signal: AbortSignal): Promise<Rest> {
    this.wakeSleepers();
    if (this.ready.size === 0) return this.untilNextLook();
    await this.round(signal);
    return 'again';
  }

  private async round(signal: AbortSignal): Promise<void> {
    for (const workspaceId of [...this.ready]) {
      const room = await this.room();
      if (signal.aborted) return;
      // Small claims would cost a commit each. Wait until a whole turn fits, whatever else is accepted meanwhile.
      if (room < QUANTUM) {
        await this.deps.activity.waiting(TASK, sleep(FULL_WAIT, signal));
        return;
      }
      this.ready.delete(workspaceId);
      const turn = this.pacer.turn(workspaceId, QUANTUM);
      this.turn = turn.catch(() => undefined);
      const { nextCheck } = await turn;
      if (nextCheck === 'now') this.ready.add(workspaceId);
      else if (nextCheck !== 'when woken' && !this.ready.has(workspaceId)) this.sleeping.set(workspaceId, nextCheck);
    }
  }

  private async room(): Promise<number> {
    return MAX_BACKLOG - (await this.deps.stores.queue.backlog(MAX_BACKLOG));
  }

  private wakeSleepers(): void {
    const now = this.deps.clock.now();
    for (const [workspaceId, { lookAt }] of this.sleeping) {
      if (lookAt > now) continue;
      this.sleeping.delete(workspaceId);
      this.ready.add(workspaceId);
    }
  }

  private untilNextLook(): Rest {
    let [due, look] = [Infinity, Infinity];
    for (const { at, lookAt } of this.sleeping.values()) {
      due = Math.min(due, at);
      look = Math.min(look, lookAt);
    }
    return (signal) => this.deps.clock.until(due, signal, look);
  }

  /** Finds waiting workspaces in the store: after a takeover, and when a wake-up was lost. */
  private async sweep(): Promise<void> {
    for (let after = 0; ;) {
      const found = await this.deps.stores.queue.workspacesWaiting(after, SWEEP_PAGE);
      for (const workspaceId of found) {
        if (this.shards.leaseOf(workspaceId) && !this.sleeping.has(workspaceId)) this.wakeUp(workspaceId);
      }
      if (found.length < SWEEP_PAGE) return;
      after = found.at(-1)!;
    }
  }

  private every(ms: number, work: () => Promise<void>): WorkerLoop {
    const iterate = async (): Promise<Rest> => {
      await work();
      return ms;
    };
    return new WorkerLoop({ iterate, onError: (error) => this.logFailure(error), backoff: { first: ms } });
  }
}
