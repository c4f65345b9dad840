import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdvancingClock } from '../../../lib/advancing-clock';
import type { Part } from '../../../app/core/part';
import { restoreClock } from '../../../app/time-travel/stored-clock';
import { TimeTravel, type TravelDeps } from '../../../app/time-travel/time-travel';
import { Activity } from '../../../lib/activity';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { UnavailableError } from '../../../lib/errors';
import { frozenClock, TEST_START } from '../../support/clock';

let clock: AdvancingClock;
let activity: Activity;
/** What happened, with the time since the start. */
let happened: [string, number][];
let over: AbortController;
afterEach(() => over.abort());
beforeEach(() => {
  over = new AbortController();
  clock = frozenClock();
  activity = new Activity();
  happened = [];
});

const note = (what: string): void => void happened.push([what, clock.now() - TEST_START]);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A part that is at work, in real time, each time one of its waits is over. */
async function worker(name: string, waits: readonly number[]): Promise<void> {
  activity.begin(name);
  for (const wait of waits) {
    await activity.waiting(name, clock.until(clock.now() + wait, over.signal));
    await pause(10);
    note(name);
  }
  activity.end(name);
}

const travel = (deps: Partial<TravelDeps> = {}): TimeTravel =>
  new TimeTravel({ clock, activity, settings: { set: async () => undefined }, parts: [], ...deps });

const part = (more: Partial<Part>): Part => ({
  name: 'part',
  start: async () => undefined,
  stop: async () => undefined,
  ...more,
});

describe('advancing', () => {
  test('takes each wait at its own time, also those that begin on the way', async () => {
    void worker('a', [MINUTE, MINUTE, HOUR]);
    void worker('b', [90 * SECOND, DAY]);
    const done = await travel().advance(2 * HOUR);
    expect(happened).toEqual([
      ['a', MINUTE],
      ['b', 90 * SECOND],
      ['a', 2 * MINUTE],
      ['a', HOUR + 2 * MINUTE],
    ]);
    expect(done).toEqual({ at: TEST_START + 2 * HOUR, moved: 2 * HOUR, whole: 2 * HOUR, steps: 5, stopped: false });
    expect(clock.now()).toBe(TEST_START + 2 * HOUR);
  });

  test('a look for safety is no step, but is taken at each', async () => {
    let looks = 0;
    void (async () => {
      activity.begin('look');
      for (; !over.signal.aborted; looks += 1) {
        await activity.waiting('look', clock.until(Infinity, over.signal, clock.now() + SECOND));
      }
    })();
    void worker('a', [HOUR]);
    expect((await travel().advance(DAY)).steps).toBe(2);
    expect(looks).toBe(2);
  });

  test('takes what is due within milliseconds together, and what stands alone at its own time', async () => {
    const crowd = Array.from({ length: 300 }, (_, i) => worker('crowd', [MINUTE + 2 * i]));
    void worker('alone', [HOUR]);
    const { steps } = await travel().advance(DAY);
    await Promise.all(crowd);
    expect(steps).toBeLessThan(20);
    const late = happened.slice(0, 300).map(([, at], i) => at - MINUTE - 2 * i);
    expect(Math.min(...late)).toBe(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(512);
    expect(happened.slice(300)).toEqual([['alone', HOUR]]);
  });

  test('stops at what only the store knows of, and goes on once the part has seen to it', async () => {
    const due = [TEST_START + MINUTE, TEST_START + HOUR];
    const stored = part({
      nextDue: async () => due[0] ?? null,
      isIdle: async () => {
        if (due.length === 0 || due[0]! > clock.now()) return true;
        due.shift();
        note('stored');
        return false;
      },
    });
    await travel({ parts: [stored] }).advance(DAY);
    expect(happened).toEqual([
      ['stored', MINUTE],
      ['stored', HOUR],
    ]);
  });

  test('is not done before what falls due at its end has happened', async () => {
    void worker('a', [HOUR]);
    await travel().advance(HOUR);
    expect(happened).toEqual([['a', HOUR]]);
  });

  test('stores the offset before the clock shows it', async () => {
    const stored: number[] = [];
    const settings: TravelDeps['settings'] = {
      set: async (name, value) => {
        expect(name).toBe('clock_offset');
        expect(clock.offset).toBe(stored.at(-1) ?? 0);
        stored.push(value as number);
        await pause(1);
      },
    };
    void worker('a', [MINUTE]);
    await travel({ settings }).advance(HOUR);
    expect(stored).toEqual([MINUTE, HOUR]);
    const later = frozenClock(TEST_START + 5);
    await restoreClock(later, { get: async () => stored.at(-1) });
    expect(later.now()).toBe(TEST_START + HOUR + 5);
  });

  test('does not move the clock when the offset cannot be stored', async () => {
    const settings = { set: () => Promise.reject(new UnavailableError('The disk is full.')) };
    const broken = travel({ settings });
    await expect(broken.advance(HOUR)).rejects.toThrow('The disk is full.');
    expect(clock.now()).toBe(TEST_START);
    expect(broken.progress).toBeNull();
  });

  test('says what is at work when the service does not come to rest', async () => {
    activity.begin('coins 7');
    await expect(travel({ stuckAfter: 20 }).advance(HOUR)).rejects.toThrow('still running: coins 7.');
    expect(clock.now()).toBe(TEST_START);
  });

  test('gives up when something new happens all the time', async () => {
    const busy = part({ isIdle: async () => (activity.begin('x'), activity.end('x'), true) });
    await expect(travel({ parts: [busy] }).advance(HOUR)).rejects.toThrow('Stop what keeps sending to it');
  });

  test('waits for a record that its reader has not been told of', async () => {
    let looks = 0;
    await travel({ parts: [part({ isIdle: async () => (looks += 1) > 3 })] }).advance(HOUR);
    expect(looks).toBeGreaterThan(4);
  });

  test('tells where it is, and closing ends it where it is', async () => {
    activity.begin('long work');
    const way = travel();
    const end = expect(way.advance(HOUR)).rejects.toThrow('The service is stopping; its clock does not move.');
    expect(way.progress).toEqual({ at: TEST_START, moved: 0, whole: HOUR, steps: 0 });
    await way.close();
    await end;
    expect([way.progress, clock.now()]).toEqual([null, TEST_START]);
    await expect(way.advance(HOUR)).rejects.toThrow('stopping');
  });

  test('does not leave the years of four digits', async () => {
    const late = frozenClock(Date.UTC(9999, 11, 31));
    await expect(travel({ clock: late }).advance(2 * DAY)).rejects.toThrow('year 9999');
  });
});

describe('the stored offset', () => {
  test('is zero where none is stored, and never takes a clock back', async () => {
    expect(await restoreClock(clock, { get: async () => undefined })).toBe(0);
    clock.advance(DAY);
    await restoreClock(clock, { get: async () => HOUR });
    expect(clock.offset).toBe(DAY);
  });

  test.each([
    ['a text', '5'],
    ['less than nothing', -1],
    ['a fraction', 0.5],
    ['an object', {}],
  ])('is refused when it is %s', async (_what, value) => {
    await expect(restoreClock(clock, { get: async () => value })).rejects.toThrow('The stored clock offset is damaged');
  });
});
