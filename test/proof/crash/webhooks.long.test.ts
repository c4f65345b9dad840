import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { memoryGrowth, quartersOf } from '../../../proof/crash/webhooks/memory-watch';
import { runWebhooks } from '../../../proof/crash/webhooks/run-webhooks';
import { checkSchedule, checkUnderLoad } from '../../../proof/crash/webhooks/schedule';
import { twoOfAll } from '../../../proof/crash/stage/role-lists';
import type { StageOptions } from '../../../proof/crash/stage/stage';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';

/** At 0 and 30 s, or the first alone; `npm run crash -- --scenario webhooks` waits for all five. */
const ATTEMPTS = EVERYTHING ? 2 : 1;
const PROGRAM = join(__dirname, '../../../dist/crash.js');

async function expectAllToArrive(place: Partial<StageOptions>, events: number): Promise<void> {
  const kills = 2;
  const { faults, ...found } = await runWebhooks({
    program: PROGRAM,
    ...place,
    seed: 1,
    events,
    kills,
    attempts: ATTEMPTS,
    // How soon is for `npm run crash` to say: machines that run tests have other things to do.
    late: Infinity,
    progress: () => undefined,
  });
  expect(faults).toEqual([]);
  expect(found).toMatchObject({ events, kills });
  expect(found.arrived).toBe((events / 2) * 17);
}

describe('npm run crash -- --scenario webhooks, in small', () => {
  // spec: docs/contract.md#webhook-delivery: the same by the clock of a receiver, under load and `kill -9`
  it('17 of 20 endpoints get every event through kill -9, and the others their attempts at their times', async () => {
    await expectAllToArrive({}, 480);
  }, 600_000);
});

describeOnCluster('npm run crash -- --scenario webhooks on the cluster engine, in small', (urls) => {
  it('17 of 20 endpoints get every event though each of two processes is killed', async () => {
    await expectAllToArrive(twoOfAll(clusterInstallation(urls, uniqueName())), 240);
  }, 600_000);
});

describe('the memory of a process', () => {
  const life = (...quarters: number[]) => quarters.flatMap((memory) => Array<number>(60).fill(memory));

  it('is told by the most of each quarter of its life', () => {
    expect(quartersOf([1, 9, 3, 4, 5, 6.4, 7])).toEqual([9, 4, 6, 7]);
    expect(quartersOf([])).toEqual([0, 0, 0, 0]);
  });

  it('may not grow by more than 15 % after the second quarter of a long life', () => {
    expect(memoryGrowth(life(100, 300, 400, 345))).toEqual([]);
    expect(memoryGrowth(life(100, 300, 400, 346))).toEqual(['memory grew: 100, 300, 400, 346 MB by quarters']);
    expect(memoryGrowth(life(100, 200, 300, 400).slice(1))).toEqual([]);
  });
});

describe('the schedule of attempts at a receiver', () => {
  const T = 1_000_000;
  const attemptsAt = (...times: number[]) => times.map((at) => ({ at: T + at, wasInterrupted: false }));
  const receivedAt = (...times: number[]) => times.map((at) => T + at);

  it('is 0, 30, 90, 180 and 300 s, and says how far off the worst attempt was', () => {
    const attempts = attemptsAt(0, 30_010, 90_020, 180_030, 300_040);
    const received = receivedAt(3, 30_040, 90_025, 180_040, 300_050);
    expect(checkSchedule({ attempts, received }, [])).toEqual({ faults: [], worst: 37 });
  });

  it.each([
    ['early', attemptsAt(0, 27_000), receivedAt(0, 27_000), 'attempt 2 came -3000 ms after its time'],
    ['late', attemptsAt(0, 33_000), receivedAt(0, 33_000), 'attempt 2 came 3000 ms after its time'],
    ['missing', attemptsAt(0, 30_000), receivedAt(0), '1 requests, and 2 attempts of which 2 ended'],
  ])('refuses an attempt that is %s', (_what, attempts, received, fault) => {
    expect(checkSchedule({ attempts, received }, []).faults).toContain(fault);
  });

  it('lets an attempt that fell due while nothing ran come at the start', () => {
    const watched = { attempts: attemptsAt(0, 33_000), received: receivedAt(0, 33_000) };
    expect(checkSchedule(watched, [{ from: T + 29_000, to: T + 32_500 }]).faults).toEqual([]);
  });

  it('expects the next attempt at the end of the lease when a process died in one', () => {
    const lost = { at: T + 30_000, wasInterrupted: true };
    const [first, third, late] = attemptsAt(0, 60_100, 90_000);
    expect(checkSchedule({ attempts: [first!, lost, third!], received: receivedAt(0, 60_100) }, []).faults).toEqual([]);
    expect(checkSchedule({ attempts: [first!, lost, late!], received: receivedAt(0, 90_000) }, []).faults).toEqual([
      'attempt 3 came 30000 ms after its time',
    ]);
    const twice = { attempts: [first!, lost, lost, late!], received: receivedAt(0, 30_000, 60_000, 90_000) };
    expect(checkSchedule(twice, []).faults).toEqual([]);
  });

  it('under load is never shorter, and never more than five attempts', () => {
    expect(checkUnderLoad(receivedAt(0, 31_000, 130_000))).toEqual([]);
    expect(checkUnderLoad(receivedAt(0, 20_000))).toEqual(['a wait of less than 30 s']);
    expect(checkUnderLoad(receivedAt(0, 30_000, 90_000, 180_000, 300_000, 400_000))).toEqual(['6 requests']);
  });
});
