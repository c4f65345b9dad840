import { describe, expect, it } from '@jest/globals';
import { StoreClock } from '../../../app/agreement/store-clock';
import { steadyTime } from '../../../app/time-travel/advancing-clock';
import { SECOND } from '../../../lib/clock';

/** A machine whose clock is `ahead` ms ahead of a server that is `oneWay` ms away. */
const open = (ahead: number, oneWay = 0) => {
  const world = { time: 1_000_000, ahead, oneWay };
  const clock = new StoreClock({
    serverTime: async () => {
      world.time += world.oneWay;
      const at = world.time;
      world.time += world.oneWay;
      return at;
    },
    machineTime: () => world.time + world.ahead,
    monotonic: () => world.time - 900_000,
  });
  return { world, clock };
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
      const { clock } = open(ahead);
      await clock.measure();
      expect([ahead, clock.fault(5 * SECOND) !== null, clock.isRight()]).toEqual([ahead, warned, right]);
    }
  });

  it('takes the way of the answer off: a slow network is no wrong clock', async () => {
    const { clock } = open(0, 8_000);
    await clock.measure();
    expect(clock.skew()).toBe(0);
    const late = open(40_000, 2_000);
    await late.clock.measure();
    expect(late.clock.skew()).toBe(38_000);
  });

  it('notices at once that the machine’s clock was set, before it asks again', async () => {
    const { world, clock } = open(0);
    await clock.measure();
    world.time += 3_000;
    expect(clock.isRight()).toBe(true);
    world.ahead = -60_000;
    expect(clock.isRight()).toBe(false);
    expect(clock.fault(5 * SECOND)).toBe(
      'the clock of this machine is 60.0 s behind that of MongoDB: until it is right, this process claims nothing, hands nothing over and takes no lease',
    );
    world.ahead = 0;
    expect(clock.isRight()).toBe(true);
  });

  it('says that a clock that was ahead takes a restart: the time of a process never goes back', async () => {
    const world = { wall: 1_000_000, monotonic: 0 };
    const server = { ahead: 0 };
    const clock = new StoreClock({
      serverTime: async () => world.wall - server.ahead,
      machineTime: steadyTime(
        () => world.wall,
        () => world.monotonic,
      ),
      monotonic: () => world.monotonic,
    });
    await clock.measure();
    // The machine's clock jumps ahead, is seen so, and is set back.
    world.wall += 40_000;
    server.ahead = 40_000;
    expect(clock.isRight()).toBe(false);
    world.wall -= 40_000;
    server.ahead = 0;
    await clock.measure();
    expect(clock.isRight()).toBe(false);
    expect(clock.fault(5 * SECOND)).toMatch(/ ahead of .*; set it right, then restart this process$/);
  });
});
