import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measuredEngine } from '../../../app/metrics/measured-engine';
import { MessageMetrics } from '../../../app/metrics/message-metrics';
import type { Stores } from '../../../stores/ports';
import { openStores } from '../../consumers/postfix-log/scene';
import { expandAll, prepare, running, start } from '../../contract/campaign-runs/support';
import type { Subject } from '../../contract/harness';
import { TEST_START } from '../../support/clock';
import { samplesOf } from './samples';

/** Runs it on measured stores; returns the samples then. */
async function measure(run: (subject: Subject, measured: Stores) => Promise<void>): Promise<Map<string, number>> {
  const engine = await openStores();
  const register = new Registry();
  try {
    const subject = { stores: engine.stores } as Subject;
    await run(subject, measuredEngine(engine, new MessageMetrics(register)).stores);
    return samplesOf(await register.metrics());
  } finally {
    await engine.close();
  }
}

test('the rows of a campaign count as accepted when they became messages, and not when they were skipped', async () => {
  const samples = await measure(async (subject, { campaignRuns }) => {
    const prepared = await prepare(subject, { members: 3 });
    const { campaign, members } = prepared;
    await start(subject, prepared);
    await expandAll(subject, campaign);
    await subject.stores.contacts.delete(campaign.workspaceId, members[0]!.id);
    await campaignRuns.feed(campaign, 10, TEST_START);
    await campaignRuns.feed(campaign, 10, TEST_START);
  });
  expect(samples.get('kurir_messages_accepted_total{channel="app",lane="campaign"}')).toBe(2);
});

test('the queued messages of a cancelled campaign count as failed', async () => {
  const samples = await measure(async (subject, { campaignRuns }) => {
    const { campaign } = await running(subject);
    await campaignRuns.move(campaign, { kind: 'cancel' }, TEST_START);
    expect(await campaignRuns.settle(campaign, 10, TEST_START)).toEqual({ settled: 3, failed: 3 });
    expect(await campaignRuns.settle(campaign, 10, TEST_START)).toEqual({ settled: 0, failed: 0 });
  });
  expect(samples.get('kurir_message_outcomes_total{status="failed",lane="campaign"}')).toBe(3);
});
