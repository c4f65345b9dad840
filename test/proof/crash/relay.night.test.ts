import { afterAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { runRelayKills, type RelayKillsOptions, type RelayKillsResult } from '../../../proof/crash/relay-kills';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';

const PATIENCE = 1_800_000;

async function kill(
  options: Pick<RelayKillsOptions, 'lostAnswers' | 'killAfter' | 'installation'>,
): Promise<RelayKillsResult> {
  const seed = randomInt(1, 1_000_000);
  const result = await runRelayKills({
    program: join(__dirname, '../../../dist/crash.js'),
    seed,
    progress: () => undefined,
    ...options,
  });
  const { lostAnswers, lost, doubled, coinsWrong, differences, taken, mails } = result;
  expect({ seed, lostAnswers, lost, doubled, coinsWrong, differences }).toEqual({
    seed,
    lostAnswers: options.lostAnswers,
    lost: [],
    doubled: [],
    coinsWrong: [],
    differences: [],
  });
  expect(mails).toBeGreaterThanOrEqual(options.lostAnswers);
  expect(taken).toBeGreaterThan(0);
  return result;
}

/** 200 take ten minutes; KURIR_TEST_RELAY_KILLS sets another number. */
const LOST_ANSWERS = Number(process.env['KURIR_TEST_RELAY_KILLS'] ?? (EVERYTHING ? 8 : 3));

// spec: docs/contract.md#relay-repeats: also after kill -9 between the final dot and the 250
it(
  'killed between the final dot and the 250 of a mail that is sent again: nothing is lost, nothing is twice',
  async () => {
    const { madeBefore } = await kill({ lostAnswers: LOST_ANSWERS, killAfter: (random) => 40 * random ** 2 });
    // Both sides of the commit are met; a few kills may all fall on one.
    if (LOST_ANSWERS >= 40) expect(madeBefore).toBeGreaterThan(0);
    if (LOST_ANSWERS >= 40) expect(madeBefore).toBeLessThan(LOST_ANSWERS);
  },
  PATIENCE,
);

describeOnCluster('on the cluster engine', (urls) => {
  const installation = clusterInstallation(urls, uniqueName());
  afterAll(() => installation.remove());

  it(
    'killed like that: nothing is lost, nothing is twice',
    async () => {
      // A commit takes 20 ms on a quiet machine, and 200 on a busy one.
      const killAfter = (random: number): number => 400 * random ** 3;
      await kill({ installation, lostAnswers: EVERYTHING ? 3 : 2, killAfter });
    },
    PATIENCE,
  );
});
