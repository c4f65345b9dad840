import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Activity } from '../../lib/activity';
import { sleep } from '../../lib/sleep';
import { WorkerLoop, type Rest, type WorkerLoopOptions } from '../../lib/worker-loop';
import { until } from '../contract/helpers';

const fail = (error: unknown): never => {
  throw error;
};

/** A loop that rests as the list says, turn by turn, and then for a minute. */
function loopOf(rests: (Rest | Error)[], options: Partial<WorkerLoopOptions> = {}) {
  const began: number[] = [];
  const iterate = async (): Promise<Rest> => {
    began.push(performance.now());
    const next = rests.shift() ?? 60_000;
    if (next instanceof Error) throw next;
    return next;
  };
  const loop = new WorkerLoop({ iterate, onError: fail, backoff: { first: 5 }, ...options });
  return { loop, began };
}

/** Has timers wait for the test, which may have some time pass; then so many turns have begun. */
function frozenTimers(): (ms: number, began: readonly unknown[]) => Promise<number> {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  return async (ms, began) => {
    jest.advanceTimersByTime(ms);
    for (let n = 0; n < 10; n += 1) await new Promise((resolve) => setImmediate(resolve));
    return began.length;
  };
}
afterEach(() => {
  jest.useRealTimers();
});

describe('WorkerLoop', () => {
  it('goes on at once, or rests as long as a turn says', async () => {
    const { loop, began } = loopOf(['again', 30, 'again']);
    const turnsAfter = frozenTimers();
    loop.start();
    expect([await turnsAfter(0, began), await turnsAfter(29, began), await turnsAfter(1, began)]).toEqual([2, 2, 4]);
    await loop.stop();
  });

  it('begins with a rest where it is asked to', async () => {
    const { loop, began } = loopOf([]);
    const start = performance.now();
    loop.start(20);
    loop.start();
    await until(() => began.length >= 1, 1);
    expect(began[0]! - start).toBeGreaterThan(18);
    await loop.stop();
  });

  it('is woken from a rest, also from one of its own making', async () => {
    const { loop, began } = loopOf([60_000, (signal) => sleep(60_000, signal)]);
    loop.start();
    for (const turns of [1, 2, 3]) {
      await until(() => began.length >= turns, 1);
      await sleep(2);
      loop.wake();
    }
    await until(() => began.length >= 4, 1);
    await loop.stop();
    expect(began).toHaveLength(4);
  });

  it('skips the rest after a turn during which it was woken', async () => {
    let turns = 0;
    const iterate = async (): Promise<Rest> => {
      turns += 1;
      if (turns === 1) loop.wake();
      return 60_000;
    };
    const loop = new WorkerLoop({ iterate, onError: fail });
    loop.start();
    await until(() => turns >= 2, 1);
    await sleep(5);
    expect(turns).toBe(2);
    await loop.stop();
  });

  it('reports what a turn throws and tries again after waits that grow, which waking does not cut short', async () => {
    const onError = jest.fn();
    const errors = [new Error('a'), new Error('b')];
    const { loop, began } = loopOf([...errors, 'again', new Error('c'), 60_000], { onError, backoff: { first: 20 } });
    loop.start();
    await until(() => began.length >= 1, 1);
    await sleep(1);
    loop.wake();
    await until(() => began.length >= 5, 1);
    const gaps = began.slice(1).map((at, i) => at - began[i]!);
    expect(gaps[0]).toBeGreaterThan(18);
    expect(gaps[1]).toBeGreaterThan(38);
    expect(gaps[3]).toBeGreaterThan(18);
    expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual(['a', 'b', 'c']);
    await loop.stop();
  });

  it('goes on when a turn throws without a promise, and when the report fails too', async () => {
    let turns = 0;
    const iterate = (): Rest => {
      turns += 1;
      return turns === 1 ? fail(new Error('thrown')) : 60_000;
    };
    const loop = new WorkerLoop({ iterate, onError: fail, backoff: { first: 1 } });
    loop.start();
    await until(() => turns >= 2, 1);
    await loop.stop();
  });

  it('ends with the present turn, and ends rests and waits early', async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    let signal: AbortSignal | undefined;
    let turns = 0;
    const iterate = async (given: AbortSignal): Promise<Rest> => {
      signal = given;
      turns += 1;
      await gate;
      return 'again';
    };
    const loop = new WorkerLoop({ iterate, onError: fail });
    loop.start();
    let stopped = false;
    await until(() => turns >= 1, 1);
    const stopping = loop.stop().then(() => (stopped = true));
    await sleep(5);
    expect([stopped, signal?.aborted]).toEqual([false, true]);
    finish();
    await stopping;
    expect(turns).toBe(1);
    for (const rest of [60_000, new Error('failed')]) {
      const { loop: other, began } = loopOf([rest], { onError: () => {}, backoff: { first: 60_000, longest: 60_000 } });
      other.start();
      await until(() => began.length >= 1, 1);
      await sleep(2);
      await other.stop();
    }
  });

  it('does nothing when it is stopped before it starts', async () => {
    const { loop, began } = loopOf([]);
    await loop.stop();
    loop.start();
    await sleep(2);
    expect(began).toEqual([]);
  });

  it('counts as under way except for its rests', async () => {
    const activity = new Activity();
    const { loop, began } = loopOf([new Error('failed')], {
      onError: () => {},
      backoff: { first: 20 },
      task: { activity, name: 'looks' },
    });
    const turnsAfter = frozenTimers();
    loop.start();
    expect(await turnsAfter(0, began)).toBe(1);
    expect(activity.names(9)).toEqual(['looks']);
    expect(await turnsAfter(20, began)).toBe(2);
    expect(activity.isQuiet).toBe(true);
    await loop.stop();
    expect([activity.isQuiet, activity.names(9)]).toEqual([true, []]);
  });
});
