import { describe, expect, test } from '@jest/globals';
import { AdvancingClock, followed } from '../../lib/advancing-clock';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import { TEST_START, frozenClock } from '../support/clock';

/** Lets everything that is ready to run do so, and answers which of the promises have settled. */
async function settled(promises: readonly Promise<unknown>[]): Promise<boolean[]> {
  const done = promises.map(() => false);
  promises.forEach((promise, i) => void promise.then(() => (done[i] = true)));
  await new Promise(setImmediate);
  return done;
}

describe('the time it tells', () => {
  test('is the base and the offset', () => {
    const clock = new AdvancingClock(HOUR, () => TEST_START);
    expect(clock.now()).toBe(TEST_START + HOUR);
  });

  test('moves by what it is advanced', () => {
    const clock = frozenClock();
    clock.advance(3 * DAY);
    clock.advance(0);
    clock.advance(MINUTE);
    expect(clock.now()).toBe(TEST_START + 3 * DAY + MINUTE);
  });

  test.each([-1, NaN, -Infinity])('never moves back (%p)', (ms) => {
    const clock = frozenClock();
    expect(() => {
      clock.advance(ms);
    }).toThrow(RangeError);
    expect(clock.now()).toBe(TEST_START);
  });

  test('moves to an offset, and not back to a smaller one', () => {
    const clock = frozenClock();
    clock.moveTo(HOUR);
    clock.moveTo(MINUTE);
    expect([clock.offset, clock.now(), clock.machineTime()]).toEqual([HOUR, TEST_START + HOUR, TEST_START]);
  });

  test('is the time of the system when nothing else is handed in', () => {
    const before = Date.now();
    const now = new AdvancingClock().now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('waiting until a time', () => {
  test('ends at once when the time is now or past', async () => {
    const clock = frozenClock();
    expect(await settled([clock.until(TEST_START), clock.until(TEST_START - 1)])).toEqual([true, true]);
  });

  test('moving the clock wakes the waiters it passes, and no other', async () => {
    const clock = frozenClock();
    const stop = new AbortController();
    const waits = [MINUTE, HOUR, HOUR + 1].map((ms) => clock.until(TEST_START + ms, stop.signal));
    expect(await settled(waits)).toEqual([false, false, false]);
    clock.advance(HOUR);
    expect(await settled(waits)).toEqual([true, true, false]);
    clock.advance(1);
    expect(await settled(waits)).toEqual([true, true, true]);
  });

  test('ends by itself when real time gets there', async () => {
    const clock = new AdvancingClock();
    const at = clock.now() + 20;
    await clock.until(at);
    expect(clock.now()).toBeGreaterThanOrEqual(at);
  });

  test('longer than a timer can run it neither ends early nor fails', async () => {
    const clock = frozenClock();
    const stop = new AbortController();
    const wait = clock.until(TEST_START + 400 * DAY, stop.signal);
    expect(await settled([wait])).toEqual([false]);
    clock.advance(400 * DAY);
    expect(await settled([wait])).toEqual([true]);
  });

  test('ends, without an error, when the signal aborts', async () => {
    const clock = frozenClock();
    const stop = new AbortController();
    const wait = clock.until(TEST_START + HOUR, stop.signal);
    stop.abort();
    expect(await settled([wait])).toEqual([true]);
    expect(clock.now()).toBe(TEST_START);
  });

  test('with a look before that ends then; the next due time is the one that is waited for', async () => {
    const clock = frozenClock();
    expect(clock.nextDue()).toBe(Infinity);
    const waits = [
      clock.until(TEST_START + DAY, undefined, TEST_START + MINUTE),
      clock.until(TEST_START + HOUR),
      clock.until(Infinity, undefined, TEST_START + 1),
    ];
    expect(clock.nextDue()).toBe(TEST_START + HOUR);
    clock.advance(MINUTE);
    expect(await settled(waits)).toEqual([true, false, true]);
    clock.advance(HOUR);
    expect([await settled(waits), clock.nextDue()]).toEqual([[true, true, true], Infinity]);
  });

  test('does not begin when the signal was aborted before', async () => {
    expect(await settled([frozenClock().until(TEST_START + HOUR, AbortSignal.abort())])).toEqual([true]);
  });

  test('one waiter may start another while the clock moves', async () => {
    const clock = frozenClock();
    const chain = clock.until(TEST_START + 1).then(() => clock.until(TEST_START + 2));
    clock.advance(2);
    expect(await settled([chain])).toEqual([true]);
  });
});

describe('the time of a machine', () => {
  const follow = () => {
    let time = TEST_START;
    return (elapsed: number, wall: number): number => (time = followed(time, elapsed, wall));
  };

  // spec: docs/contract.md#time: a clock that was ahead is right at once when it is set back
  test('is that of its clock, also when it is set forward, and back by more than half a minute', () => {
    const time = follow();
    expect(time(MINUTE, TEST_START + MINUTE)).toBe(TEST_START + MINUTE);
    expect(time(MINUTE, TEST_START + 2 * DAY)).toBe(TEST_START + 2 * DAY);
    expect(time(MINUTE, TEST_START + 2 * MINUTE)).toBe(TEST_START + 2 * MINUTE);
    expect(time(SECOND, TEST_START + 2 * MINUTE - 30 * SECOND)).toBe(TEST_START + 2 * MINUTE - 30 * SECOND);
  });

  test('runs slower until a clock that was set back a little has caught up', () => {
    const time = follow();
    const shown = [1, 2, 3].map((n) => time(SECOND, TEST_START - 200 + n * SECOND) - TEST_START);
    expect(shown).toEqual([900, 1_800, 2_800]);
  });
});

describe('a clock that is set back', () => {
  test('wakes whoever waits within a second or so, and moving it does no more', async () => {
    let wall = TEST_START + 2 * DAY;
    const clock = new AdvancingClock(0, () => wall);
    const waits = [clock.until(wall + HOUR), clock.until(Infinity, undefined, wall + HOUR)];
    expect(await settled(waits)).toEqual([false, false]);
    wall = TEST_START;
    await Promise.all(waits);
    expect(clock.nextDue()).toBe(Infinity);
  });
});
