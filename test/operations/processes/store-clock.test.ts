import { describe, expect, it } from '@jest/globals';
import { StoreClock } from '../../../operations/processes/store-clock';
import { DAY, HOUR, SECOND } from '../../../lib/clock';

const START = 1_000_000;

/** A machine whose clock is `ahead` ms ahead of a store that is `oneWay` ms away. */
const open = (ahead: number, oneWay = 0) => {
  const world = { time: START, ahead, oneWay };
  const clock = new StoreClock({
    wall: () => world.time + world.ahead,
    monotonic: () => world.time - 900_000,
  });
  const measure = (): Promise<void> =>
    clock.measure(async () => {
      world.time += world.oneWay;
      const at = world.time;
      world.time += world.oneWay;
      return at;
    });
  /** How far the time of the process is ahead of the store's. */
  const off = (): number => clock.now() - world.time;
  return { world, clock, measure, off };
};

describe('the clock of a process against that of the store', () => {
  it('is right within 5 seconds, warned of beyond, and not to be acted on beyond 30', async () => {
    for (const [ahead, warned, right] of [
      [0, false, true],
      [5_000, false, true],
      [-5_001, true, true],
      [30_000, true, true],
      [30_001, true, false],
      [-40_000, true, false],
    ] as const) {
      const { clock, measure } = open(ahead);
      await measure();
      expect([ahead, clock.fault(5 * SECOND) !== null, clock.isRight()]).toEqual([ahead, warned, right]);
    }
  });

  it('takes the way of the answer off: a slow network is no wrong clock', async () => {
    const { clock, measure } = open(0, 8_000);
    await measure();
    expect(clock.skew()).toBe(0);
    const late = open(40_000, 2_000);
    await late.measure();
    expect(late.clock.skew()).toBe(38_000);
  });

  it('that is wrong stays wrong through an answer that took long', async () => {
    const { world, clock, measure } = open(60_000);
    await measure();
    world.oneWay = 31_000;
    await measure();
    expect([clock.skew(), clock.isRight()]).toEqual([60_000, false]);
  });

  it('notices at once that the machine’s clock was set, before it asks again', async () => {
    const { world, clock, measure } = open(0);
    await measure();
    world.time += 3_000;
    expect(clock.isRight()).toBe(true);
    world.ahead = -60_000;
    expect(clock.isRight()).toBe(false);
    expect(clock.fault(5 * SECOND)).toBe(
      "the clock of this machine is 60.0 s behind MongoDB's: until it is synchronized, this process accepts and sends no messages and reads no records",
    );
    world.ahead = 0;
    expect(clock.isRight()).toBe(true);
  });
});

describe('the time of a process', () => {
  it.each([3_600_000, -3_600_000, 31_000])(
    'goes on as before while the machine’s clock is set %d ms off, and when it is right again',
    async (jump) => {
      const { world, clock, measure, off } = open(0);
      await measure();
      for (const ahead of [0, jump, jump, 0, 0]) {
        world.ahead = ahead;
        world.time += 10_000;
        expect([ahead, off(), clock.isRight()]).toEqual([ahead, 0, ahead === 0]);
      }
    },
  );

  it.each([3_600_000, -3_600_000])('is the store’s when the machine is %d ms off from the start', async (ahead) => {
    const { world, measure, off } = open(ahead);
    expect(off()).toBe(ahead);
    await measure();
    expect(off()).toBe(0);
    world.time += 10_000;
    await measure();
    expect(off()).toBe(0);
    world.ahead = 2_000;
    expect(off()).toBe(2_000);
  });

  it('never goes back for a clock that was set back a little: it runs slower until that has caught up', async () => {
    const { world, measure, off, clock } = open(20_000);
    await measure();
    expect(off()).toBe(20_000);
    world.ahead = 0;
    let last = clock.now();
    for (let seconds = 0; seconds < 201; seconds += 1) {
      world.time += SECOND;
      const now = clock.now();
      expect(now - last).toBeGreaterThanOrEqual(0.9 * SECOND - 1);
      last = now;
    }
    expect(off()).toBe(0);
  });

  it.each([HOUR, 2 * DAY])(
    'is right at once when the clocks of machine and store were %d ms ahead together',
    async (by) => {
      let real = START;
      let ahead = by;
      const clock = new StoreClock({ wall: () => real + ahead, monotonic: () => real - 900_000 });
      const measure = (): Promise<void> => clock.measure(async () => real + ahead);
      await measure();
      expect(clock.now()).toBe(START + by);
      real += 40 * SECOND;
      expect(clock.now()).toBe(real + by);
      ahead = 0;
      // Until it has asked again, the machine's clock is the one that is wrong.
      expect([clock.isRight(), clock.now()]).toEqual([false, real + by]);
      await measure();
      expect([clock.isRight(), clock.now()]).toEqual([true, real]);
    },
  );
});
