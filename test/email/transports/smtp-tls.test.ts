import { afterEach, describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo } from 'node:net';
import { SmtpTransport } from '../../../email/transports/smtp';
import { smtpTarget } from '../../../email/transports/smtp-options';
import { SmtpInbox } from '../support/smtp-inbox';

const ENVELOPE = { from: 'b-1@bounce.demo.kurir.test', to: 'budi@example.com', envid: 'id-1' };
const RAW = Buffer.from('Subject: hi\r\n\r\n.hello\r\n');
const pass = (): Promise<boolean> => Promise.resolve(true);

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const task of cleanUp.splice(0)) await task();
});

async function inboxAnd(url: (port: number) => string, options: Parameters<typeof SmtpInbox.start>[0]) {
  const inbox = await SmtpInbox.start(options);
  const transport = new SmtpTransport({ url: url(inbox.port), maxConnections: 1, name: 'kurir.test' });
  cleanUp.push(
    () => transport.close(),
    () => inbox.stop(),
  );
  return { inbox, transport };
}

describe('encryption on the way to the sending server', () => {
  it('is used on smtp:// when the server offers STARTTLS', async () => {
    const { inbox, transport } = await inboxAnd((port) => `smtp://127.0.0.1:${port}`, {});
    expect((await transport.handOff(ENVELOPE, RAW, pass)).kind).toBe('sent');
    expect((await transport.handOff(ENVELOPE, RAW, () => Promise.resolve(false))).kind).toBe('fenced_out');
    expect(inbox.secure).toEqual([true]);
    expect(inbox.mails[0]!.equals(RAW)).toBe(true);
  });

  it('is there from the start on smtps://', async () => {
    const { inbox, transport } = await inboxAnd((port) => `smtps://localhost:${port}`, { secure: true });
    expect((await transport.handOff(ENVELOPE, RAW, pass)).kind).toBe('sent');
    expect(inbox.secure).toEqual([true]);
  });

  it('is not used when the URL says so', async () => {
    const { inbox, transport } = await inboxAnd((port) => `smtp://127.0.0.1:${port}?ignoreTLS=true`, {});
    expect((await transport.handOff(ENVELOPE, RAW, pass)).kind).toBe('sent');
    expect(inbox.secure).toEqual([false]);
  });

  it.each(['smtp', 'smtps'])(
    'with a certificate that is not trusted is a definite failure where it is verified (%s)',
    async (scheme) => {
      const { inbox, transport } = await inboxAnd(
        (port) => `${scheme}://127.0.0.1:${port}?tls.rejectUnauthorized=true`,
        { secure: scheme === 'smtps' },
      );
      expect(await transport.handOff(ENVELOPE, RAW, pass)).toMatchObject({
        kind: 'not_sent',
        reason: expect.stringMatching(/certificate/),
      });
      expect(inbox.mails).toEqual([]);
    },
  );
});

describe('over an encrypted connection that is cut', () => {
  /** A way to the port that breaks when `isOver` says so, asked with the bytes that went to the server. */
  async function breakingWay(port: number, isOver: (bytes: number) => boolean): Promise<number> {
    const way = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      let bytes = 0;
      const cut = (): void => {
        client.destroy();
        server.destroy();
      };
      client.on('error', cut).on('close', cut);
      server.on('error', cut).on('close', cut);
      server.on('data', (chunk) => (isOver(bytes) ? cut() : client.write(chunk)));
      client.on('data', (chunk) => ((bytes += chunk.length), isOver(bytes) ? cut() : server.write(chunk)));
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    cleanUp.unshift(() => new Promise((resolve) => way.close(() => resolve())));
    return (way.address() as AddressInfo).port;
  }

  it('before the mail was complete, the outcome is a definite failure', async () => {
    const inbox = await SmtpInbox.start({});
    const port = await breakingWay(inbox.port, (bytes) => bytes > 200_000);
    const transport = new SmtpTransport({ url: `smtp://127.0.0.1:${port}`, maxConnections: 1, name: 'kurir.test' });
    cleanUp.unshift(() => transport.close());
    cleanUp.push(() => inbox.stop());
    const big = Buffer.from(`Subject: big\r\n\r\n${'0123456789abcdef\r\n'.repeat(466_034)}`);
    expect(await transport.handOff(ENVELOPE, big, pass)).toMatchObject({ kind: 'not_sent' });
    expect(inbox.mails).toEqual([]);
  });

  it('before the answer, it is unknown', async () => {
    const inbox = await SmtpInbox.start({});
    const port = await breakingWay(inbox.port, () => inbox.mails.length > 0);
    const transport = new SmtpTransport({ url: `smtp://127.0.0.1:${port}`, maxConnections: 1, name: 'kurir.test' });
    cleanUp.unshift(() => transport.close());
    cleanUp.push(() => inbox.stop());
    expect(await transport.handOff(ENVELOPE, RAW, pass)).toMatchObject({ kind: 'unknown' });
    expect(inbox.mails).toHaveLength(1);
  });
});

describe('the options of the transport', () => {
  const target = (url: string) => smtpTarget({ url, maxConnections: 1, name: 'kurir.test' });

  it('verify certificates everywhere but on loopback, unless the URL says otherwise', () => {
    expect(target('smtp://mx.example').connection.tls).toEqual({ rejectUnauthorized: true });
    expect(target('smtp://127.0.0.1').connection.tls).toEqual({ rejectUnauthorized: false });
    expect(target('smtp://[::1]').connection.tls).toEqual({ rejectUnauthorized: false });
    expect(target('smtp://mx.example?tls.rejectUnauthorized=false').connection.tls).toEqual({
      rejectUnauthorized: false,
    });
  });

  it('never send a password in the clear to another host, unless the URL says so', () => {
    expect(target('smtp://a:b@mx.example').connection.requireTLS).toBe(true);
    expect(target('smtp://mx.example').connection.requireTLS).toBe(false);
    expect(target('smtp://a:b@localhost').connection.requireTLS).toBe(false);
    expect(target('smtp://a:b@mx.example?ignoreTLS=true').connection.requireTLS).toBe(false);
  });

  it('take the port of the URL or that of the scheme', () => {
    expect(target('smtp://mx.example').connection).toMatchObject({ host: 'mx.example', port: 25, secure: false });
    expect(target('smtps://mx.example').connection).toMatchObject({ port: 465, secure: true });
    expect(target('smtp://mx.example:2526').connection.port).toBe(2526);
  });
});
