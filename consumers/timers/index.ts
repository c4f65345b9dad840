import type { Activity } from '../../lib/activity';
import { MINUTE, SECOND, type Clock } from '../../lib/clock';
import { attachmentsExpired, overdue } from '../../domain/lifecycle';
import { HAND_OFF_LEASE } from '../../domain/retry-schedule';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import { Backoff } from '../../lib/backoff';
import { sleep } from '../../lib/sleep';
import type { Logger } from '../../lib/logger';
import { decideWith } from '../outcome-change';
import { redispatch } from './redispatch';

const TASK = 'timers';
const PAGE = 200;
const TRIM_EVERY = MINUTE;
const TRIM_PAGE = 2_000;
/** A claim that was not handed over for so long has lost its record, or waits behind a slow server; a repeat is harmless. */
const CLAIM_PATIENCE = 2 * MINUTE;

export interface TimerDeps {
  stores: Pick<Stores, 'queue' | 'messages'>;
  log: Pick<EventLog, 'trim' | 'publish'>;
  clock: Clock;
  activity: Activity;
  /** ms (DESIGN 3.5) */
  evidenceWait: number;
  logger: Logger;
}

/**
 * Deadlines (DESIGN 3.8): lost leases, evidence that never came, attachments held for too long; and the log's retention. Every
 * change is a compare-and-set, so any number of timers may run.
 */
export class Timers {
  private readonly stopping = new AbortController();
  private alarm = new AbortController();
  private work: Promise<void> | null = null;
  private trimmedAt = 0;
  private sweptAt = 0;

  constructor(private readonly deps: TimerDeps) {}

  start(): void {
    this.work = this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.alarm.abort();
    await this.work;
  }

  /** True when no deadline has passed that was not dealt with; else it looks at once. */
  async isIdle(): Promise<boolean> {
    const next = await this.deps.stores.queue.nextDeadline();
    if (next === null || next > this.deps.clock.now()) return true;
    this.alarm.abort();
    return false;
  }

  private async loop(): Promise<void> {
    const { clock, logger, activity } = this.deps;
    const { signal } = this.stopping;
    const wait = new Backoff();
    activity.begin(TASK);
    while (!signal.aborted) {
      try {
        const busy = await this.tick(clock.now());
        if (!busy) await this.rest();
        wait.reset();
      } catch (error) {
        logger.error({ err: error }, 'timers failed; trying again');
        await sleep(wait.next(), signal);
      }
    }
    activity.end(TASK);
  }

  /** New deadlines may come before the ones known now, so it looks every second at least. */
  private async rest(): Promise<void> {
    const { clock, stores, activity } = this.deps;
    this.alarm = new AbortController();
    if (this.stopping.signal.aborted) return;
    const now = clock.now();
    const next = (await stores.queue.nextDeadline()) ?? Infinity;
    const look = Math.max(now + 1, Math.min(next, now + SECOND));
    // The deadline may be another by then: who wants to know it reads it from the store.
    await activity.waiting(TASK, clock.until(Infinity, this.alarm.signal, look));
  }

  /** Works off one page of everything that is due; true when there may be more. */
  private async tick(now: number): Promise<boolean> {
    const { queue, messages } = this.deps.stores;
    const { evidenceWait } = this.deps;
    const late = await queue.overdue(now, PAGE);
    const expired = await queue.attachmentsExpired(now, PAGE);
    await Promise.all([
      ...late.map((id) =>
        messages.change(
          id,
          decideWith((message) => overdue(message, now, evidenceWait)),
        ),
      ),
      ...expired.map((id) =>
        messages.change(
          id,
          decideWith((message) => attachmentsExpired(message, now)),
        ),
      ),
    ]);
    await this.sweep(now);
    const trimming = await this.trim(now);
    return late.length === PAGE || expired.length === PAGE || trimming;
  }

  /** Claims whose record was lost are handed to dispatch again, long before their lease ends. */
  private async sweep(now: number): Promise<void> {
    if (now - this.sweptAt < CLAIM_PATIENCE) return;
    await redispatch(this.deps, now - CLAIM_PATIENCE + HAND_OFF_LEASE);
    this.sweptAt = now;
  }

  private async trim(now: number): Promise<boolean> {
    if (now - this.trimmedAt < TRIM_EVERY) return false;
    const gone = await this.deps.log.trim(now, TRIM_PAGE);
    if (gone >= TRIM_PAGE) return true;
    this.trimmedAt = now;
    return false;
  }
}
