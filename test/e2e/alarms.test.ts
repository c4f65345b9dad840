import { afterAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmtpSink } from '../../proof/bench/smtp-sink';
import { HOUR, MINUTE } from '../../lib/clock';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

const source = 'test';
const RULES = {
  destinations: [{ name: 'satu', title: 'Satu', domains: ['satu.test'], per_minute: 600, source }],
  others: { source },
  slowed_from: { per_minute: 600, source },
  replies: [{ name: 'away', text: ['go away'], do: 'stop', minutes: 120, sample: '421 4.7.0 go away', source }],
};
const folder = mkdtempSync(join(tmpdir(), 'kurir-alarms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnEngines('a destination that is stopped', (install) => {
  it('is told to the URL and by mail once, also by two processes, and its end', async () => {
    const rules = join(folder, 'rules.json');
    writeFileSync(rules, JSON.stringify(RULES));
    const sink = new SmtpSink();
    sink.refuse = (recipient) => (recipient.endsWith('@satu.test') ? '421 4.7.0 go away' : null);
    const posts: { type: string; data: { kind: string; subject: string } }[] = [];
    const receiver = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        posts.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof posts)[number]);
        res.end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const plain = {
      KURIR_MTA_URL: `smtp://127.0.0.1:${await sink.listen()}`,
      KURIR_DEMO: 'true',
      KURIR_DESTINATION_RULES: rules,
      KURIR_DNS: 'off',
    };
    const installation = install();
    const first = await Running.startOn(installation, plain);
    const { domain } = (await first.stores.domains.get(first.demo.sending_domain_id))!;
    await first.rest();
    const env = {
      ...plain,
      KURIR_ALARM_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      KURIR_ALARM_SECRET: 'a-secret-of-the-operator',
      KURIR_ALARM_MAIL: 'ops@dua.test',
      KURIR_ALARM_SENDER: domain,
    };
    let running = await Running.startOn(installation, env);
    const others: Running[] = [];
    if (running.kurir.services.config.cluster) others.push(await Running.startOn(installation, env, running.clock));
    const mails = () => sink.envelopes().filter(({ recipient }) => recipient.includes('ops@dua.test')).length;
    try {
      const refused = await running.send('ana@satu.test');
      await running.until(refused, 'its refusal', ({ status, attempt }) => status === 'queued' && attempt === 1);
      running.clock.advance(2 * MINUTE);
      await eventually(async () => expect([posts.length, mails()]).toEqual([1, 1]));
      expect(posts).toMatchObject([{ type: 'alarm.raised', data: { kind: 'destination_stopped', subject: 'satu' } }]);

      for (const other of others.splice(0)) await other.rest();
      const { clock } = running;
      await running.rest();
      running = await Running.startOn(installation, env, clock);
      clock.advance(30 * MINUTE);
      sink.refuse = null;
      clock.advance(4 * HOUR);
      await eventually(async () => expect([posts.length, mails()]).toEqual([2, 2]));
      expect(posts.at(-1)).toMatchObject({ type: 'alarm.ended', data: { subject: 'satu' } });
    } finally {
      await running.stop();
      receiver.close();
      sink.close();
    }
  });
});
