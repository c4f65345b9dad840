import { setImmediate as turn } from 'node:timers/promises';
import { LONGEST_ADVANCE, type Advanced, type Progress } from '../../operations/time-travel/protocol';
import type { Activity } from '../../lib/activity';
import type { SettingsStore } from '../../stores/ports/settings-store';
import { sleep } from '../../lib/sleep';
import type { AdvancingClock } from '../../lib/advancing-clock';
import type { Part } from '../core/part';
import { moveClock } from './stored-clock';

/** Years with five digits have another format. */
const END_OF_TIME = Date.UTC(10_000, 0);
/** A busy service counts as stuck after this real time without any task beginning or ending, ms. */
const STUCK_AFTER = 60_000;
/**
 * How often the service may become idle and busy again without the clock moving; beyond that, traffic from outside does
 * not end.
 */
const MAX_ROUNDS = 2_000;
/** Real time to wait for a reader that was not notified of a record, for example one that another process wrote, ms. */
const UNNOTIFIED_WAIT = 5;

/** Due times closer together than this form a burst, ms: retries of mails that were sent together. */
const BURST_GAP = 1_000;
const ALONE = 3;
const MAX_SLACK = 512;

/**
 * How far beyond a due time the clock moves, ms: not at all, but in a burst a little further each time, to cover many
 * at once.
 */
const slack = (burst: number): number => (burst > ALONE ? Math.min(2 ** (burst - ALONE), MAX_SLACK) : 0);

/** The clock cannot be moved, or not to the end; the message says why. */
export class TravelError extends Error {
  override readonly name = 'TravelError';
}

export interface TravelDeps {
  clock: AdvancingClock;
  activity: Activity;
  settings: Pick<SettingsStore, 'set'>;
  parts: readonly Part[];
  /** STUCK_AFTER, for tests. */
  stuckAfter?: number;
}

/**
 * Moves the clock of the running service (docs/decisions/0020-time-travel-steps-between-due-times.md) from one due time
 * to the next, and only after the service has become idle. So everything due in between happens in order and at its own
 * time.
 */
export class TimeTravel {
  private readonly closing = new AbortController();
  private current: Progress | null = null;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: TravelDeps) {}

  /** State of the running advance, or null. */
  get progress(): Progress | null {
    return this.current && { ...this.current };
  }

  /**
   * Puts the clock `ms` further ahead of real time. Resolves when everything due until then has happened, or after the
   * current step once `stop` aborts. Rejects with TravelError when another advance is running, when the time is not
   * positive or too far away, when the service does not become idle, and when it stops; the clock then stays where it
   * is.
   */
  async advance(ms: number, stop?: AbortSignal): Promise<Advanced> {
    const { clock } = this.deps;
    if (!(ms > 0 && ms <= LONGEST_ADVANCE))
      throw new TravelError('An advance must be longer than zero and at most 3653d.');
    if (clock.now() + ms >= END_OF_TIME) throw new TravelError('The clock cannot go beyond the year 9999.');
    if (this.current)
      throw new TravelError('The clock is already being advanced: wait until that has finished, or stop it.');
    const progress = { at: clock.now(), moved: 0, whole: ms, steps: 0 };
    this.current = progress;
    const travel = this.travel(progress, stop).finally(() => (this.current = null));
    this.ended = travel.catch(() => undefined);
    return travel;
  }

  /** The service stops: ends the running advance at once. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.ended;
  }

  private async travel(progress: Progress, stop: AbortSignal | undefined): Promise<Advanced> {
    const { clock, settings } = this.deps;
    const from = clock.offset;
    for (let burst = 0; ;) {
      await this.rest();
      progress.at = clock.now();
      if (progress.moved >= progress.whole || stop?.aborted) break;
      const due = await this.nextDue();
      burst = due - progress.at < BURST_GAP ? burst + 1 : 0;
      const offset = due + slack(burst) - clock.machineTime();
      await moveClock(clock, settings, Math.min(offset, from + progress.whole));
      progress.moved = clock.offset - from;
      progress.at = clock.now();
      progress.steps += 1;
    }
    await Promise.all(this.deps.parts.map(async (part) => part.onClockAdvanced?.()));
    return { ...progress, stopped: progress.moved < progress.whole };
  }

  /** The earliest time at which anything falls due, among the clock's waiters and the stored work. */
  private async nextDue(): Promise<number> {
    const stored = await Promise.all(this.deps.parts.map(async (part) => part.nextDue?.()));
    return Math.min(this.deps.clock.nextDue(), ...stored.map((at) => at ?? Infinity));
  }

  /**
   * Resolves when nothing more happens until the clock moves. Work may begin while the parts are checked, so it
   * resolves only if nothing began between two idle moments.
   */
  private async rest(): Promise<void> {
    const { activity } = this.deps;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.quiet();
      const seen = activity.changes;
      const caughtUp = await Promise.all(this.deps.parts.map(async (part) => (await part.isIdle?.()) ?? true));
      await turn();
      if (activity.changes !== seen || !activity.isQuiet) continue;
      if (caughtUp.every(Boolean)) return;
      await sleep(UNNOTIFIED_WAIT, this.closing.signal);
    }
    throw new TravelError('The service does not become idle. Stop what keeps sending to it, and try again.');
  }

  /** Waits until no task is running. What was woken a moment ago is running after one turn of the event loop. */
  private async quiet(): Promise<void> {
    const { activity, stuckAfter = STUCK_AFTER } = this.deps;
    await turn();
    this.checkOpen();
    for (let seen = -1; !activity.isQuiet; await turn()) {
      if (activity.changes === seen) {
        throw new TravelError(`The service does not become idle; still running: ${activity.names(5).join(', ')}.`);
      }
      seen = activity.changes;
      await this.quietFor(stuckAfter);
      this.checkOpen();
    }
  }

  /** Waits until idle, at most `ms` of real time, and no longer than the service runs. */
  private async quietFor(ms: number): Promise<void> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    this.closing.signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(stop, ms);
    await this.deps.activity.quiet(end.signal);
    clearTimeout(timer);
    this.closing.signal.removeEventListener('abort', stop);
  }

  private checkOpen(): void {
    if (this.closing.signal.aborted) throw new TravelError('The service is stopping; its clock does not move.');
  }
}
