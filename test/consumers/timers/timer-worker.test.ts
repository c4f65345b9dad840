import { describe, expect, it } from '@jest/globals';
import type { TimerTask } from '../../../consumers/timers/timer-task';
import { TimerWorker } from '../../../consumers/timers/timer-worker';
import { Activity } from '../../../lib/activity';
import { MINUTE } from '../../../lib/clock';
import { eventually } from '../../contract/helpers';
import { frozenClock, TEST_START as NOW } from '../../support/clock';
import { PATIENCE } from '../../support/limits';

/** A worker with these tasks, and what it told. */
function aWorker(tasks: readonly TimerTask[]) {
  const clock = frozenClock();
  const activity = new Activity();
  const failures: { err?: unknown }[] = [];
  const reports: string[] = [];
  const work = {
    worked: (what: string) => void reports.push(what),
    failed: (what: string, error: unknown) => void reports.push(`${what}: ${(error as Error).message}`),
  };
  const logger = { error: (facts: object) => void failures.push(facts) };
  return {
    worker: new TimerWorker('timers', tasks, { clock, activity, logger, work }),
    clock,
    activity,
    failures,
    reports,
  };
}

/** A task with due times, which notes when it ran. */
function aTask(name: string, ...due: number[]) {
  const ran: number[] = [];
  const task: TimerTask = {
    name,
    nextAt: async () => due[0] ?? null,
    run: async (now) => {
      ran.push(now);
      while (due[0] !== undefined && due[0] <= now) due.shift();
      return false;
    },
  };
  return { task, ran };
}

describe('a worker of timers', () => {
  it('begins no other task once it is to stop', async () => {
    let begun = (): void => undefined;
    let release = (): void => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow: TimerTask = {
      name: 'slow',
      run: async () => {
        begun();
        await held;
        return false;
      },
    };
    const after = aTask('after');
    const { worker } = aWorker([slow, after.task]);
    worker.start();
    await running;
    const stopped = worker.stop();
    release();
    await stopped;
    expect(after.ran).toEqual([]);
  });

  it('is idle when no task has anything due, and names the earliest due time of all', async () => {
    const [one, other] = [aTask('one', NOW + 2 * MINUTE), aTask('other', NOW + MINUTE)];
    const housekeeping: TimerTask = { name: 'housekeeping', run: async () => false };
    const { worker } = aWorker([one.task, other.task, housekeeping]);
    expect([await worker.isIdle(), await worker.nextDue()]).toEqual([true, NOW + MINUTE]);
    expect(await aWorker([housekeeping]).worker.nextDue()).toBeNull();
  });

  it('looks at once when it is asked and something is due', async () => {
    const due: number[] = [];
    const { task, ran } = aTask('late');
    const { worker, clock, activity } = aWorker([{ ...task, nextAt: async () => due[0] ?? null }]);
    worker.start();
    await activity.quiet(AbortSignal.timeout(PATIENCE));
    due.push(clock.now());
    const before = ran.length;
    expect(await worker.isIdle()).toBe(false);
    due.pop();
    await eventually(async () => expect(ran.length).toBeGreaterThan(before));
    await worker.stop();
  });

  it('wakes at the due time when the clock comes to it', async () => {
    const { task, ran } = aTask('later', NOW + 300);
    const { worker, clock, activity } = aWorker([task]);
    worker.start();
    await activity.quiet(AbortSignal.timeout(PATIENCE));
    clock.advance(300);
    await eventually(async () => expect(ran).toContain(NOW + 300));
    await worker.stop();
  });

  it('begins again at once while a task has more', async () => {
    let left = 3;
    const { worker, activity } = aWorker([{ name: 'busy', run: async () => (left -= 1) > 0 }]);
    worker.start();
    await activity.quiet(AbortSignal.timeout(PATIENCE));
    expect(left).toBe(0);
    await worker.stop();
  });

  it('does the other tasks when one fails, names the one that failed, and tries again after a wait', async () => {
    const { task, ran } = aTask('other');
    let fails = 2;
    const failing: TimerTask = {
      name: 'failing',
      run: async () => {
        if (fails-- > 0) throw new Error('no broker answers');
        return false;
      },
    };
    const { worker, failures, reports } = aWorker([failing, task]);
    worker.start();
    await eventually(async () => expect(ran).toHaveLength(3));
    await worker.stop();
    expect(failures.map(({ err }) => (err as Error).message)).toEqual(Array(2).fill('failing: no broker answers'));
    expect(reports.slice(0, 2)).toEqual(['the timer of failing: no broker answers', 'the timer of other']);
    expect(reports.slice(-2)).toEqual(['the timer of failing', 'the timer of other']);
  });

  it('does one turn even when it is stopped at once, and ends with it', async () => {
    const { task, ran } = aTask('once');
    const { worker, activity } = aWorker([task]);
    worker.start();
    await worker.stop();
    expect([ran.length, activity.isQuiet]).toEqual([1, true]);
  });
});
