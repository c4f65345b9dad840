import { afterEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from '../../../../smtp/relay/tls/self-signed';
import { sleep } from '../../../../lib/sleep';
import { crlf } from './converse';
import { AUTH, OTHER_AUTH } from './stub-policy';
import { CERTIFICATE, TestRelay, type Client } from './relay';
import { eventually, until } from '../../../contract/helpers';

const ENVELOPE = crlf('MAIL FROM:<a@a.example>', 'RCPT TO:<b@b.example>', 'DATA');

let relay: TestRelay;
afterEach(() => relay.remove());

const code = (reply: string): string => reply.slice(0, 9);

describe('the two ports', () => {
  // spec: docs/contract.md#relay-connection: both ports
  it('take a mail with STARTTLS, whose session starts again under TLS', async () => {
    relay = await TestRelay.start();
    const client = await relay.client();
    expect(await client.reply()).toBe('220 relay.test ESMTP');
    expect(await client.ask('EHLO c.test')).toContain('STARTTLS');
    expect(await client.startTls()).toBe('220 2.0.0 Ready to start TLS');
    expect(code(await client.ask(AUTH))).toBe('503 5.5.1');
    expect(await client.ask('EHLO c.test')).toContain('AUTH PLAIN LOGIN');
    expect(code(await client.ask(AUTH))).toBe('235 2.7.0');
    client.send(`${ENVELOPE}Hello\r\n.\r\nQUIT\r\n`);
    expect((await client.rest()).map(code)).toEqual(['250 2.1.0', '250 2.1.5', '354 Send ', '250 2.0.0', '221 2.0.0']);
    expect(relay.policy.mails).toEqual([{ sender: 'a@a.example', recipients: ['b@b.example'], content: 'Hello\r\n' }]);
  });

  it('take a mail under TLS from the start, with a greeting under TLS', async () => {
    relay = await TestRelay.start();
    const client = await relay.client(true);
    expect(await client.reply()).toBe('220 relay.test ESMTP');
    await client.ask('EHLO c.test');
    await client.ask(AUTH);
    client.send(`${ENVELOPE}Hello\r\n.\r\n`);
    await client.reply();
    await client.reply();
    await client.reply();
    expect(await client.reply()).toBe('250 2.0.0 message 1');
  });

  // spec: docs/contract.md#relay-connection: TLS 1.2 or newer
  it('never take TLS older than 1.2', async () => {
    relay = await TestRelay.start();
    const client = await relay.client(true);
    expect(['TLSv1.2', 'TLSv1.3']).toContain((client.socket as TLSSocket).getProtocol());
  });

  it('a taken port rejects with the error of its socket, and the other one is free again', async () => {
    relay = await TestRelay.start();
    const ports = { smtp: 0, smtps: relay.ports.smtps };
    await expect(TestRelay.start({}, { ports })).rejects.toMatchObject({ code: 'EADDRINUSE', port: ports.smtps });
  });

  it('serve a new certificate to every handshake from then on; open connections stay', async () => {
    relay = await TestRelay.start();
    const before = await relay.loggedIn();
    const renewed = selfSigned(['renewed.test'], Date.now());
    relay.useCertificate(renewed);
    const after = await relay.client(true);
    const plain = await relay.client();
    await plain.reply();
    await plain.startTls();
    const shown = ({ socket }: Client): string =>
      (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? 'none';
    const { fingerprint256: old } = new X509Certificate(CERTIFICATE.cert);
    const { fingerprint256: current } = new X509Certificate(renewed.cert);
    expect([before, after, plain].map(shown)).toEqual([old, current, current]);
    expect(code(await before.ask('NOOP'))).toBe('250 2.0.0');
  });
});

describe('what comes at the wrong moment', () => {
  // spec: docs/contract.md#relay-lines: before the greeting
  it.each([false, true])('data before the greeting: 554 and the end (TLS from the start: %s)', async (secure) => {
    relay = await TestRelay.start({ beforeGreeting: 500 });
    const client = await relay.client(secure);
    client.send(crlf('EHLO c.test'));
    expect((await client.rest()).map(code)).toEqual(['554 5.5.1']);
  });

  it('commands behind STARTTLS are never read: refused in the same packet, no TLS after it', async () => {
    relay = await TestRelay.start();
    const client = await relay.client();
    await client.reply();
    client.send(`EHLO c.test\r\nSTARTTLS\r\nEHLO injected.test\r\n${ENVELOPE}`);
    expect((await client.rest()).map((reply) => reply.slice(0, 4))).toEqual(['250-', '503 ']);
  });

  it('plain bytes in place of the handshake end the connection', async () => {
    relay = await TestRelay.start();
    const client = await relay.client();
    await client.reply();
    await client.ask('STARTTLS');
    client.send(crlf('EHLO injected.test', AUTH));
    await client.closed();
    expect(relay.policy.mails).toEqual([]);
  });

  it('a broken mail is answered, also while its client goes on sending, and nothing behind it is read', async () => {
    relay = await TestRelay.start();
    const client = await relay.loggedIn();
    client.send(`${ENVELOPE}a\n.\n${ENVELOPE}${'x'.repeat(300_000)}\r\n.\r\n${ENVELOPE}b\r\n.\r\n`);
    expect((await client.rest()).map(code)).toEqual(['250 2.1.0', '250 2.1.5', '354 Send ', '554 5.6.0']);
    expect(relay.policy.mails).toEqual([]);
  });
});

describe('time limits', () => {
  const SHORT = 150;

  // spec: docs/contract.md#relay-limits: time
  it('no login in time: 421, also when commands go on, and across STARTTLS', async () => {
    relay = await TestRelay.start({ login: 1_500 });
    const client = await relay.client();
    await client.reply();
    await client.ask('EHLO c.test');
    await client.startTls();
    const noop = setInterval(() => client.send('NOOP\r\n'), 20);
    const replies = await client.rest();
    clearInterval(noop);
    expect(replies.at(-1)).toMatch(/^421 4\.4\.2 Login timed out/);
  });

  it('no command in time: 421', async () => {
    relay = await TestRelay.start({ command: SHORT });
    const client = await relay.loggedIn();
    expect((await client.rest()).map(code)).toEqual(['421 4.4.2']);
  });

  it.each([
    ['that stands still', { data: SHORT }],
    ['that trickles', { mail: SHORT }],
  ])('a mail %s: 421, and it is dropped', async (_, limits) => {
    relay = await TestRelay.start(limits);
    const client = await relay.loggedIn();
    client.send(ENVELOPE);
    const trickle = 'mail' in limits ? setInterval(() => client.send('x\r\n'), 20) : undefined;
    const replies = await client.rest();
    clearInterval(trickle);
    expect(code(replies.at(-1) ?? '')).toBe('421 4.4.2');
    expect(relay.policy.mails).toEqual([]);
  });

  it('a mail that ends with LF.LF: 554 after a moment', async () => {
    relay = await TestRelay.start({ brokenData: SHORT });
    const client = await relay.loggedIn();
    client.send(`${ENVELOPE}a\n.\n`);
    expect((await client.rest()).map(code)).toEqual(['250 2.1.0', '250 2.1.5', '354 Send ', '554 5.6.0']);
  });

  it('a client that reads no replies is cut off', async () => {
    relay = await TestRelay.start({ replies: SHORT });
    const client = await relay.loggedIn();
    client.socket.pause();
    const flood = Buffer.from('HELP\r\n'.repeat(10_000));
    const closed = new Promise((resolve) => client.socket.once('close', resolve).once('error', resolve));
    const sending = setInterval(() => client.send(flood), 1);
    await closed;
    clearInterval(sending);
  });

  it('no handshake in time: cut off', async () => {
    relay = await TestRelay.start({ handshake: SHORT });
    const client = await relay.client();
    await client.reply();
    await client.ask('STARTTLS');
    await client.closed();
  });
});

describe('limits of connections', () => {
  // spec: docs/contract.md#relay-limits: connections
  it('in all and for each address: 421 4.7.0; a place that is given back is taken again', async () => {
    relay = await TestRelay.start({}, { connections: { inAll: 10, perAddress: 2 } });
    const [first] = [await relay.client(), await relay.client(true)];
    const third = await relay.client();
    expect((await third.rest()).map(code)).toEqual(['421 4.7.0']);
    await (await relay.client(true)).closed();
    first.destroy();
    await eventually(async () => expect(await (await relay.client()).reply()).toBe('220 relay.test ESMTP'));
  });
});

describe('large mails', () => {
  // spec: docs/contract.md#relay-limits: memory
  it('share the memory: they wait for each other, small ones pass, and all are taken', async () => {
    relay = await TestRelay.start({}, { memory: 2_000_000 });
    const large = `${'x'.repeat(98)}\r\n`.repeat(10_000);
    const clients = await Promise.all(Array.from({ length: 6 }, () => relay.loggedIn()));
    for (const client of clients) client.send(`${ENVELOPE}${large}`);
    await sleep(300);
    const small = await relay.loggedIn();
    small.send(`${ENVELOPE}small\r\n.\r\nQUIT\r\n`);
    expect((await small.rest()).map(code)).toContain('250 2.0.0');
    for (const client of clients) client.send('.\r\nQUIT\r\n');
    for (const client of clients) expect((await client.rest()).map(code).slice(-2)).toEqual(['250 2.0.0', '221 2.0.0']);
    expect(relay.policy.mails.filter(({ content }) => content === large)).toHaveLength(6);
  });

  it('of one account that come slowly hold up none of another account', async () => {
    relay = await TestRelay.start({}, { memory: 24_000_000 });
    const large = 'x\r\n'.repeat(50_000);
    const slow = await Promise.all(Array.from({ length: 12 }, () => relay.loggedIn()));
    for (const client of slow) client.send(`${ENVELOPE}${large}`);
    await sleep(300);
    const other = await relay.loggedIn(OTHER_AUTH);
    other.send(`${ENVELOPE}${large}.\r\nQUIT\r\n`);
    expect((await other.rest()).map(code).slice(-2)).toEqual(['250 2.0.0', '221 2.0.0']);
    expect(relay.policy.mails).toHaveLength(1);
    for (const client of slow) client.send('.\r\nQUIT\r\n');
    for (const client of slow) expect((await client.rest()).map(code)).toContain('250 2.0.0');
  });

  it('one that gets no memory in time: 421 4.3.1', async () => {
    relay = await TestRelay.start({ memory: 100 }, { memory: 1_000_000 });
    const holder = await relay.loggedIn();
    holder.send(`${ENVELOPE}${'x\r\n'.repeat(50_000)}`);
    await sleep(200);
    // Its mail was read before the next client had its answers.
    const waiter = await relay.loggedIn();
    waiter.send(`${ENVELOPE}${'x\r\n'.repeat(50_000)}`);
    expect(code((await waiter.rest()).at(-1) ?? '')).toBe('421 4.3.1');
    holder.send('.\r\nQUIT\r\n');
    expect((await holder.rest()).map(code)).toContain('250 2.0.0');
  });
});

describe('the end of the process', () => {
  it('421 4.3.2 on every connection; one that comes in is dropped', async () => {
    relay = await TestRelay.start();
    const idle = await relay.loggedIn();
    const plain = await relay.client();
    await plain.reply();
    const sending = await relay.loggedIn();
    sending.send(`${ENVELOPE}half of a`);
    await sleep(100);
    await relay.close();
    expect((await idle.rest()).map(code)).toEqual(['421 4.3.2']);
    expect((await plain.rest()).map(code)).toEqual(['421 4.3.2']);
    expect((await sending.rest()).map(code).at(-1)).toBe('421 4.3.2');
    expect(relay.policy.mails).toEqual([]);
  });

  // spec: docs/contract.md#relay-limits: the end
  it('a mail that the policy has is answered first', async () => {
    relay = await TestRelay.start();
    const client = await relay.loggedIn();
    let answer = (): void => undefined;
    client.send(ENVELOPE);
    for (let i = 0; i < 3; i += 1) await client.reply();
    relay.policy.wait = () => new Promise((resolve) => (answer = resolve));
    client.send(`Hello\r\n.\r\n${ENVELOPE}`);
    await until(() => relay.policy.underWay !== 0, 10);
    const closed = relay.close();
    await sleep(100);
    answer();
    await closed;
    expect((await client.rest()).map(code)).toEqual(['250 2.0.0', '421 4.3.2']);
    expect(relay.policy.mails).toHaveLength(1);
  });

  it('one that is not answered in time ends with 421', async () => {
    relay = await TestRelay.start({ stop: 100 });
    const client = await relay.loggedIn();
    client.send(ENVELOPE);
    for (let i = 0; i < 3; i += 1) await client.reply();
    let answer = (): void => undefined;
    relay.policy.wait = () => new Promise((resolve) => (answer = resolve));
    client.send('Hello\r\n.\r\n');
    await until(() => relay.policy.underWay !== 0, 10);
    await relay.close();
    expect((await client.rest()).map(code)).toEqual(['421 4.3.2']);
    answer();
  });
});
