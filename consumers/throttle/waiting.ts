import type { MailClass } from '../../domain/destinations/pace';
import { HOUR, type Clock } from '../../lib/clock';
import { DueList } from '../../lib/due-list';
import { UnavailableError } from '../../lib/errors';
import type { Deferred, WorkspaceWakeup, WakeupStore, WaitKind } from '../../stores/ports/wakeup-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import type { Logger } from '../../lib/logger';
import { WakeupReader } from './wakeup-reader';
import { WakeupSweep } from './wakeup-sweep';
import { WakeupWriter, type RowOwner } from './wakeup-writer';
import { ReadySet } from './ready-set';
import type { Shards } from './shards';
import { PendingWakeups } from './pending-wakeups';

/** The next wake-up of a workspace where only mail of paused campaigns waits. Its campaign wakes it when it goes on. */
const HELD_LOOK = HOUR;
const NOT_HELD = 'This process does not hold the shard of the workspace.';

export interface WaitingDeps {
  stores: { wakeups: WakeupStore; queue: Pick<SendQueue, 'workspacesWaiting'> };
  clock: Clock;
  shards: Shards;
  logger: Pick<Logger, 'error'>;
  /** Whether the workspace has its turn now. */
  isInTurn: (workspaceId: number) => boolean;
  /** Whether the day of the workspace is still used up. */
  isUsedUp: (workspaceId: number, kind: 'rate' | 'day') => Promise<boolean>;
  /** There is something to do at once. */
  wake: () => void;
}

/**
 * The workspaces that wait for a turn: in memory those that are due soon, in the store a row for each. Those who wake
 * one wait until it rests or has a row, so that no crash loses the wake-up.
 */
export class Waiting {
  /** Workspaces to check now, in turn. */
  readonly ready = new ReadySet();
  readonly pending = new PendingWakeups();
  readonly rows: WakeupWriter;
  readonly ahead: WakeupReader;
  readonly audit: WakeupSweep;
  /** Workspaces to check soon, and what they wait for; and those whose rate or day is used up. */
  private readonly sleeping = new DueList<WaitKind>();
  /** Workspaces to check once this process holds their shard. */
  private readonly unheld = new Set<number>();
  private wokenAt = -Infinity;
  /** Workspaces that the audit has woken. */
  private readonly found = new Set<number>();

  constructor(private readonly deps: WaitingDeps) {
    const { stores, shards, logger } = deps;
    const { wakeups: store, queue } = stores;
    this.rows = new WakeupWriter(store, logger);
    this.ahead = new WakeupReader({
      store,
      rows: this.rows,
      held: () => shards.holding(),
      onWakeup: (wakeup) => this.noteWakeup(wakeup),
    });
    this.audit = new WakeupSweep({
      queue,
      store,
      shardOf: (id: number) => shards.of(id),
      readUpTo: () => this.ahead.upTo,
      isUnknown: (workspaceId) => this.isUnknown(workspaceId),
      onMissing: (workspaceId) => {
        this.found.add(workspaceId);
        this.check(workspaceId);
      },
    });
  }

  /** When the next workspace is due; Infinity for never. */
  get nextAt(): number {
    return Math.min(this.sleeping.nextAt, this.ahead.nextAt);
  }

  /** Checks what is due by now; everything when the clock was set back, which the due times may be ahead of. */
  async wakeDue(now: number): Promise<void> {
    const isSetBack = now < this.wokenAt;
    this.wokenAt = now;
    for (const workspaceId of this.sleeping.take(isSetBack ? Number.MAX_VALUE : now)) this.check(workspaceId);
    await this.ahead.advance(now);
  }

  /** Checks what was waiting for shards that are held now, and reads their rows. */
  async gained(shards: readonly number[]): Promise<void> {
    for (const workspaceId of [...this.unheld]) {
      if (!this.deps.shards.leaseOf(workspaceId)) continue;
      this.unheld.delete(workspaceId);
      this.check(workspaceId);
    }
    this.audit.restart();
    await this.ahead.gained(shards, this.deps.clock.now());
  }

  /** Forgets the workspaces of shards that were given up, once their rows are written. */
  async forget(isGiven: (workspaceId: number) => boolean): Promise<void> {
    for (const workspaceId of [...this.ready.keys(), ...this.sleeping.keys(), ...this.unheld]) {
      if (!isGiven(workspaceId)) continue;
      for (const waiting of [this.ready, this.sleeping, this.unheld, this.found]) waiting.delete(workspaceId);
      this.rows.forget(workspaceId);
    }
    await this.rows.written();
  }

  /**
   * Checks the workspace soon, for mail of this class. Resolves when what waits there needs this wake-up no longer;
   * rejects when it goes.
   */
  async wakeUp(workspaceId: number, mails: MailClass): Promise<void> {
    const sleep = this.sleeping.get(workspaceId);
    // Its rate is used up: another message changes nothing, and a check for each would cost more than the claims.
    if (sleep && sleep.value !== 'turn') {
      await this.keep(workspaceId, { at: sleep.at, kind: sleep.value });
      return;
    }
    const settled = this.pending.wait(workspaceId);
    this.check(workspaceId, mails);
    return settled;
  }

  /**
   * Checks the workspace as soon as it has its turn, and its shard is held. `mails`: bulk when it has no transactional
   * mail.
   */
  check(workspaceId: number, mails: MailClass = 'transactional'): void {
    this.sleeping.delete(workspaceId);
    if (!this.deps.shards.leaseOf(workspaceId)) {
      this.unheld.add(workspaceId);
      return;
    }
    const isNew = !this.ready.has(workspaceId);
    this.ready.add(workspaceId, mails);
    if (isNew || mails === 'transactional') this.deps.wake();
  }

  /** There may be more to claim: another turn. `transactionalAt`: when the first transactional mail is due, ms. */
  goOn(workspaceId: number, transactionalAt: number): void {
    if (transactionalAt <= this.deps.clock.now()) return this.check(workspaceId);
    this.check(workspaceId, 'bulk');
    // Bulk mail may wait for room for longer.
    if (transactionalAt < Infinity) this.sleeping.set(workspaceId, transactionalAt, 'turn');
  }

  private noteWakeup({ workspaceId, at, kind }: WorkspaceWakeup): void {
    this.rows.learn(workspaceId);
    if (at <= this.deps.clock.now()) this.check(workspaceId);
    else if (!this.isInMemory(workspaceId)) this.sleeping.set(workspaceId, at, kind);
  }

  private isInMemory(workspaceId: number): boolean {
    return (
      this.deps.isInTurn(workspaceId) || this.ready.has(workspaceId) || this.sleeping.get(workspaceId) !== undefined
    );
  }

  private isUnknown(workspaceId: number): boolean {
    const isHeld = this.deps.shards.leaseOf(workspaceId) !== null;
    return isHeld && !this.isInMemory(workspaceId) && !this.rows.isWriting(workspaceId);
  }

  /** Nothing waits in the workspace. */
  emptied(workspaceId: number): void {
    if (this.ready.has(workspaceId)) return;
    if (this.found.delete(workspaceId)) {
      this.rest(workspaceId, { at: this.deps.clock.now() + HELD_LOOK, kind: 'turn' });
      return;
    }
    const owner = this.ownerOf(workspaceId);
    if (owner) this.rows.drop(workspaceId, owner);
    for (const settle of this.pending.take(workspaceId)) settle();
  }

  /**
   * The workspace waits, unless it was woken meanwhile. What is due later than what was read needs no memory: its row
   * will be read.
   */
  rest(workspaceId: number, next: Deferred): void {
    if (this.ready.has(workspaceId)) return;
    this.found.delete(workspaceId);
    const isKept = next.kind !== 'turn' || next.at <= this.ahead.upTo;
    if (isKept) this.sleeping.set(workspaceId, next.at, next.kind);
    else this.ahead.note(next.at);
    const settled = this.pending.take(workspaceId);
    const keeping = (isKept ? this.keep(workspaceId, next) : this.leave(workspaceId, next)).then((isNew) => {
      for (const settle of settled) settle();
      if (!this.isInMemory(workspaceId)) this.rows.forget(workspaceId);
      // A purchase or another rate before the row was there could not bring it forward.
      return isNew && next.kind !== 'turn' ? this.checkUse(workspaceId, next.kind) : undefined;
    });
    keeping.catch((err: unknown) => this.deps.logger.error({ err }, 'the throttle could not record a workspace'));
  }

  /** It was claimed for: there is more than mail of paused campaigns. */
  claimed(workspaceId: number): void {
    this.found.delete(workspaceId);
  }

  private async checkUse(workspaceId: number, kind: 'rate' | 'day'): Promise<void> {
    if (!(await this.deps.isUsedUp(workspaceId, kind))) this.check(workspaceId);
  }

  private ownerOf(workspaceId: number): RowOwner | null {
    const lease = this.deps.shards.leaseOf(workspaceId);
    return lease && { shard: this.deps.shards.of(workspaceId), epoch: lease.epoch };
  }

  private async leave(workspaceId: number, wakeup: Deferred): Promise<true> {
    const owner = this.ownerOf(workspaceId);
    if (!owner) throw new UnavailableError(NOT_HELD);
    await this.rows.write(workspaceId, owner, wakeup);
    return true;
  }

  private async keep(workspaceId: number, wakeup: Deferred): Promise<boolean> {
    const owner = this.ownerOf(workspaceId);
    if (!owner) throw new UnavailableError(NOT_HELD);
    return this.rows.keep(workspaceId, owner, wakeup, this.deps.clock.now());
  }

  /** Workspaces that are not claimed for soon get a row, so that their records are done. */
  coverWakers(): void {
    for (const workspaceId of this.pending.old()) {
      if (!this.ownerOf(workspaceId)) continue;
      const settled = this.pending.take(workspaceId);
      this.keep(workspaceId, { at: this.deps.clock.now(), kind: 'turn' }).then(
        () => settled.forEach((settle) => settle()),
        (err: unknown) => this.deps.logger.error({ err }, 'the throttle could not record a workspace'),
      );
    }
  }
}
