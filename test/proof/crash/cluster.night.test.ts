import { afterAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { killProcesses } from '../../../proof/crash/cluster/process-faults';
import { growPartitions } from '../../../proof/crash/cluster/log-faults';
import { runCluster } from '../../../proof/crash/cluster/run-cluster';
import type { Scenario } from '../../../proof/crash/cluster/scenario';
import { Servers } from '../../../proof/crash/cluster/servers';
import { dropIndexes } from '../../../proof/crash/cluster/store-faults';
import { wrongClock } from '../../../proof/crash/cluster/wrong-clock';
import { twoOfAll } from '../../../proof/crash/stage/role-lists';
import { SECOND } from '../../../lib/clock';
import { describeOnCluster, uniqueName } from '../../support/real-services';

/** One set of processes for all: their start and the count at the end take longer than most faults. */
const inTurn = (scenarios: readonly Scenario[]): Scenario => ({
  about: scenarios.map(({ about }) => about).join('; '),
  run: async (context) => {
    const faults: string[] = [];
    for (const { run } of scenarios) faults.push(...(await run(context)));
    return faults;
  },
});

describeOnCluster('npm run crash on the cluster engine, in small', (urls) => {
  const installation = clusterInstallation(urls, uniqueName());
  afterAll(() => installation.remove());

  it('kills, wrong clocks, dropped indexes and grown partitions under load: nothing is lost, doubled or wrongly paid', async () => {
    const seed = randomInt(1, 1_000_000);
    const {
      took,
      taken,
      silence: _silence,
      ...result
    } = await runCluster({
      program: join(__dirname, '../../../dist/crash.js'),
      ...twoOfAll(installation),
      servers: new Servers(null),
      // How soon is for `npm run crash` to say: machines that run tests have other things to do.
      scenario: inTurn([killProcesses, wrongClock, dropIndexes, growPartitions]),
      seed,
      // None of them free, which would take minutes.
      workspaces: 3,
      pace: 8,
      every: 3 * SECOND,
      progress: () => undefined,
    });
    expect({ seed, ...result }).toMatchObject({
      seed,
      kills: 2,
      unexpectedExits: [],
      lost: [],
      doubled: [],
      coinsWrong: [],
      differences: [],
    });
    expect(taken).toBeGreaterThan(48);
  }, 900_000);
});
