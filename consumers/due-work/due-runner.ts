import type { Activity } from '../../lib/activity';
import { SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { WorkReport } from '../../lib/work-report';
import { Slab } from '../../lib/slab';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { Stores } from '../../stores/ports';
import type { DueKind, DuePayloads } from '../../stores/ports/due-payloads';
import type { ClaimedTask, DueClaimRequest, TaskClaim } from '../../stores/ports/due-tasks';
import { decodeValue } from '../../streams/decode-record';
import type { DueHandler, DueOutcome, DueWorkTask, EachTask, LaneWork, TaskBatch } from './due-work';
import { HURRIED } from '../../operations/webhooks/attempt-client';
import { Lanes, type Endpoint } from './lanes';
import type { DueWorkSpec } from '../../schemas/due-work/table';

export interface DueRunnerDeps {
  stores: Pick<Stores, 'dueTasks'>;
  clock: Clock;
  activity: Activity;
  logger: Pick<Logger, 'error'>;
  /** How attempts went, for `/readyz`. */
  work: WorkReport;
  /** True while the clock is being advanced: calls of endpoints then end after 2 s, so that they do not hold it up. */
  isTravelling: () => boolean;
}

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

/** What is claimed: the tasks of a lane, or all of the kind. */
interface Source {
  endpoint: Endpoint;
  troubled: boolean;
  request: Pick<DueClaimRequest, 'kind' | 'lane' | 'now'>;
}

/** What runs as one: a task, or a batch. */
interface Unit {
  first: Pick<ClaimedTask, 'kind' | 'id' | 'attempt'>;
  run: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Runs the due work of one kind (docs/architecture.md#due-work): claims what is due, as much as there is room for, and
 * does not wait for it, so that what is slow holds up nothing else. Any number of processes may do so. A task whose
 * payload fails its schema is given up with the reason. One of an unknown version is left to a newer program: it can be
 * claimed again when its lease ends.
 */
export class DueRunner<K extends DueKind = DueKind> {
  private readonly loop: WorkerLoop;
  private readonly running = new Slab<Running>();
  private readonly lanes: Lanes;
  private hurry: NodeJS.Timeout | null = null;
  private onDrained: (() => void) | null = null;

  constructor(
    private readonly deps: DueRunnerDeps,
    readonly kind: K,
    private readonly spec: DueWorkSpec,
    private readonly handler: DueHandler<K>,
  ) {
    const { name } = this;
    this.loop = new WorkerLoop({
      iterate: (signal) => this.iterate(signal),
      onError: (err) => deps.logger.error({ err }, `${name} failed; trying again`),
      task: { activity: deps.activity, name },
    });
    const free = { perWorkspace: Infinity, inAll: Infinity };
    this.lanes = 'lanes' in handler ? handler.lanes : new Lanes({ perEndpoint: spec.atOnce ?? 1, ...free });
    this.lanes.whenRoom(() => this.wake());
  }

  start(): void {
    this.loop.start();
  }

  private get name(): string {
    return `due work ${this.kind}`;
  }

  /** Tasks may have become due. */
  wake(): void {
    this.loop.wake();
  }

  /** Starts nothing more, and waits for what is running for some seconds. The rest is done again later. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.endHurry();
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
    const next = await this.next();
    if (next === null || next > this.deps.clock.now()) return true;
    this.loop.wake();
    return false;
  }

  /** Where time travel stops, ms: usually the next due time. Null for nowhere. */
  async nextDue(): Promise<number | null> {
    const next = await this.next();
    const { handler } = this;
    if (!('each' in handler) || !handler.travelStop) return next;
    return next !== null && next <= this.deps.clock.now() ? next : handler.travelStop();
  }

  private next(): Promise<number | null> {
    return this.deps.stores.dueTasks.nextDue(this.kind);
  }

  private async iterate(signal: AbortSignal): Promise<Rest> {
    const { clock } = this.deps;
    const now = clock.now();
    // A claim is a write, and usually nothing is due.
    const next = await this.next();
    if (next !== null && next <= now && (await this.startDue(signal, now)) > 0) return 'again';
    const soonest = next !== null && next > now ? next : Infinity;
    // On the full second: then the runners of a process share a query.
    const look = now - (now % SECOND) + SECOND;
    return (waiting) => clock.until(Infinity, waiting, Math.max(now + 1, Math.min(soonest, look)));
  }

  /** Starts what is due, as far as there is room. Returns how many tasks were claimed or ended. */
  private async startDue(signal: AbortSignal, now: number): Promise<number> {
    const { handler, kind } = this;
    if ('openLane' in handler) return this.startLanes(handler, signal, now);
    const endpoint = { key: kind, workspaceId: 0 };
    const request = { kind, now };
    return this.claim({ endpoint, troubled: false, request }, (tasks) => this.unitsOf(handler, tasks));
  }

  private async startLanes(work: LaneWork<K>, signal: AbortSignal, now: number): Promise<number> {
    let started = 0;
    for (let after: string | null = null; ;) {
      const lanes = await this.deps.stores.dueTasks.lanesDue(this.kind, now, after, LANES_PAGE);
      // Side by side: an answer of the store to one lane must not keep the others waiting.
      const counts = await Promise.all(lanes.map((lane) => this.startLane(work, lane, now)));
      started += counts.reduce((sum, count) => sum + count, 0);
      after = lanes.at(-1) ?? null;
      if (signal.aborted || this.lanes.isFull || lanes.length < LANES_PAGE) return started;
    }
  }

  private async startLane(work: LaneWork<K>, lane: string, now: number): Promise<number> {
    const { kind } = this;
    const key = `${kind} ${lane}`;
    if (this.lanes.isFull || this.lanes.isBusy(key)) return 0;
    const opened = await this.noted(() => work.openLane(lane));
    if (typeof opened === 'number') return opened;
    const { workspaceId, troubled, begin } = opened;
    return this.claim({ endpoint: { key, workspaceId }, troubled, request: { kind, now, lane } }, (tasks) => {
      const attempt = begin(tasks);
      return tasks.map((first, n) => ({ first, run: (signal) => attempt(n, signal) }));
    });
  }

  /** Claims as many tasks as there is room for, and runs them without waiting for them. Returns how many. */
  private async claim(
    { endpoint, troubled, request }: Source,
    begin: (tasks: readonly DueWorkTask<K>[]) => readonly Unit[],
  ): Promise<number> {
    const { stores, clock } = this.deps;
    const { lease, batch = 1 } = this.spec;
    const room = this.lanes.reserve(endpoint, troubled);
    if (room === 0) return 0;
    let started = 0;
    try {
      const limit = room * batch;
      const claimed = await stores.dueTasks.claim({ ...request, leaseUntil: clock.now() + lease, limit });
      const units = claimed.length === 0 ? [] : begin(await this.checked(claimed));
      started = units.length;
      for (const unit of units) void this.run(unit, endpoint);
      return claimed.length;
    } finally {
      this.lanes.release(endpoint, room - started);
    }
  }

  /** The tasks that can be processed. The others are reported. */
  private async checked(claimed: readonly ClaimedTask[]): Promise<DueWorkTask<K>[]> {
    const { stores, clock, logger } = this.deps;
    const tasks: DueWorkTask<K>[] = [];
    for (const one of claimed) {
      const { kind, id, payload } = one;
      const decoded = decodeValue('payload', kind, this.spec.versions, Number(payload['v'] ?? 1), payload);
      if (decoded.fault === null) tasks.push({ ...one, payload: decoded.value as DuePayloads[K] });
      else {
        logger.error({ kind, id, reason: decoded.fault }, 'the payload of due work cannot be read');
        if (!decoded.isUnknownVersion) await stores.dueTasks.giveUp(one, decoded.fault, clock.now());
      }
    }
    return tasks;
  }

  private unitsOf(handler: EachTask<K> | TaskBatch<K>, tasks: readonly DueWorkTask<K>[]): Unit[] {
    if ('each' in handler) {
      return tasks.map((first) => ({ first, run: async () => this.finish(first, await handler.each(first)) }));
    }
    const { batch = 1 } = this.spec;
    return Array.from({ length: Math.ceil(tasks.length / batch) }, (_, n) => {
      const part = tasks.slice(n * batch, (n + 1) * batch);
      return { first: part[0]!, run: () => handler.batch(part) };
    });
  }

  private async finish(task: TaskClaim, outcome: DueOutcome<K>): Promise<void> {
    const { stores, clock } = this.deps;
    if (outcome.kind === 'given up') await stores.dueTasks.giveUp(task, outcome.reason, clock.now());
    else await stores.dueTasks.finish(task, outcome.kind === 'again' ? outcome.next : undefined);
  }

  /** Its slot is reserved. Never rejects. */
  private async run({ first: { kind, id, attempt }, run }: Unit, endpoint: Endpoint): Promise<void> {
    const { activity, logger } = this.deps;
    const name = `${kind} ${id}`;
    const abort = new AbortController();
    activity.begin(name);
    const number = this.running.insert({ startedAt: performance.now(), abort });
    if ('openLane' in this.handler) this.hurry ??= setInterval(() => this.endSlowAttempts(), HURRY_CHECK);
    try {
      await this.noted(() => run(abort.signal));
    } catch (err) {
      logger.error({ kind, id, attempt, err }, 'due work failed; trying again when its lease ends');
    } finally {
      this.running.remove(number);
      this.lanes.release(endpoint, 1);
      activity.end(name);
      this.loop.wake();
      if (this.running.size === 0) this.onDrained?.();
    }
  }

  /** Reports how it went. What fails is tried again when its lease ends. */
  private async noted<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.deps.work.worked(this.name);
      return result;
    } catch (error) {
      this.deps.work.failed(this.name, error, this.spec.lease + SECOND);
      throw error;
    }
  }

  private endHurry(): void {
    if (this.hurry) clearInterval(this.hurry);
    this.hurry = null;
  }

  private endSlowAttempts(): void {
    if (this.running.size === 0) return this.endHurry();
    if (!this.deps.isTravelling()) return;
    const before = performance.now() - HURRY_AFTER;
    for (const { startedAt, abort } of this.running.values()) if (startedAt <= before) abort.abort(HURRIED);
  }
}
