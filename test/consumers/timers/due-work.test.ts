import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AdvancingClock } from '../../../app/time-travel/advancing-clock';
import { createTimers } from '../../../consumers/timers';
import { dueWork, type DueOutcome } from '../../../consumers/timers/tasks/due-work';
import type { TimerTask } from '../../../consumers/timers/timer-task';
import { Activity } from '../../../lib/activity';
import { MINUTE, DAY } from '../../../lib/clock';
import { openEmbedded } from '../../../stores/embedded/open';
import type { ClaimedTask, DueTask } from '../../../stores/ports/due-tasks';
import type { Engine } from '../../../stores/ports/engine';
import { eventually } from '../../contract/helpers';
import { frozenClock, TEST_START as NOW } from '../../support/clock';
import { temporaryDir } from '../../support/running';

const LEASE = MINUTE;

describe('due work', () => {
  let dir: string;
  let clock: AdvancingClock;
  let engine: Engine;
  /** Attempts that were made, and what each is to come to. */
  let attempts: ClaimedTask[];
  let outcome: (task: ClaimedTask) => Promise<DueOutcome>;
  let failures: object[];

  beforeEach(async () => {
    dir = temporaryDir();
    clock = frozenClock();
    engine = await openEmbedded({ file: join(dir, 'kurir.sqlite'), clock });
    attempts = [];
    failures = [];
    outcome = async () => ({ kind: 'done' });
  });
  afterEach(async () => {
    await engine.close();
    rmSync(dir, { recursive: true });
  });

  /** One worker of a kind. */
  const worker = (kind = 'k'): TimerTask => {
    const { dueTasks } = engine.stores;
    const handle = async (task: ClaimedTask): Promise<DueOutcome> => {
      attempts.push(task);
      return outcome(task);
    };
    const logger = { error: (facts: object) => void failures.push(facts) };
    return dueWork({ dueTasks, clock, logger }, { kind, lease: LEASE, atOnce: 2, handle });
  };
  const schedule = (...tasks: Partial<DueTask>[]): Promise<void> =>
    engine.stores.dueTasks.schedule(
      tasks.map((task, n) => ({ kind: 'k', id: `t${n}`, workspaceId: 1, lane: '', dueAt: NOW, payload: {}, ...task })),
    );
  const made = (): string[] => attempts.map(({ id, attempt }) => `${id} ${attempt}`);

  it('is done when it is due, once, and says when it falls due next', async () => {
    const task = worker();
    await schedule({}, { dueAt: NOW + 5 });
    expect(await task.nextAt?.()).toBe(NOW);
    expect(await task.run(NOW - 1)).toBe(false);
    expect(made()).toEqual([]);
    await task.run(NOW);
    await task.run(NOW);
    expect(made()).toEqual(['t0 1']);
    expect(await task.nextAt?.()).toBe(NOW + 5);
  });

  it('holds up neither the deadlines nor work of another kind while a handler waits', async () => {
    const { stores, log } = engine;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const done: DueOutcome = { kind: 'done' };
    const handled: string[] = [];
    const slow = { kind: 'slow', lease: LEASE, atOnce: 1, handle: () => held.then(() => done) };
    const quick = {
      ...slow,
      kind: 'quick',
      handle: async ({ id }: ClaimedTask) => {
        handled.push(id);
        return done;
      },
    };
    let turns = 0;
    const deadlines = {
      ...stores.deadlines,
      overdue: async () => {
        turns += 1;
        return [];
      },
    };
    const timers = createTimers({
      stores: { ...stores, deadlines },
      log,
      clock,
      activity: new Activity(),
      evidenceWait: MINUTE,
      deliveriesKept: 30 * DAY,
      dueWork: [slow, quick],
      logger: { error: (facts: object) => void failures.push(facts) },
    });
    await schedule({ kind: 'slow' });
    timers.start();
    await eventually(async () => expect(await stores.dueTasks.nextDue('slow')).toBe(NOW + LEASE));
    const before = turns;
    await schedule({ kind: 'quick', id: 'other' });
    await eventually(async () => {
      await timers.isIdle();
      expect(handled).toEqual(['other']);
    });
    clock.advance(2_000);
    await eventually(async () => expect(turns).toBeGreaterThan(before));
    release();
    await timers.stop();
    expect(failures).toEqual([]);
  });

  it('goes on at once while there is more than a page', async () => {
    await schedule({}, {}, {});
    const task = worker();
    expect([await task.run(NOW), await task.run(NOW), await task.run(NOW)]).toEqual([true, false, false]);
    expect(made().sort()).toEqual(['t0 1', 't1 1', 't2 1']);
  });

  it('is tried again at the time its handler says, with the attempt counted', async () => {
    outcome = async ({ attempt }) =>
      attempt < 3 ? { kind: 'again', next: { dueAt: NOW + attempt * 30, payload: { n: attempt } } } : { kind: 'done' };
    await schedule({});
    const task = worker();
    for (const now of [NOW, NOW + 29, NOW + 30, NOW + 59, NOW + 60, NOW + 90]) await task.run(now);
    expect(attempts.map(({ attempt, dueAt, payload }) => [attempt, dueAt - NOW, payload])).toEqual([
      [1, 0, {}],
      [2, 30, { n: 1 }],
      [3, 60, { n: 2 }],
    ]);
    expect(await task.nextAt?.()).toBeNull();
  });

  it('that is given up is kept with its reason, and is done once it is driven again', async () => {
    outcome = async () => ({ kind: 'given up', reason: '410 Gone' });
    await schedule({});
    const task = worker();
    await task.run(NOW);
    const { dueTasks } = engine.stores;
    expect(await dueTasks.givenUp('k', null, 10)).toMatchObject([{ id: 't0', reason: '410 Gone', givenUpAt: NOW }]);
    outcome = async () => ({ kind: 'done' });
    await dueTasks.redrive({ kind: 'k', id: 't0' }, { dueAt: NOW });
    await task.run(NOW);
    expect([made(), await dueTasks.givenUp('k', null, 10)]).toEqual([['t0 1', 't0 2'], []]);
  });

  it('whose handler throws is tried again when the lease has ended, and holds up none of the others', async () => {
    outcome = async ({ id, attempt }) => {
      if (id === 't0' && attempt === 1) throw new Error('a bug');
      return { kind: 'done' };
    };
    await schedule({}, {});
    const task = worker();
    await task.run(NOW);
    expect(failures).toMatchObject([{ kind: 'k', id: 't0', attempt: 1 }]);
    expect(await task.nextAt?.()).toBe(NOW + LEASE);
    await task.run(NOW + LEASE);
    expect(made()).toEqual(['t0 1', 't1 1', 't0 2']);
    expect(await task.nextAt?.()).toBeNull();
  });

  it('of several workers is shared out, each task to one of them', async () => {
    await schedule({}, {}, {}, {});
    await Promise.all([worker().run(NOW), worker().run(NOW), worker('another').run(NOW)]);
    expect(made().sort()).toEqual(['t0 1', 't1 1', 't2 1', 't3 1']);
  });
});
