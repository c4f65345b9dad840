import { describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { runJourneys } from '../../../proof/crash/journeys/run-journeys';
import { twoOfAll } from '../../../proof/crash/stage/role-lists';
import type { StageOptions } from '../../../proof/crash/stage/stage';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';

async function expectEachStepOnce(
  place: Partial<StageOptions>,
  { contacts, every, mostKills }: { contacts: number; every: number; mostKills: number },
): Promise<void> {
  const seed = randomInt(1, 1_000_000);
  const { lost, doubled, coinsWrong, differences, ends, ...found } = await runJourneys({
    program: join(__dirname, '../../../dist/crash.js'),
    ...place,
    seed,
    contacts,
    every,
    mostKills,
    progress: () => undefined,
  });
  expect({ seed, wrong: [...lost, ...doubled, ...coinsWrong, ...differences] }).toEqual({ seed, wrong: [] });
  expect(found.kills).toBeGreaterThan(0);
  // Of twenty, fifteen do all steps; more, when a mail was never sent.
  expect(ends['completed']).toBeGreaterThanOrEqual(contacts * 0.75);
  expect(Object.values(ends).reduce((sum, n) => sum + n, 0)).toBe(contacts);
  expect(found.steps).toBeGreaterThanOrEqual(contacts * (0.75 * 7 + 0.25));
}

describe('npm run crash -- --scenario journeys, in small', () => {
  // spec: docs/contract.md#leaving-a-journey: no step after the end
  // spec: docs/contract.md#taking-steps: no step is lost or doubled by a crash
  it('each contact does every step once, in order, and none after it left, through kill -9', async () => {
    await expectEachStepOnce({}, { contacts: 20, every: 2, mostKills: EVERYTHING ? 4 : 2 });
  }, 600_000);
});

describeOnCluster('npm run crash -- --scenario journeys on the cluster engine, in small', (urls) => {
  it('each contact does every step once though each of two processes is killed', async () => {
    const place = twoOfAll(clusterInstallation(urls, uniqueName()));
    await expectEachStepOnce(place, { contacts: 20, every: 4, mostKills: EVERYTHING ? 3 : 2 });
  }, 600_000);
});
