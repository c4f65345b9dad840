import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SmtpSink } from '../../proof/bench/smtp-sink';
import { Running } from '../support/running';
import { TestOperator } from '../support/test-operator';

const source = 'test';
const RULES = {
  destinations: [{ name: 'satu', title: 'Satu', domains: ['satu.test'], per_minute: 600, source }],
  others: { source },
  slowed_from: { per_minute: 600, source },
  replies: [{ name: 'away', text: ['go away'], do: 'stop', minutes: 120, sample: '421 4.7.0 go away', source }],
};

const folder = mkdtempSync(join(tmpdir(), 'kurir-destinations-'));
const sink = new SmtpSink();
let running: Running;
let operator: TestOperator;
beforeAll(async () => {
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify(RULES));
  const mta = `smtp://127.0.0.1:${await sink.listen()}`;
  const env = { KURIR_MTA_URL: mta, KURIR_DEMO: 'true', KURIR_DESTINATION_RULES: rules };
  running = await Running.start(env);
  operator = await TestOperator.open({ dataDir: running.dataDir, clock: running.clock, env });
});
afterAll(async () => {
  await running.stop();
  sink.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a destination that sends mail away', () => {
  it('is stopped, holds up no other, and goes on when an operator says so', async () => {
    sink.refuse = (recipient) => (recipient.endsWith('@satu.test') ? '421 4.7.0 go away' : null);
    const first = await running.send('ana@satu.test');
    await running.until(first, 'its refusal', ({ status, attempt }) => status === 'queued' && attempt === 1);
    const [attempt] = await running.stores.messages.attempts(first);
    expect(attempt?.reply).toBe('421 4.7.0 go away [sending to satu was stopped for 120 minutes]');
    expect((await running.stores.messages.get(first))?.failedReason).toBe('421 4.7.0 go away');
    // Every process sees it within half a second.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const held = await running.send('budi@satu.test');
    const others = await Promise.all(['ana@dua.test', 'ana@tiga.test'].map((to) => running.send(to)));
    for (const id of others) await running.untilStatus(id, 'sent_to_mta');
    const waiting = await running.until(held, 'its turn at the destination', ({ heldFor }) => heldFor === 'satu');
    expect(waiting).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await running.coinsOf(held, 0)).toEqual([]);
    expect(await operator.ask('message', 'show', held)).toMatchObject({ waits_for: { for: 'destination' } });
    const { data } = await operator.ask('destination', 'list');
    expect(data).toMatchObject([{ destination: 'satu', waiting: 1, rule: 'away', message_id: first }]);

    sink.refuse = null;
    expect(await operator.ask('destination', 'resume', 'satu')).toEqual({
      destination: 'satu',
      workspace_id: null,
      released: 1,
    });
    await running.untilStatus(held, 'sent_to_mta');
    expect((await running.stores.messages.get(held))?.attempt).toBe(1);
    const { data: trail } = await operator.ask('log');
    expect(trail).toEqual(expect.arrayContaining([expect.objectContaining({ target: 'satu' })]));
  });
});
