import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measuredEngine } from '../../../app/metrics/measured-engine';
import { MessageMetrics } from '../../../app/metrics/message-metrics';
import { openStores } from '../../consumers/postfix-log/scene';
import { running } from '../../contract/campaign-runs/support';
import type { Subject } from '../../contract/harness';
import { TEST_START } from '../../support/clock';
import { samplesOf } from './samples';

test('the queued messages of a cancelled campaign count as failed', async () => {
  const engine = await openStores();
  const register = new Registry();
  try {
    const subject = { stores: engine.stores } as Subject;
    const { campaign } = await running(subject);
    const { campaignRuns } = measuredEngine(engine, new MessageMetrics(register)).stores;
    await campaignRuns.move(campaign, { kind: 'cancel' }, TEST_START);
    expect(await campaignRuns.settle(campaign, 10, TEST_START)).toEqual({ settled: 3, failed: 3 });
    expect(await campaignRuns.settle(campaign, 10, TEST_START)).toEqual({ settled: 0, failed: 0 });
    const samples = samplesOf(await register.metrics());
    expect(samples.get('kurir_message_outcomes_total{status="failed",lane="campaign"}')).toBe(3);
  } finally {
    await engine.close();
  }
});
