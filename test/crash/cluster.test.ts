import { afterAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { clusterInstallation } from '../../crash/cluster-installation';
import { ALL_ROLES } from '../../crash/cluster/processes';
import { killProcesses } from '../../crash/cluster/kill-processes';
import { runCluster } from '../../crash/cluster/run-cluster';
import { Servers } from '../../crash/cluster/servers';
import { SECOND } from '../../lib/clock';
import { describeOnCluster, uniqueName } from '../support/real-services';

describeOnCluster('npm run crash on the cluster engine, in small', (urls) => {
  const installation = clusterInstallation(urls, uniqueName());
  afterAll(() => installation.remove());

  it('each of two processes is killed under load: nothing is lost, doubled or wrongly paid', async () => {
    const seed = randomInt(1, 1_000_000);
    const {
      took,
      taken,
      silence: _silence,
      ...result
    } = await runCluster({
      program: join(__dirname, '../../dist/crash.js'),
      installation,
      servers: new Servers(null),
      // How soon is for `npm run crash` to say: machines that run tests have other things to do.
      scenario: { ...killProcesses, silence: Infinity },
      roleLists: [ALL_ROLES],
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
  }, 600_000);
});
