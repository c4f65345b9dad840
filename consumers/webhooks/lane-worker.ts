import type { Activity } from '../../lib/activity';
import { SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import { HURRIED } from './attempt';
import { Lanes, type WebhookLimits } from './lanes';

export interface LaneDeps {
  stores: Pick<Stores, 'dueTasks'>;
  clock: Clock;
  activity: Activity;
  logger: Pick<Logger, 'error'>;
  limits: WebhookLimits;
  /** True while the clock is being advanced: attempts then end after 2 s, so that they do not hold it up. */
  isTravelling: () => boolean;
}

/** The due tasks that are worked off, and their names in the log. */
export interface LaneWork {
  kind: string;
  /** Of all of them, and of one, to which its id is added. */
  name: string;
  one: string;
}

/** Whose lane it is. */
export interface Endpoint {
  id: number;
  workspaceId: number;
}

/** Makes the attempt of task `n` of those that were claimed. */
export type AttemptTask = (n: number, signal: AbortSignal) => Promise<void>;

/** How long a claim holds a task, ms; longer than an attempt of 10 s and the store's writes. */
const LEASE = 30 * SECOND;
const LANES_PAGE = 200;
/** Real time, ms. */
const HURRY_AFTER = 2_000;
const HURRY_CHECK = 250;
/** Real time that running attempts have when the program stops, ms; all parts together stay below ten seconds. */
const GRACE = 5_000;

interface Running {
  startedAt: number;
  abort: AbortController;
}

/**
 * Works off due tasks that call endpoints (docs/architecture.md#webhooks). Every endpoint has its own lane: a turn goes
 * through the lanes with due tasks and starts as many of each as there is room for, so one that hangs slows no other.
 */
export abstract class LaneWorker<Deps extends LaneDeps> {
  private readonly lanes: Lanes;
  private readonly loop: WorkerLoop;
  private readonly running = new Map<string, Running>();
  private hurry: NodeJS.Timeout | null = null;
  private onDrained: (() => void) | null = null;

  protected constructor(
    protected readonly deps: Deps,
    private readonly work: LaneWork,
  ) {
    const { name } = work;
    this.lanes = new Lanes(deps.limits);
    this.loop = new WorkerLoop({
      turn: (signal) => this.turn(signal),
      onError: (err) => deps.logger.error({ err }, `${name}: working off what is due failed; trying again`),
      task: { activity: deps.activity, name },
    });
  }

  /** Starts what there is room for in a lane. Returns how many tasks left it. */
  protected abstract startLane(lane: string, now: number): Promise<number>;

  start(): void {
    this.hurry = setInterval(() => this.endSlowAttempts(), HURRY_CHECK);
    this.loop.start();
  }

  /** Tasks may have become due. */
  wake(): void {
    this.loop.wake();
  }

  /** Starts nothing more, and waits for the running attempts for some seconds. The others are made again later. */
  async stop(): Promise<void> {
    if (this.hurry) clearInterval(this.hurry);
    await this.loop.stop();
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE);
      this.onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const { abort } of this.running.values()) abort.abort();
  }

  /** True when nothing is due and nothing is running; otherwise it checks again at once. */
  async isIdle(): Promise<boolean> {
    if (this.running.size > 0) return false;
    const next = await this.nextDue();
    if (next === null || next > this.deps.clock.now()) return true;
    this.loop.wake();
    return false;
  }

  nextDue(): Promise<number | null> {
    return this.deps.stores.dueTasks.nextDue(this.work.kind);
  }

  /** False while no more of this endpoint should be looked at. */
  protected hasRoom(endpointId: number): boolean {
    return !this.lanes.isFull && !this.lanes.isBusy(endpointId);
  }

  /**
   * Claims as many tasks of a lane as there is room for (one when it is `troubled`), and runs them without waiting for
   * them: other lanes may be due meanwhile. Returns how many.
   */
  protected async claimAndRun(
    endpoint: Endpoint,
    { lane, now, troubled }: { lane: string; now: number; troubled: boolean },
    begin: (tasks: readonly ClaimedTask[]) => AttemptTask,
  ): Promise<number> {
    const limit = this.lanes.reserve(endpoint, troubled);
    if (limit === 0) return 0;
    let claimed = 0;
    try {
      const claim = { kind: this.work.kind, lane, now, leaseUntil: now + LEASE, limit };
      const tasks = await this.deps.stores.dueTasks.claim(claim);
      claimed = tasks.length;
      const attempt = begin(tasks);
      tasks.forEach((task, n) => void this.run(task, endpoint, (signal) => attempt(n, signal)));
      return claimed;
    } finally {
      this.lanes.release(endpoint, limit - claimed);
    }
  }

  private async turn(signal: AbortSignal): Promise<Rest> {
    const { clock } = this.deps;
    const now = clock.now();
    const next = await this.nextDue();
    if (next !== null && next <= now && (await this.startDue(signal, now)) > 0) return 'again';
    const soonest = next !== null && next > now ? next : Infinity;
    return (waiting) => clock.until(Infinity, waiting, Math.max(now + 1, Math.min(soonest, now + SECOND)));
  }

  /** Goes through the lanes with due tasks. Returns how many tasks left theirs. */
  private async startDue(signal: AbortSignal, now: number): Promise<number> {
    let started = 0;
    for (let after: string | null = null; ;) {
      const lanes = await this.deps.stores.dueTasks.lanesDue(this.work.kind, now, after, LANES_PAGE);
      // Side by side: an answer of the store to one lane must not keep the others waiting.
      const counts = await Promise.all(lanes.map((lane) => this.startLane(lane, now)));
      started += counts.reduce((sum, count) => sum + count, 0);
      after = lanes.at(-1) ?? null;
      if (signal.aborted || this.lanes.isFull || lanes.length < LANES_PAGE) return started;
    }
  }

  /** Its place is reserved. Never rejects. */
  private async run(
    task: ClaimedTask,
    endpoint: Endpoint,
    attempt: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { activity, logger } = this.deps;
    const name = `${this.work.one} ${task.id}`;
    const abort = new AbortController();
    const key = task.token + task.id;
    activity.begin(name);
    this.running.set(key, { startedAt: performance.now(), abort });
    try {
      await attempt(abort.signal);
    } catch (err) {
      logger.error({ err, task: task.id }, `a ${this.work.one} could not be sent; trying again when its lease ends`);
    } finally {
      this.running.delete(key);
      this.lanes.release(endpoint, 1);
      activity.end(name);
      this.loop.wake();
      if (this.running.size === 0) this.onDrained?.();
    }
  }

  private endSlowAttempts(): void {
    if (!this.deps.isTravelling()) return;
    const before = performance.now() - HURRY_AFTER;
    for (const { startedAt, abort } of this.running.values()) if (startedAt <= before) abort.abort(HURRIED);
  }
}
