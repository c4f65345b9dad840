import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { auditOf } from '../support/auditing';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Running, temporaryInstallation } from '../support/running';
import { kurir } from '../support/service';

describeOnCluster('a cluster process beside the embedded engine, in the same data dir', (urls) => {
  let cluster: Installation;
  let embedded: ReturnType<typeof temporaryInstallation>;
  const running: Running[] = [];
  beforeAll(async () => {
    embedded = temporaryInstallation();
    const plain = clusterInstallation(urls, uniqueName());
    cluster = { ...plain, env: { ...plain.env, KURIR_DATA_DIR: embedded.dataDir } };
    for (const installation of [embedded, cluster]) running.push(await Running.startOn(installation));
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
  });

  it('delivers to a sandbox of its own; the audits of both find nothing', async () => {
    for (const one of running) {
      await one.untilStatus(await one.send('delivered@pelanggan.test'), 'delivered');
      await one.untilStatus(await one.send('hardbounce@pelanggan.test'), 'bounced');
    }
    expect(existsSync(join(embedded.dataDir, 'cluster/sandbox.sqlite'))).toBe(true);
    for (const installation of [embedded, cluster]) {
      const { found, summary } = await auditOf(installation, 5_000);
      expect(found).toEqual([]);
      expect(summary.checked).toMatchObject({ messages: 2, received: 2 });
    }
  });

  it('kurir sandbox reset empties the one of its engine, and the audit stays quiet', async () => {
    const { stdout } = await kurir(cluster, ['sandbox', 'reset', '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ mails: 2, pending_reports: 0 });
    const [ofEmbedded, ofCluster] = [await auditOf(embedded), await auditOf(cluster, 5_000)];
    expect([...ofEmbedded.found, ...ofCluster.found]).toEqual([]);
    expect([ofEmbedded.summary.checked.received, ofCluster.summary.checked.received]).toEqual([2, 0]);
    expect(ofCluster.summary.notCompared).toBe(2);
  });
});
