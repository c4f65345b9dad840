import { isTooLongWithoutSuccess, laneOf, TROUBLED_AFTER, WEBHOOK_WORK } from '../../domain/webhook-delivery';
import type { Webhook } from '../../domain/webhook';
import type { Activity } from '../../lib/activity';
import { MINUTE, SECOND } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { WorkerLoop, type Rest } from '../../lib/worker-loop';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import { attemptDelivery, HURRIED, type AttemptDeps, type AttemptOutcome } from './attempt';
import { Lanes, type WebhookLimits } from './lanes';

export interface DelivererDeps extends AttemptDeps {
  stores: AttemptDeps['stores'] & Pick<Stores, 'dueTasks' | 'webhooks' | 'workspaces' | 'operatorLog'>;
  activity: Activity;
  logger: Pick<Logger, 'error' | 'warn'>;
  limits: WebhookLimits;
  /** True while the clock is being advanced: attempts then end after 2 s, so that they do not hold it up. */
  isTravelling: () => boolean;
}

/** How long a claim holds a delivery, ms; longer than an attempt of 10 s and the store's writes. */
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
 * Delivers what is due (docs/architecture.md#webhooks). Every endpoint has its own lane: a turn goes through the lanes
 * with due deliveries and starts as many of each as there is room for, so one that hangs slows no other.
 */
export class Deliverer {
  private readonly lanes: Lanes;
  private readonly loop: WorkerLoop;
  private readonly running = new Map<string, Running>();
  private hurry: NodeJS.Timeout | null = null;
  private onDrained: (() => void) | null = null;

  constructor(private readonly deps: DelivererDeps) {
    this.lanes = new Lanes(deps.limits);
    this.loop = new WorkerLoop({
      turn: (signal) => this.turn(signal),
      onError: (err) => deps.logger.error({ err }, 'delivering webhooks failed; trying again'),
      task: { activity: deps.activity, name: 'webhooks' },
    });
  }

  start(): void {
    this.hurry = setInterval(() => this.endSlowAttempts(), HURRY_CHECK);
    this.loop.start();
  }

  /** Deliveries may have become due. */
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
    return this.deps.stores.dueTasks.nextDue(WEBHOOK_WORK);
  }

  private async turn(signal: AbortSignal): Promise<Rest> {
    const { clock } = this.deps;
    const now = clock.now();
    const next = await this.nextDue();
    if (next !== null && next <= now && (await this.startDue(signal, now)) > 0) return 'again';
    const soonest = next !== null && next > now ? next : Infinity;
    return (waiting) => clock.until(Infinity, waiting, Math.max(now + 1, Math.min(soonest, now + SECOND)));
  }

  /** Goes through the lanes with due deliveries. Returns how many deliveries left theirs. */
  private async startDue(signal: AbortSignal, now: number): Promise<number> {
    let started = 0;
    for (let after: string | null = null; ;) {
      const lanes = await this.deps.stores.dueTasks.lanesDue(WEBHOOK_WORK, now, after, LANES_PAGE);
      // Side by side: an answer of the store to one lane must not keep the others waiting.
      const counts = await Promise.all(lanes.map((lane) => this.startLane(Number(lane), now)));
      started += counts.reduce((sum, count) => sum + count, 0);
      if (signal.aborted || this.lanes.isFull) return started;
      after = lanes.at(-1) ?? null;
      if (lanes.length < LANES_PAGE) return started;
    }
  }

  /** Starts what there is room for. Returns how many deliveries left the lane. */
  private async startLane(webhookId: number, now: number): Promise<number> {
    if (this.lanes.isFull || this.lanes.isBusy(webhookId)) return 0;
    const { stores } = this.deps;
    const webhook = await stores.webhooks.get(webhookId);
    const workspace = webhook && (await stores.workspaces.get(webhook.workspaceId));
    if (!webhook?.isActive || !workspace || workspace.suspended) return stores.deliveries.cancelWaiting(webhookId);
    const limit = this.lanes.reserve(webhook, webhook.failures >= TROUBLED_AFTER);
    if (limit === 0) return 0;
    let claimed = 0;
    try {
      const claim = { kind: WEBHOOK_WORK, lane: laneOf(webhookId), now, leaseUntil: now + LEASE, limit };
      const tasks = await stores.dueTasks.claim(claim);
      claimed = tasks.length;
      for (const task of tasks) void this.run(task, webhook, workspace);
      return claimed;
    } finally {
      this.lanes.release(webhook, limit - claimed);
    }
  }

  /** Its place is reserved. Never rejects. */
  private async run(task: ClaimedTask, webhook: Webhook, workspace: { suspended: boolean }): Promise<void> {
    const { activity, logger } = this.deps;
    const name = `webhook ${task.id}`;
    const abort = new AbortController();
    activity.begin(name);
    this.running.set(task.token + task.id, { startedAt: performance.now(), abort });
    try {
      const outcome = await attemptDelivery(this.deps, { task, webhook, workspace, signal: abort.signal });
      if (outcome) await this.report(webhook, outcome);
    } catch (err) {
      logger.error({ err, delivery: task.id }, 'a webhook could not be delivered; trying again when its lease ends');
    } finally {
      this.running.delete(task.token + task.id);
      this.lanes.release(webhook, 1);
      activity.end(name);
      this.loop.wake();
      if (this.running.size === 0) this.onDrained?.();
    }
  }

  /** Most successes need no write: the time of the last one is kept to the minute. */
  private async report(webhook: Webhook, { success, at }: AttemptOutcome): Promise<void> {
    const { webhooks } = this.deps.stores;
    const { failures, lastSuccessAt } = webhook;
    const known = success && failures === 0 && lastSuccessAt !== null && at - lastSuccessAt < MINUTE;
    if (!known) await webhooks.report(webhook.id, { success, at });
    if (!success) await this.disableIfFailing(webhook.id, at);
  }

  private async disableIfFailing(id: number, now: number): Promise<void> {
    const { stores, logger } = this.deps;
    const webhook = await stores.webhooks.get(id);
    if (!webhook?.isActive || !isTooLongWithoutSuccess(webhook, now)) return;
    if (!(await stores.webhooks.disable(id, webhook))) return;
    const { workspaceId } = webhook;
    const target = `webhook ${id}: no delivery has succeeded for three days`;
    await stores.operatorLog.append({ at: now, actor: 'kurir', action: 'webhook disable', target, workspaceId });
    logger.warn({ webhook: id, workspaceId }, 'a webhook was set inactive: no delivery has succeeded for three days');
    await stores.deliveries.cancelWaiting(id);
  }

  private endSlowAttempts(): void {
    if (!this.deps.isTravelling()) return;
    const before = performance.now() - HURRY_AFTER;
    for (const { startedAt, abort } of this.running.values()) if (startedAt <= before) abort.abort(HURRIED);
  }
}
