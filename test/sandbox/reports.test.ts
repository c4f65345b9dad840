import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { Sandbox } from '../../sandbox/sandbox';
import { Client, envelope, openSandbox, ReportCollector, simpleMail } from './support';

let opened: Awaited<ReturnType<typeof openSandbox>>;
let clock: AdvancingClock;
let collector: ReportCollector;
let target: () => number;
let sandbox: Sandbox;
let client: Client;
let port: number;

beforeEach(async () => {
  target = () => collector.port;
  opened = await openSandbox(() => target());
  ({ clock, collector, sandbox, client, port } = opened);
});
afterEach(async () => {
  await opened.close();
  // A case may have opened another.
  await collector.close();
});

const newest = () => sandbox.list({ limit: 1 })[0]!;

describe('the report as a mail', () => {
  test('a delivery report has the fields of RFC 3464 and goes to the envelope sender from the null sender', async () => {
    const dsn = { envid: '0194-x', orcpt: 'rfc822;Anyone@b.example' };
    await client.send(envelope('anyone@b.example', dsn), simpleMail('0194-x'));
    await sandbox.idle();
    const [report] = collector.reports;
    expect(report!.to).toBe('b-1@bounce.demo.kurir.test');
    const text = report!.text;
    expect(text).toMatch(/^Content-Type: multipart\/report; report-type=delivery-status; boundary="/m);
    expect(text).toMatch(/^Auto-Submitted: auto-replied\r$/m);
    expect(text).toMatch(/^Date: Mon, 05 Jan 2026 03:00:00 \+0000\r$/m);
    expect(await collector.fields()).toEqual([
      {
        'reporting-mta': 'dns; sandbox.kurir.test',
        'original-envelope-id': '0194-x',
        'arrival-date': 'Mon, 05 Jan 2026 03:00:00 +0000',
        'original-recipient': 'rfc822; Anyone@b.example',
        'final-recipient': 'rfc822; anyone@b.example',
        action: 'delivered',
        status: '2.0.0',
        'diagnostic-code': 'smtp; 250 2.0.0 Delivered',
        'last-attempt-date': 'Mon, 05 Jan 2026 03:00:00 +0000',
      },
    ]);
    expect(text).toMatch(/Content-Type: text\/rfc822-headers\r\n\r\nFrom: Demo .*X-Message-id: 0194-x\r\n\r\n--/s);
    expect(text).not.toContain('Hi.');
  });

  test('a complaint has the fields of RFC 5965 and the whole mail', async () => {
    await client.send(envelope('complaint@b.example', { envid: 'E1', notify: 'NEVER' }), simpleMail('M1'));
    await sandbox.idle();
    const [fields] = await collector.fields();
    expect(fields).toMatchObject({
      'feedback-type': 'abuse',
      version: '1',
      'original-envelope-id': 'E1',
      'original-mail-from': '<b-1@bounce.demo.kurir.test>',
      'original-rcpt-to': '<complaint@b.example>',
    });
    expect(collector.reports[0]!.text).toMatch(
      /report-type=feedback-report.*Content-Type: message\/rfc822\r\n\r\nFrom: Demo .*Hi\./s,
    );
  });

  test('a failure returns the whole mail with RET=FULL, its headers otherwise, and never megabytes', async () => {
    const big = `Subject: big\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(2_000_000, 'y\r\n');
    for (const [ret, raw] of [
      ['FULL', simpleMail('M1')],
      ['HDRS', simpleMail('M1')],
      ['FULL', big],
    ] as const) {
      await client.send(envelope('hardbounce@b.example', { ret }), raw);
      await sandbox.idle();
    }
    expect(collector.reports.map(({ text }) => /message\/rfc822|text\/rfc822-headers/.exec(text)?.[0])).toEqual([
      'message/rfc822',
      'text/rfc822-headers',
      'text/rfc822-headers',
    ]);
  });

  test('a mail written to end the part it is returned in does not', async () => {
    const hostile = [
      'Subject: x',
      '--report-1',
      'Content-Type: message/delivery-status',
      '',
      '--report-1--',
      '.',
      '..',
      '',
    ].join('\r\n');
    await client.send(envelope('hardbounce@b.example', { ret: 'FULL' }), hostile);
    await sandbox.idle();
    expect(await collector.actions()).toEqual(['failed']);
    expect(collector.reports[0]!.text).toContain(hostile);
  });

  test('line breaks in what the envelope says do not reach the fields', async () => {
    const long = `${'a'.repeat(60)}b+c d`;
    await client.send(envelope('anyone@b.example', { envid: long, orcpt: 'rfc822;x y@b.example' }), simpleMail('M1'));
    await sandbox.idle();
    expect(await collector.fields()).toMatchObject([{ 'original-envelope-id': long }]);
  });
});

describe('until it is taken', () => {
  test('a report refused for now is tried again with growing waits on the clock, and is owed until the 250', async () => {
    const at: number[] = [];
    collector.answer = () => (at.push(clock.now()), at.length < 5 ? 451 : 250);
    await client.send(envelope('anyone@b.example'), simpleMail('M1'));
    for (let second = 0; second < 40; second++) {
      await sandbox.idle();
      if (at.length < 5) expect(newest().reports).toMatchObject([{ state: 'owed', tries: at.length }]);
      clock.advance(SECOND);
    }
    expect(at.map((time) => (time - at[0]!) / SECOND)).toEqual([0, 1, 3, 8, 23]);
    expect(newest().reports).toMatchObject([{ state: 'sent', tries: 5, reply: expect.stringMatching(/^250 /) }]);
    clock.advance(HOUR);
    await sandbox.idle();
    expect(collector.reports).toHaveLength(1);
  });

  test('a report refused for good is not tried again, and shows', async () => {
    collector.answer = () => 550;
    await client.send(envelope('anyone@b.example'), simpleMail('M1'));
    await sandbox.idle();
    clock.advance(HOUR);
    await sandbox.idle();
    expect(newest().reports).toEqual([
      {
        kind: 'delivered',
        recipient: 'anyone@b.example',
        state: 'refused',
        tries: 1,
        at: expect.any(Number),
        reply: '550 not now',
      },
    ]);
  });

  test('a report waits for the one before it of the same mail', async () => {
    collector.answer = () => 451;
    await client.send(envelope('complaint@b.example'), simpleMail('M1'));
    await sandbox.idle();
    collector.answer = () => 250;
    expect(newest().reports).toMatchObject([{ tries: 1 }, { tries: 0, at: null }]);
    clock.advance(SECOND);
    await sandbox.idle();
    expect(await collector.actions()).toEqual(['delivered', 'complaint']);
  });

  test('one that is never taken holds up no other', async () => {
    collector.answer = (to) => (to.startsWith('stuck') ? 451 : 250);
    for (let n = 0; n < 30; n++) {
      await client.send({ ...envelope('anyone@b.example'), from: `stuck${n}@a.example` }, simpleMail('M1'));
    }
    await client.send(envelope('anyone@b.example'), simpleMail('M2'));
    await sandbox.idle();
    expect(collector.reports.map(({ to }) => to)).toEqual(['b-1@bounce.demo.kurir.test']);
  });

  test('a listener that is away, or ends every connection, gets them when it is back', async () => {
    const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const rudePort = (rude.address() as AddressInfo).port;
    target = () => rudePort;
    await client.send(envelope('anyone@b.example'), simpleMail('M1'));
    await sandbox.idle();
    rude.close();
    await once(rude, 'close');
    clock.advance(MINUTE);
    await sandbox.idle();
    expect(newest().reports).toMatchObject([
      { state: 'owed', tries: 2, reply: expect.stringContaining('ECONNREFUSED') },
    ]);
    target = () => collector.port;
    clock.advance(MINUTE);
    await sandbox.idle();
    expect(newest().reports).toMatchObject([{ state: 'sent', tries: 3 }]);
  });

  test('a connection that died while it was kept is replaced at once', async () => {
    await client.send(envelope('anyone@b.example'), simpleMail('M1'));
    await sandbox.idle();
    const samePort = collector.port;
    await collector.close();
    collector = new ReportCollector();
    await collector.listen(samePort);
    await client.send(envelope('anyone@b.example'), simpleMail('M2'));
    await sandbox.idle();
    expect(collector.reports).toHaveLength(1);
    expect(newest().reports).toMatchObject([{ state: 'sent', tries: 1 }]);
  });

  test('two thousand mails at once give two thousand reports, each once', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => Client.open(port)));
    await Promise.all(
      clients.map(async (sender, k) => {
        for (let n = 0; n < 100; n++) {
          const id = `${k}-${n}`;
          await sender.send({ ...envelope('a@b.example', { envid: id }), from: `v${id}@a.example` }, simpleMail(id));
        }
        sender.close();
      }),
    );
    await sandbox.idle();
    expect(collector.reports).toHaveLength(2_000);
    expect(new Set(collector.reports.map(({ to }) => to)).size).toBe(2_000);
  });
});
