import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Activity } from '../../lib/activity';

const never = new AbortController().signal;

/** Whether the promise has settled once everything that is ready to run has run. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise(setImmediate);
  return done;
}

/** A wait that ends when it is told to. */
function wait(): { promise: Promise<void>; end: () => void } {
  let end!: () => void;
  return { promise: new Promise((resolve) => (end = resolve)), end: () => end() };
}

describe('what the program is at', () => {
  test('is nothing before anything began and after everything ended', async () => {
    const activity = new Activity();
    expect(activity.isQuiet).toBe(true);
    activity.begin('coins 1');
    activity.begin('coins 1');
    const quiet = activity.quiet(never);
    activity.end('coins 1');
    expect([activity.isQuiet, await settled(quiet)]).toEqual([false, false]);
    activity.end('coins 1');
    expect([activity.isQuiet, await settled(quiet)]).toEqual([true, true]);
  });

  test('can be named', () => {
    const activity = new Activity();
    for (const name of ['a', 'b', 'c']) activity.begin(name);
    activity.end('b');
    expect(activity.names(5)).toEqual(['a', 'c']);
    expect(activity.names(1)).toEqual(['a']);
  });

  test('a loop that only waits for the clock is not at work, until its time comes', async () => {
    const activity = new Activity();
    const clock = wait();
    activity.begin('timers');
    const loop = activity.waiting('timers', clock.promise);
    expect(activity.isQuiet).toBe(true);
    clock.end();
    await loop;
    expect(activity.isQuiet).toBe(false);
  });

  test('a wait in the name of something that is not under way hides nothing else', async () => {
    const activity = new Activity();
    const clock = wait();
    const stranger = activity.waiting('dispatch x', clock.promise);
    activity.begin('dispatch y');
    expect(activity.names(5)).toEqual(['dispatch y']);
    activity.end('dispatch y');
    clock.end();
    await stranger;
    expect(activity.isQuiet).toBe(true);
  });

  test('something that ends while another waits in its name leaves nothing behind', async () => {
    const activity = new Activity();
    const clock = wait();
    activity.begin('dispatch x');
    const waiting = activity.waiting('dispatch x', clock.promise);
    activity.end('dispatch x');
    clock.end();
    await waiting;
    activity.begin('dispatch x');
    expect(activity.isQuiet).toBe(false);
    activity.end('dispatch x');
    expect(activity.isQuiet).toBe(true);
  });

  test('waiting for quiet ends when the signal aborts', async () => {
    const activity = new Activity();
    const end = new AbortController();
    activity.begin('a');
    const quiet = activity.quiet(end.signal);
    end.abort();
    expect([await settled(quiet), await settled(activity.quiet(end.signal))]).toEqual([true, true]);
  });

  test('whatever begins and ends in whatever order: quiet exactly when each name has no more at work than waits', () => {
    const moves = fc.array(
      fc.record({ name: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('begin', 'end', 'wait') }),
    );
    fc.assert(
      fc.property(moves, (list) => {
        const activity = new Activity();
        const atWork = new Map<string, number>();
        const waiting = new Map<string, number>();
        for (const { name, kind } of list) {
          const before = activity.changes;
          const count = atWork.get(name) ?? 0;
          if (kind === 'end' && count === 0) continue;
          if (kind === 'wait') {
            void activity.waiting(name, new Promise(() => undefined));
            waiting.set(name, (waiting.get(name) ?? 0) + 1);
          } else {
            activity[kind](name);
            atWork.set(name, count + (kind === 'begin' ? 1 : -1));
          }
          expect(activity.changes).toBeGreaterThan(before);
        }
        const busy = [...atWork].filter(([name, count]) => count > (waiting.get(name) ?? 0)).map(([name]) => name);
        expect(activity.names(9).sort()).toEqual(busy.sort());
        expect(activity.isQuiet).toBe(busy.length === 0);
      }),
    );
  });
});
