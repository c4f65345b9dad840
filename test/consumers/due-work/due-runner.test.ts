import Joi from 'joi';
import { afterEach, describe, expect, it } from '@jest/globals';
import { done, type DueOutcome, type DueWorkTask } from '../../../consumers/due-work/due-work';
import type { DueWorkSpec } from '../../../schemas/due-work/table';
import { GOAL_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { StoredTask } from '../../../stores/ports/due-tasks';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { messageId } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { anyTask, dueRunner } from '../../support/due-work';

const LEASE = MINUTE;
const payload = { messageId: messageId() };

describe('due work', () => {
  const subject = freshEngine(openTemporary);
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  /** A running worker, the attempts it made, and what each is to come to. */
  function worker(
    outcome: (task: DueWorkTask<typeof GOAL_WORK>) => Promise<DueOutcome<typeof GOAL_WORK>> = async () => done,
    spec: Partial<DueWorkSpec> = {},
  ) {
    const attempts: DueWorkTask<typeof GOAL_WORK>[] = [];
    const each = (task: DueWorkTask<typeof GOAL_WORK>) => {
      attempts.push(task);
      return outcome(task);
    };
    const made = dueRunner(subject, GOAL_WORK, { each }, { lease: LEASE, atOnce: 2, ...spec });
    made.runner.start();
    stops.push(() => made.runner.stop());
    const advance = async (ms: number): Promise<void> => {
      subject.clock.advance(ms);
      await made.idle();
    };
    return { ...made, attempts, advance, made: () => attempts.map(({ id, attempt }) => `${id} ${attempt}`).sort() };
  }
  const schedule = (...tasks: Partial<StoredTask>[]): Promise<void> =>
    subject.stores.dueTasks.schedule(
      tasks.map((task, n) =>
        anyTask({ kind: GOAL_WORK, id: `t${n}`, workspaceId: 1, lane: '', dueAt: NOW, payload, ...task }),
      ),
    );
  const nextDue = () => subject.stores.dueTasks.nextDue(GOAL_WORK);

  it('is done when it is due, once, and says when it falls due next', async () => {
    await schedule({ dueAt: NOW + 3 }, { dueAt: NOW + 5 });
    const { runner, made, advance } = worker();
    await advance(2);
    expect([made(), await runner.nextDue()]).toEqual([[], NOW + 3]);
    await advance(1);
    await advance(1);
    expect([made(), await runner.nextDue()]).toEqual([['t0 1'], NOW + 5]);
  });

  it('is looked for every second, and at once when it is woken', async () => {
    const { runner, made, idle } = worker();
    await idle();
    await schedule({ id: 'woken' });
    runner.wake();
    await eventually(async () => expect(made()).toEqual(['woken 1']));
    await idle();
    await schedule({ id: 'found' });
    subject.clock.advance(SECOND);
    await eventually(async () => expect(made()).toEqual(['found 1', 'woken 1']));
  });

  it('that waits for a slow handler holds up no other', async () => {
    let release = (): void => {};
    const slow = new Promise<typeof done>((resolve) => (release = () => resolve(done)));
    const { made, runner } = worker(({ id }) => (id === 'slow' ? slow : Promise.resolve(done)));
    await schedule({ id: 'slow' }, {}, {}, {});
    runner.wake();
    await eventually(async () => expect(made()).toHaveLength(4));
    await eventually(async () => expect(await nextDue()).toBe(NOW + LEASE));
    release();
  });

  it('goes on at once while there is more than there is room for, and never does more at once', async () => {
    let [running, most] = [0, 0];
    const { made, advance } = worker(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return done;
    });
    await schedule({}, {}, {}, {}, {});
    await advance(SECOND);
    expect([made(), most]).toEqual([['t0 1', 't1 1', 't2 1', 't3 1', 't4 1'], 2]);
  });

  it('is handed over in batches, which finish their tasks themselves', async () => {
    const { dueTasks } = subject.stores;
    const sizes: number[] = [];
    const batch = async (tasks: readonly DueWorkTask<typeof STEP_WORK>[]): Promise<void> => {
      sizes.push(tasks.length);
      for (const task of tasks) await dueTasks.finish(task);
    };
    const { runner, idle } = dueRunner(subject, STEP_WORK, { batch }, { batch: 3, atOnce: 2 });
    await schedule(...Array.from({ length: 8 }, () => ({ kind: STEP_WORK, payload: {} })));
    runner.start();
    await idle();
    await runner.stop();
    expect(sizes).toEqual([3, 3, 2]);
  });

  it('is tried again at the time its handler says, with the attempt counted', async () => {
    const later = { messageId: messageId() };
    const { attempts, advance } = worker(async ({ attempt }) =>
      attempt < 3 ? { kind: 'again', next: { dueAt: NOW + attempt * 30, payload: later } } : done,
    );
    await schedule({});
    await advance(0);
    for (const ms of [29, 1, 29, 1, 30]) await advance(ms);
    expect(attempts.map((one) => [one.attempt, one.dueAt - NOW, one.payload])).toEqual([
      [1, 0, payload],
      [2, 30, later],
      [3, 60, later],
    ]);
    expect(await nextDue()).toBeNull();
  });

  it('that is given up is kept with its reason, and is done once it is driven again', async () => {
    const { made, advance } = worker(async ({ attempt }) =>
      attempt === 1 ? { kind: 'given up', reason: '410 Gone' } : done,
    );
    await schedule({});
    const { dueTasks } = subject.stores;
    await advance(SECOND);
    expect(await dueTasks.givenUp(GOAL_WORK, null, 10)).toMatchObject([{ id: 't0', reason: '410 Gone' }]);
    await dueTasks.redrive({ kind: GOAL_WORK, id: 't0' }, { dueAt: NOW });
    await advance(SECOND);
    expect([made(), await dueTasks.givenUp(GOAL_WORK, null, 10)]).toEqual([['t0 1', 't0 2'], []]);
  });

  it('whose handler throws is tried again when the lease has ended, and holds up none of the others', async () => {
    const { made, advance, errors } = worker(async ({ id, attempt }) => {
      if (id === 't0' && attempt === 1) throw new Error('a bug');
      return done;
    });
    await schedule({}, {});
    await advance(SECOND);
    expect(errors).toMatchObject([{ kind: GOAL_WORK, id: 't0', attempt: 1 }]);
    expect(await nextDue()).toBe(NOW + SECOND + LEASE);
    await advance(LEASE);
    expect([made(), await nextDue()]).toEqual([['t0 1', 't0 2', 't1 1'], null]);
  });

  it('reports each attempt as worked or failed under its kind, with the time of its retry', async () => {
    const reports: unknown[] = [];
    const work = {
      worked: (what: string) => void reports.push(what),
      failed: (what: string, error: unknown, retryAfter?: number) => void reports.push([what, error, retryAfter]),
    };
    const bug = new Error('a bug');
    const each = async ({ attempt }: { attempt: number }): Promise<typeof done> => {
      if (attempt === 1) throw bug;
      return done;
    };
    const { runner, idle } = dueRunner(
      { stores: subject.stores, clock: subject.clock, work },
      GOAL_WORK,
      { each },
      { lease: LEASE },
    );
    await schedule({});
    runner.start();
    stops.push(() => runner.stop());
    await idle();
    expect(reports).toEqual([[`due work ${GOAL_WORK}`, bug, LEASE + SECOND]]);
    subject.clock.advance(LEASE);
    await idle();
    expect(reports.slice(1)).toEqual([`due work ${GOAL_WORK}`]);
  });

  it('of several workers is shared out, each task to one of them', async () => {
    await schedule({}, {}, {}, {});
    const [one, other] = [worker(), worker()];
    await Promise.all([one.advance(SECOND), other.advance(0)]);
    expect([...one.made(), ...other.made()].sort()).toEqual(['t0 1', 't1 1', 't2 1', 't3 1']);
  });

  it('whose payload fails its schema is given up with the reason, and holds up none of the others', async () => {
    const { made, advance, errors } = worker();
    await schedule({ id: 'bad', payload: { messageId: 7 } }, { id: 'good', payload: { ...payload, more: 1 } });
    await advance(SECOND);
    const reason = `not a payload of ${GOAL_WORK}, version 1: "messageId" must be a string`;
    expect(await subject.stores.dueTasks.givenUp(GOAL_WORK, null, 10)).toMatchObject([{ id: 'bad', reason }]);
    expect([made(), errors]).toEqual([['good 1'], [{ kind: GOAL_WORK, id: 'bad', reason }]]);
  });

  it('whose payload is of an unknown version is reported and left to a newer program', async () => {
    const { made, advance, errors, runner } = worker();
    await schedule({ id: 'newer', payload: { ...payload, v: 2 } });
    await advance(SECOND);
    expect(errors).toMatchObject([{ id: 'newer', reason: expect.stringContaining('version 2') }]);
    expect(await nextDue()).toBe(NOW + SECOND + LEASE);
    await runner.stop();
    const schema = Joi.object().unknown();
    const upgrade = (value: unknown): unknown => ({ ...(value as object), upgraded: true });
    const newer = worker(undefined, { versions: [{ schema, upgrade }, { schema }] });
    await schedule({ id: 'older' });
    await newer.advance(LEASE);
    expect(made()).toEqual([]);
    expect(newer.attempts.map(({ id, payload: read }) => [id, read])).toEqual(
      expect.arrayContaining([
        ['newer', { ...payload, v: 2 }],
        ['older', { ...payload, upgraded: true }],
      ]),
    );
  });

  it('that cannot be claimed is looked for again after a wait, and the failure is logged', async () => {
    const { dueTasks } = subject.stores;
    let fails = 2;
    const claim: typeof dueTasks.claim = async (request) => {
      if (fails-- > 0) throw new Error('the disk is full');
      return dueTasks.claim(request);
    };
    await schedule({});
    const handled: string[] = [];
    const stores = { dueTasks: { ...dueTasks, claim } };
    const each = async ({ id }: { id: string }): Promise<typeof done> => (handled.push(id), done);
    const { runner, errors } = dueRunner({ stores, clock: subject.clock }, GOAL_WORK, { each });
    runner.start();
    await eventually(async () => expect(handled).toEqual(['t0']));
    await runner.stop();
    expect(errors.map(({ err }) => (err as Error).message)).toEqual(['the disk is full', 'the disk is full']);
  });
});
