import { describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { runCampaign } from '../../../proof/crash/campaigns/run-campaign';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { twoOfAll } from '../../../proof/crash/stage/role-lists';
import type { StageOptions } from '../../../proof/crash/stage/stage';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';

async function expectEachOnce(place: Partial<StageOptions>, contacts: number, every: number): Promise<void> {
  const seed = randomInt(1, 1_000_000);
  const { lost, doubled, coinsWrong, differences, ...found } = await runCampaign({
    program: join(__dirname, '../../../dist/crash.js'),
    ...place,
    seed,
    contacts,
    every,
    // On a busy machine a start takes longer than the time between two kills, and nothing would go on.
    mostKills: EVERYTHING ? 5 : 2,
    progress: () => undefined,
  });
  expect({ seed, wrong: [...lost, ...doubled, ...coinsWrong, ...differences] }).toEqual({ seed, wrong: [] });
  expect(found.kills).toBeGreaterThan(0);
  expect(found.counts['looks']).toBeGreaterThan(0);
  const of = (share: number): number => contacts / share;
  expect(found.skipped).toEqual({
    unsubscribed: of(100),
    bounced: of(200),
    complained: of(200),
    suppressed: of(100),
  });
  // Of a hundred, three are skipped and one is rejected.
  expect(found.taken + found.neverSent).toBe(contacts * 0.96);
}

describe('npm run crash -- --scenario campaign, in small', () => {
  // spec: docs/contract.md#show-a-campaign: the counts close at every moment
  // spec: docs/contract.md#campaign-statuses: completed once every recipient is final
  it('each who qualifies gets one mail, and the counts close at every look, through kill -9', async () => {
    await expectEachOnce({}, 200, 0.6);
  }, 600_000);
});

describeOnCluster('npm run crash -- --scenario campaign on the cluster engine, in small', (urls) => {
  it('each who qualifies gets one mail though each of two processes is killed', async () => {
    await expectEachOnce(twoOfAll(clusterInstallation(urls, uniqueName())), 200, 1.5);
  }, 600_000);
});
