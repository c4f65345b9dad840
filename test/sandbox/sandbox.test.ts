import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { MINUTE, SECOND } from '../../lib/clock';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import { frozenClock } from '../support/clock';
import { Client, envelope, ReportCollector, simpleMail, temporaryDir } from './support';
import { until } from '../contract/helpers';

let clock: AdvancingClock;
let collector: ReportCollector;
let sandbox: Sandbox;
let client: Client;
let port: number;
let dir: ReturnType<typeof temporaryDir>;

const openSandbox = (file = join(dir.path, 'sandbox.sqlite')): Sandbox =>
  createSandbox({
    file,
    clock,
    port: 0,
    reports: () => ({ host: '127.0.0.1', port: collector.port }),
    hostname: 'sandbox.kurir.test',
  });

beforeEach(async () => {
  dir = temporaryDir();
  clock = frozenClock();
  collector = new ReportCollector();
  await collector.listen();
  sandbox = openSandbox();
  ({ port } = await sandbox.listen());
  client = await Client.open(port);
});
afterEach(async () => {
  client.close();
  await sandbox.close();
  await collector.close();
  dir.remove();
});

/** Sends a mail with all reports asked for; answers the code and enhanced code of the reply. */
async function send(to: string, envid = 'E1'): Promise<string> {
  return (await client.send(envelope(to, { envid }), simpleMail('M1'))).slice(0, 9);
}
const actions = async (): Promise<string[]> => {
  await sandbox.idle();
  return collector.actions();
};

describe('what an address does, by its local part', () => {
  test.each(['delivered', 'anyone', 'constructor', 'DELIVERED+tag'])(
    '%s is accepted and reported delivered',
    async (localPart) => {
      expect(await send(`${localPart}@anywhere.example`)).toBe('250 2.0.0');
      expect(await actions()).toEqual(['delivered']);
    },
  );

  test('hardbounce is accepted, then reported failed with 550 5.1.1', async () => {
    expect(await send('HardBounce+x@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['failed']);
    expect(await collector.fields()).toMatchObject([
      { status: '5.1.1', 'diagnostic-code': 'smtp; 550 5.1.1 No such user here' },
    ]);
  });

  test('softbounce is refused with 451 three times, by message, then accepted and reported delivered', async () => {
    for (let n = 0; n < 3; n++) expect(await send('softbounce@b.example')).toBe('451 4.2.0');
    expect(await send('softbounce@b.example', 'E2')).toBe('451 4.2.0');
    expect(await send('softbounce@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['delivered']);
  });

  test('softbounce without ENVID is counted by sender and recipient', async () => {
    const from = (sender: string): Promise<string> =>
      client.send({ from: sender, to: 'softbounce@b.example' }, simpleMail('M1'));
    for (let n = 0; n < 3; n++) expect(await from('one@a.example')).toMatch(/^451 /);
    expect(await from('two@a.example')).toMatch(/^451 /);
    expect(await from('one@a.example')).toMatch(/^250 /);
  });

  test('reject is refused with 550 5.1.1 at RCPT and not kept', async () => {
    expect(await send('reject@b.example')).toBe('550 5.1.1');
    expect(sandbox.total()).toBe(0);
    expect(await actions()).toEqual([]);
  });

  test('greylist is refused with 451 4.7.1 for one minute from the first try, then accepted', async () => {
    expect(await send('greylist@b.example')).toBe('451 4.7.1');
    clock.advance(MINUTE - 1);
    expect(await send('greylist@b.example')).toBe('451 4.7.1');
    clock.advance(1);
    expect(await send('greylist@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['delivered']);
  });

  test('complaint is reported delivered, then complained of', async () => {
    expect(await send('complaint@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['delivered', 'complaint']);
  });

  test('slow is answered after five seconds of the clock, and reported delivered then', async () => {
    let answered = '';
    const sending = send('slow@b.example').then((answer) => (answered = answer));
    await until(() => sandbox.total() !== 0, 5);
    clock.advance(5 * SECOND - 1);
    expect(await actions()).toEqual([]);
    expect(answered).toBe('');
    clock.advance(1);
    expect(await sending).toBe('250 2.0.0');
    expect(await actions()).toEqual(['delivered']);
  });

  test('defer is refused with 451 for ever', async () => {
    for (let n = 0; n < 5; n++) {
      expect(await send('defer@b.example')).toBe('451 4.3.0');
      clock.advance(60 * MINUTE);
    }
  });

  test('delayed is reported delayed, then delivered', async () => {
    expect(await send('delayed@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['delayed']);
    clock.advance(3 * SECOND);
    expect(await actions()).toEqual(['delayed', 'delivered']);
  });

  test('expired is reported failed with status 4.4.1', async () => {
    expect(await send('expired@b.example')).toBe('250 2.0.0');
    expect(await actions()).toEqual(['failed']);
    expect(await collector.fields()).toMatchObject([{ status: '4.4.1' }]);
  });

  test('norecord is accepted and never reported', async () => {
    expect(await send('norecord@b.example')).toBe('250 2.0.0');
    clock.advance(365 * 24 * 60 * MINUTE);
    expect(await actions()).toEqual([]);
    expect(sandbox.total()).toBe(1);
  });

  test('drop is kept and reported delivered, but the connection ends without an answer', async () => {
    await expect(send('drop@b.example')).rejects.toThrow();
    expect(sandbox.countByMessage('M1')).toBe(1);
    expect(await actions()).toEqual(['delivered']);
  });

  test('each recipient of one mail does as it does', async () => {
    const to = ['delivered@b.example', 'reject@b.example', 'hardbounce@b.example'];
    await client.send({ ...envelope('', { envid: 'E1' }), to }, simpleMail('M1'));
    expect((await actions()).sort()).toEqual(['delivered', 'failed']);
    expect(sandbox.list({ limit: 10 })[0]?.recipients.map(({ address }) => address)).toEqual([to[0], to[2]]);
  });
});

describe('which reports are sent (RFC 3461)', () => {
  test.each([
    ['NEVER', ['delayed', 'hardbounce'], []],
    ['SUCCESS', ['delayed', 'hardbounce', 'delivered'], ['delivered', 'delivered']],
    ['FAILURE', ['delayed', 'hardbounce', 'delivered'], ['failed']],
    ['DELAY', ['delayed', 'hardbounce', 'delivered'], ['delayed']],
  ])('with NOTIFY=%s', async (notify, localParts, expected) => {
    for (const to of localParts) await client.send(envelope(`${to}@b.example`, { notify }), simpleMail('M1'));
    clock.advance(MINUTE);
    expect((await actions()).sort()).toEqual(expected);
  });

  test('without NOTIFY only failures are', async () => {
    for (const to of ['delayed', 'hardbounce', 'delivered']) {
      await client.send(envelope(`${to}@b.example`, null), simpleMail('M1'));
    }
    clock.advance(MINUTE);
    expect(await actions()).toEqual(['failed']);
  });

  test('a complaint comes whatever NOTIFY says', async () => {
    await client.send(envelope('complaint@b.example', { notify: 'NEVER' }), simpleMail('M1'));
    expect(await actions()).toEqual(['complaint']);
  });

  test('the null sender never gets one', async () => {
    for (const to of ['hardbounce', 'complaint', 'delayed']) {
      await client.send({ ...envelope(`${to}@b.example`), from: false }, simpleMail('M1'));
    }
    clock.advance(MINUTE);
    expect(await actions()).toEqual([]);
  });
});

describe('what it keeps', () => {
  test('a mail byte by byte, with its envelope', async () => {
    const raw = Buffer.concat([
      Buffer.from(
        'From: =?utf-8?q?J=C3=BCrgen?= <j@demo.kurir.test>\r\nSubject: =?utf-8?b?SGFsbw==?=\r\n =?utf-8?b?IQ==?=\r\n\r\n',
      ),
      Buffer.from('.one dot\r\n..two\r\n.\r\rlone \xff\xfe\x00 bytes\n\r\n', 'latin1'),
    ]);
    const dsn = { envid: 'a+b=c', ret: 'FULL', orcpt: 'rfc822;Anyone+x@b.example' };
    await client.send(envelope('anyone+x@b.example', dsn), raw);
    const [mail] = sandbox.list({ limit: 1 });
    expect(mail).toMatchObject({
      messageId: null,
      envid: 'a+b=c',
      mailFrom: 'b-1@bounce.demo.kurir.test',
      from: 'Jürgen <j@demo.kurir.test>',
      subject: 'Halo!',
      receivedAt: clock.now(),
      recipients: [
        {
          address: 'anyone+x@b.example',
          notify: ['SUCCESS', 'FAILURE', 'DELAY'],
          orcpt: 'rfc822;Anyone+x@b.example',
        },
      ],
    });
    const kept = sandbox.get(mail!.id)!.source;
    expect(kept.toString('latin1').replace(/\r\n|\r|\n/g, '\n')).toBe(
      raw.toString('latin1').replace(/\r\n|\r|\n/g, '\n'),
    );
    expect(mail!.size).toBe(kept.length);
  });

  test('a mail received twice shows, by X-Message-id or ENVID', async () => {
    await client.send(envelope('a@b.example', { envid: 'one' }), simpleMail('one'));
    await client.send(envelope('a@b.example', { envid: 'two' }), simpleMail('two'));
    await client.send(envelope('a@b.example', { envid: 'one' }), simpleMail('one'));
    await client.send(envelope('a@b.example', { envid: 'one' }), 'Subject: no id\r\n\r\n');
    expect(sandbox.countByMessage('one')).toBe(3);
    expect(sandbox.countByMessage('two')).toBe(1);
    expect(sandbox.countByMessage('three')).toBe(0);
    expect(sandbox.list({ limit: 10 }).map(({ copies }) => copies)).toEqual([3, 3, 1, 3]);
  });

  test('the list is newest first, page by page', async () => {
    for (let n = 1; n <= 5; n++) await client.send(envelope('a@b.example'), simpleMail(`M${n}`));
    const first = sandbox.list({ limit: 2 });
    expect(first.map(({ messageId }) => messageId)).toEqual(['M5', 'M4']);
    expect(sandbox.list({ limit: 9, before: first[1]!.id }).map(({ messageId }) => messageId)).toEqual([
      'M3',
      'M2',
      'M1',
    ]);
    expect(sandbox.total()).toBe(5);
    expect(sandbox.get(99)).toBeNull();
  });

  test('a mail without headers, an empty one and one of many megabytes', async () => {
    for (const raw of [
      '\r\njust text',
      '\r\n',
      `Subject: big\r\n\r\n${'x'.repeat(998)}\r\n`.padEnd(12_000_000, 'y\r\n'),
    ]) {
      expect(await client.send(envelope('a@b.example'), raw)).toMatch(/^250 /);
    }
    expect(sandbox.list({ limit: 3 }).map(({ subject }) => subject)).toEqual(['big', '', '']);
    expect(sandbox.get(3)!.source.length).toBeGreaterThanOrEqual(12_000_000);
  });

  test('a mail of more than 40 MB is refused', async () => {
    expect(await client.send(envelope('a@b.example'), Buffer.alloc(41 * 1024 * 1024, 'x\r\n'))).toMatch(/^552 /);
    expect(sandbox.total()).toBe(0);
  });
});

describe('its SMTP', () => {
  test('DSN, PIPELINING, 8BITMIME, SMTPUTF8 and SIZE are offered, AUTH and STARTTLS are not', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    await once(socket, 'data');
    socket.write('EHLO x\r\n');
    const [features] = await once(socket, 'data');
    for (const feature of ['DSN', 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 41943040'])
      expect(features).toContain(feature);
    expect(features).not.toMatch(/AUTH|STARTTLS/);
    socket.destroy();
  });

  test('an address beyond ASCII is taken and reported with RFC 6533', async () => {
    expect(await client.send(envelope('用户@例子.example', { envid: 'E1' }), simpleMail('M1'))).toMatch(/^250 /);
    expect(await actions()).toEqual(['delivered']);
    expect(collector.reports[0]?.text).toContain('Content-Type: message/global-delivery-status');
    expect((await collector.fields())[0]?.['final-recipient']).toBe('utf-8; 用户@xn--fsqu00a.example');
  });

  test('a client that leaves while slow thinks is forgotten, and its mail is reported', async () => {
    const sending = send('slow@b.example').catch(() => 'left');
    await until(() => sandbox.total() !== 0, 5);
    client.close();
    expect(await sending).toBe('left');
    clock.advance(5 * SECOND);
    expect(await actions()).toEqual(['delivered']);
  });

  test('closing answers a slow one at once', async () => {
    const sending = send('slow@b.example');
    await until(() => sandbox.total() !== 0, 5);
    await sandbox.close();
    expect(await sending).toBe('250 2.0.0');
    sandbox = openSandbox();
    await sandbox.listen();
  });

  test('a port that is taken rejects listen', async () => {
    const second = createSandbox({
      file: join(dir.path, 'second.sqlite'),
      clock,
      port,
      reports: () => ({ host: '127.0.0.1', port: collector.port }),
      hostname: 'x',
    });
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.close();
  });
});
