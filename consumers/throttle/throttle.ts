import { MAIL_CLASSES } from '../../domain/destinations/pace';
import type { Activity } from '../../lib/activity';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Deferred } from '../../stores/ports/wakeup-store';
import { wibDay } from '../../domain/wib';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { EventLog } from '../../streams/event-log';
import type { LogRecord } from '../../streams/records';
import { ok, type Result } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';
import type { Logger } from '../../lib/logger';
import { Backlog, type BacklogCount, type ByClass } from './backlog';
import { DestinationGate, type GateSettings } from './destination-gate';
import { Pacer, type NextCheck, type PacerStores } from './pacer';
import { SHARD_TOPIC } from '../../domain/queue/shards';
import { Shards } from './shards';
import { Waiting } from './waiting';

const TASK = 'throttle';
const TURN = 'turn of a workspace';
const REVOKED = 'The shard of the workspace is given up.';
const STOPPED = 'The throttle has stopped.';
/**
 * The most messages of a class that are claimed and not yet being sent, for each dispatch process: half a second of its
 * work at 50 ms an answer. More would only stay in `sending` for longer, before mail that is urgent.
 */
const BACKLOG_EACH = 200;
/** The same over all processes, however few dispatch: the turns of one throttle. */
const LEAST_BACKLOG = 400;
/** Workspaces that have their turn at the same time. */
const TURNS = 8;
/** What turns may claim during a count. */
const MARGIN = 400;
/**
 * Real time between tries to take a shard that another process still holds. Leases held are renewed when it is time.
 */
const KEEP_EVERY = 1_000;
/** Real time between looks for lost wake-ups, for purchases and for a new cap of the platform. */
const SWEEP_EVERY = 5_000;
/**
 * The first pass over all workspaces goes on when fewer than this wait for their turn, ms of real time between looks.
 */
const FEW = 1_000;
const FEW_WAIT = 100;

export interface ThrottleDeps {
  stores: PacerStores & Pick<Stores, 'leases' | 'messages' | 'wakeups' | 'records'>;
  clock: Clock;
  activity: Activity;
  /** The name of this process in the leases. */
  owner: string;
  logger: Logger;
  log: Pick<EventLog, 'partitions' | 'publish'>;
  /** Null: mail is not paced by destination. */
  destinations: GateSettings | null;
  /** How many processes hand mail over. Default: one. */
  dispatchers?: () => number;
  /** The connections of each to the sending server. Default: few. */
  connections?: number;
}

/**
 * The throttle (docs/architecture.md#inside-the-throttle has who calls whom and owns what). It wakes on accepted
 * messages and claims in round robin among the workspaces of its shards. The store is the queue, and has a row for each
 * workspace that waits; memory holds only those that are due soon. The record of a wake-up is done when its workspace
 * rests or has a row.
 */
export class Throttle {
  readonly consumer: Consumer<'throttle'> = {
    group: 'throttle',
    concurrency: 1_000,
    handle: async (record) => {
      if (this.isMoved(record)) return this.passOn(record);
      const { workspaceId, messageId, bulk } = record.value;
      // At once: to wake a workspace for nothing is harmless.
      const settled = this.waiting.wakeUp(workspaceId, bulk ? 'bulk' : 'transactional');
      settled.catch(() => undefined);
      const message = await this.deps.stores.messages.get(messageId);
      if (message?.workspaceId !== workspaceId) return notInStore;
      await settled;
      return ok;
    },
    onAssigned: (partitions) => this.assigned(partitions.map(({ partition }) => partition)),
    onRevoked: (partitions) => this.revoked(partitions.map(({ partition }) => partition)),
    onStop: () => this.waiting.pending.refuse(() => true, STOPPED),
  };

  private readonly shards: Shards;
  private readonly pacer: Pacer;
  private readonly waiting: Waiting;
  private readonly backlog: Backlog;
  private readonly mostClaimed: () => number;
  /** The platform's day is used up: under this cap, until then. */
  private full: { platformCap: number; at: number } | null = null;
  /** What a turn threw. */
  private failure: { error: unknown } | null = null;
  private readonly turns = new Map<number, Promise<void>>();
  private readonly claims: WorkerLoop;
  /** Maintains the shards. */
  private readonly keeping: WorkerLoop;
  /** Finds workspaces whose wake-up was lost, or whose wait may have ended. */
  private readonly sweeping: WorkerLoop;

  constructor(private readonly deps: ThrottleDeps) {
    const { owner, clock, log, stores, logger, destinations, dispatchers = () => 1, connections = 0 } = deps;
    this.shards = new Shards({ leases: stores.leases, owner, clock, partitions: () => log.partitions() });
    const gate = destinations && new DestinationGate({ ...stores, ...destinations });
    this.pacer = new Pacer(stores, this.shards, clock, gate);
    this.waiting = new Waiting({
      stores,
      clock,
      logger,
      shards: this.shards,
      isInTurn: (workspaceId) => this.turns.has(workspaceId),
      isUsedUp: (workspaceId, kind) => this.pacer.isUsedUp(workspaceId, kind),
      wake: () => this.claims.wake(),
    });
    this.mostClaimed = () => Math.max(LEAST_BACKLOG, BACKLOG_EACH * dispatchers());
    this.backlog = new Backlog(
      this.mostClaimed,
      () => connections * dispatchers(),
      () => this.count(),
    );
    this.claims = new WorkerLoop({
      iterate: (signal) => this.claim(signal),
      onError: (err) => logger.error({ err }, 'claiming messages failed; trying again'),
      task: { activity: deps.activity, name: TASK },
    });
    this.keeping = this.every(KEEP_EVERY, () => this.keepShards());
    this.sweeping = this.every(SWEEP_EVERY, () => this.sweep());
  }

  async start(): Promise<void> {
    this.waiting.rows.start();
    await this.keepShards();
    this.keeping.start(KEEP_EVERY);
    this.sweeping.start();
    this.claims.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.keeping.stop(), this.sweeping.stop(), this.claims.stop()]);
    await Promise.all(this.turns.values());
    await this.waiting.rows.stop().catch((error: unknown) => this.logFailure(error));
    await this.shards.release(this.shards.yieldAll());
  }

  /** False while there is a workspace to check and room to claim for it. */
  async isIdle(): Promise<boolean> {
    if (this.turns.size > 0) return false;
    const isWaiting = this.waiting.ready.size > 0 && !this.isFull(this.deps.clock.now());
    return !isWaiting || !(await this.backlog.hasRoom(this.waiting.ready.waiting));
  }

  /** Renews the leases on its shards when it is time (with `force` now), and takes those that are free. */
  async keepShards(force = false): Promise<void> {
    const gained = await this.shards.maintain(force);
    if (gained.length > 0 || this.waiting.ahead.isBehind) await this.gained(gained);
    this.waiting.coverWakers();
  }

  /** It was written before the topic grew, and lies in a partition that is not the shard of its workspace any more. */
  private isMoved({ key, partition }: LogRecord<'messages.accepted'>): boolean {
    const partitions = this.deps.log.partitions();
    return partition !== partitions.of(SHARD_TOPIC, key) && partitions.everOf(SHARD_TOPIC, key).has(partition);
  }

  /** The owner of the shard reads it where it is written now. */
  private async passOn({ topic, key, value, forGroup }: LogRecord<'messages.accepted'>): Promise<Result> {
    await this.deps.log.publish([{ topic, key, value, ...(forGroup && { forGroup }) }]);
    return ok;
  }

  /** The reader now reads these partitions: take their leases as soon as their last owner releases them. */
  private assigned(partitions: readonly number[]): void {
    if (this.claims.signal.aborted) return;
    this.shards.want(partitions);
    this.keepShards().catch((error: unknown) => this.logFailure(error));
  }

  private async gained(shards: readonly number[]): Promise<void> {
    this.sweeping.wake();
    await this.waiting.gained(shards);
    this.sweeping.wake();
    this.claims.wake();
  }

  /** Another process takes over: finish the claims in progress, release the leases, and forget the workspaces. */
  private async revoked(partitions: readonly number[]): Promise<void> {
    const leases = this.shards.yield(partitions);
    const isGiven = (workspaceId: number): boolean => partitions.includes(this.shards.of(workspaceId));
    // Their records go to the next reader.
    this.waiting.pending.refuse(isGiven, REVOKED);
    await Promise.all(this.turns.values());
    this.pacer.forgetOthers();
    await this.waiting.forget(isGiven).catch((error: unknown) => this.logFailure(error));
    await this.shards.release(leases).catch((error: unknown) => this.logFailure(error));
  }

  private logFailure(err: unknown): void {
    this.deps.logger.error({ err }, 'the throttle could not maintain its shards; trying again');
  }

  private async claim(signal: AbortSignal): Promise<Rest> {
    const failed = this.failure;
    this.failure = null;
    if (failed) throw failed.error;
    const now = this.deps.clock.now();
    await this.waiting.wakeDue(now);
    if (!this.isFull(now) && !(await this.startTurns(signal))) return this.backlog.nextCountIn;
    const ends = this.waiting.ready.size > 0 && this.full ? this.full.at : Infinity;
    const due = Math.min(ends, this.waiting.nextAt);
    return (resting) => this.deps.clock.until(due, resting);
  }

  private isFull(now: number): boolean {
    if (this.full && now >= this.full.at) this.full = null;
    return this.full !== null;
  }

  /** False when there is no room for what waits. */
  private async startTurns(signal: AbortSignal): Promise<boolean> {
    const { ready } = this.waiting;
    while (this.turns.size < TURNS && ready.size > 0) {
      // A turn for transactional mail takes bulk mail with it, so that each lane has its share.
      const room = await this.backlog.room({ ...ready.waiting, bulk: true });
      const open = { transactional: room.transactional > 0, bulk: room.bulk > 0 };
      if (signal.aborted) return true;
      const next = ready.next((id) => !this.turns.has(id), open);
      if (!next) return MAIL_CLASSES.every((mails) => open[mails] || !ready.waiting[mails]);
      const places = next.mails === 'bulk' ? { ...room, transactional: 0 } : room;
      this.backlog.reserve(places);
      ready.delete(next.id);
      this.turns.set(next.id, this.turn(next.id, places));
    }
    return true;
  }

  private async turn(workspaceId: number, places: ByClass): Promise<void> {
    this.deps.activity.begin(TURN);
    let used = places;
    try {
      const { claimed, bulk, nextCheck, transactionalAt } = await this.pacer.turn(workspaceId, places);
      used = { transactional: claimed - bulk, bulk };
      if (claimed > 0) this.waiting.claimed(workspaceId);
      if (nextCheck === 'now') this.waiting.goOn(workspaceId, transactionalAt);
      else this.ended(workspaceId, nextCheck);
    } catch (error) {
      this.failure ??= { error };
      this.waiting.check(workspaceId);
    } finally {
      this.backlog.release(places, used);
      this.turns.delete(workspaceId);
      this.claims.wake();
      this.deps.activity.end(TURN);
    }
  }

  private ended(workspaceId: number, next: Exclude<NextCheck, 'now'>): void {
    const lease = this.shards.leaseOf(workspaceId);
    if (typeof next === 'object' && 'platformCap' in next) this.full = next;
    if (!lease || next === 'when held' || 'platformCap' in Object(next)) this.waiting.check(workspaceId);
    else if (next === 'when woken') this.waiting.emptied(workspaceId);
    else this.waiting.rest(workspaceId, next as Deferred);
  }

  private async count(): Promise<BacklogCount> {
    const { clock, stores } = this.deps;
    const day = wibDay(clock.now());
    // In this order: what is claimed in between counts as waiting, not as handed over.
    const claims = await stores.queue.claimsOn(day, null);
    return { claims, day, waiting: await stores.queue.backlogByClass(2 * this.mostClaimed() + MARGIN) };
  }

  private async sweep(): Promise<Rest> {
    const { settings } = this.deps.stores;
    if (this.full && ((await settings.get('warmup_cap')) ?? null) !== this.full.platformCap) {
      this.full = null;
      this.claims.wake();
    }
    await this.waiting.ahead.readAsked();
    if (this.shards.holding().length === 0) return SWEEP_EVERY;
    await this.waiting.audit.visit();
    if (!this.waiting.audit.isFirstPass) return SWEEP_EVERY;
    return this.waiting.ready.size < FEW ? 'again' : FEW_WAIT;
  }

  private every(ms: number, work: () => Promise<Rest | void>): WorkerLoop {
    const iterate = async (): Promise<Rest> => (await work()) ?? ms;
    return new WorkerLoop({ iterate, onError: (error) => this.logFailure(error), backoff: { first: ms } });
  }
}
