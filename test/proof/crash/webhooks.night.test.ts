import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { memoryGrowth, quartersOf } from '../../../proof/crash/webhooks/memory-watch';
import { runWebhooks } from '../../../proof/crash/webhooks/run-webhooks';
import { Arrivals } from '../../../proof/crash/webhooks/arrivals';
import type { Line } from '../../../proof/judge/history';
import { twoOfAll } from '../../../proof/crash/stage/role-lists';
import type { StageOptions } from '../../../proof/crash/stage/stage';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';

/** At 0 and 30 s, or the first alone; `npm run crash -- --scenario webhooks` waits for all five. */
const ATTEMPTS = EVERYTHING ? 2 : 1;
const [KILLS, EVENTS] = EVERYTHING ? [2, 480] : [1, 160];
const PROGRAM = join(__dirname, '../../../dist/crash.js');

async function expectAllToArrive(place: Partial<StageOptions>, events: number): Promise<void> {
  const { lost, doubled, coinsWrong, differences, ...found } = await runWebhooks({
    program: PROGRAM,
    ...place,
    seed: 1,
    events,
    kills: KILLS,
    attempts: ATTEMPTS,
    // How soon is for `npm run crash` to say: machines that run tests have other things to do.
    late: Infinity,
    progress: () => undefined,
  });
  expect([...lost, ...doubled, ...coinsWrong, ...differences]).toEqual([]);
  expect(found).toMatchObject({ events, kills: KILLS });
  expect(found.arrived).toBeGreaterThanOrEqual((events / 2) * 17);
}

describe('npm run crash -- --scenario webhooks, in small', () => {
  // spec: docs/contract.md#webhook-delivery: the same by the clock of a receiver, under load and `kill -9`
  it('17 of 20 endpoints get every event through kill -9, and the others their attempts at their times', async () => {
    await expectAllToArrive({}, EVENTS);
  }, 600_000);
});

describeOnCluster('npm run crash -- --scenario webhooks on the cluster engine, in small', (urls) => {
  it('17 of 20 endpoints get every event though each of two processes is killed', async () => {
    await expectAllToArrive(twoOfAll(clusterInstallation(urls, uniqueName())), EVENTS / 2);
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

describe('the waits of attempts at a receiver', () => {
  const T = 1_000_000;
  const arrivalsAt = (kill: number | null, ...times: number[]) => {
    const line = (f: Line['f'], t: number, value: object): Line => ({
      t,
      process: 'h',
      type: 'invoke',
      f,
      n: t,
      value,
    });
    const lines = times.map((at) => line('deliver', T + at, { hook: 'h', id: 'e' }));
    if (kill !== null) lines.push(line('fault', T + kill, { kind: 'kill' }));
    return new Arrivals(lines, new Set()).wrongWaits(['h']);
  };

  it('are 30, 60, 90 and 120 s, and the worst says how far it was off', () => {
    expect(arrivalsAt(null, 0, 30_037, 90_040, 180_030, 300_040)).toEqual({ worst: 37, faults: [] });
  });

  it('may not be longer, but for a kill in between', () => {
    expect(arrivalsAt(null, 0, 33_000)).toEqual({ worst: 3_000, faults: ['h: attempt 2 under e came 3000 ms late'] });
    expect(arrivalsAt(29_000, 0, 33_000)).toEqual({ worst: 0, faults: [] });
  });
});
