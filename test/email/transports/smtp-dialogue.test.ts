import { describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo } from 'node:net';
import { BIG, counting, ENVELOPE, handOff, onceOver, server, SMALL, transport } from '../support/hand-off';
import { drop, reset, silent, type Script, type Step } from '../support/scripted-smtp';
import { SmtpInbox } from '../support/smtp-inbox';
import { until } from '../../contract/helpers';

const NO_PIPELINING = '250-mx.test\n250-SIZE 20000000\n250 DSN';
const MODES: [string, Script][] = [
  ['with PIPELINING', {}],
  ['without PIPELINING', { ehlo: NO_PIPELINING }],
];
const slowFence = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(true), 100));

describe('the commands of a mail', () => {
  it('come in one piece to a server with PIPELINING, and the body in another', async () => {
    const seen: number[] = [];
    const { outcome, scripted } = await handOff({
      mail: (socket) => (seen.push(socket.bytesRead), socket.write('250 ok\r\n')),
      body: (socket, bytes) => bytes > 0 && seen.push(socket.bytesRead),
    });
    expect(outcome.kind).toBe('sent');
    const commands = scripted.commands.filter((line) => line !== 'DATA-END').join('\r\n').length + 2;
    expect(seen).toEqual([commands, commands + SMALL.length + '.\r\n'.length]);
  });

  it('come one at a time to a server without', async () => {
    const seen: string[] = [];
    const slowly =
      (reply: string): Step =>
      (socket) =>
        void setTimeout(() => {
          seen.push(scripted.commands.at(-1)!.slice(0, 4));
          socket.write(`${reply}\r\n`);
        }, 20);
    const scripted = await server({
      ehlo: NO_PIPELINING,
      mail: slowly('250 ok'),
      rcpt: slowly('250 ok'),
      data: slowly('354 go'),
    });
    expect((await transport(scripted.url).handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(seen).toEqual(['MAIL', 'RCPT', 'DATA']);
  });

  it('after the first that is refused are not sent to a server without PIPELINING', async () => {
    const { outcome, scripted } = await handOff({ ehlo: NO_PIPELINING, mail: '550 5.7.1 no' });
    expect(outcome).toEqual({ kind: 'refused', permanent: true, reply: '550 5.7.1 no' });
    expect(scripted.commands.some((line) => /^(RCPT|DATA)/.test(line))).toBe(false);
  });
});

describe('the replies of a server', () => {
  it('may come all at once', async () => {
    const { outcome } = await handOff({
      mail: silent,
      rcpt: silent,
      data: '250-sender\n250 ok\n250-recipient\n250 ok\n354-go\n354 ahead',
      dot: '250-2.0.0 queued\n250 2.0.0 as ABC',
    });
    expect(outcome).toEqual({ kind: 'sent', reply: '250 2.0.0 queued 2.0.0 as ABC' });
  });

  it('may come byte by byte', async () => {
    const scripted = await server({ mail: '250-sender\n250 ok', dot: '250-2.0.0 queued\n250 2.0.0 as ABC' });
    const way = createServer((client) => {
      const upstream = connect({ port: scripted.port, host: '127.0.0.1', noDelay: true });
      client.setNoDelay(true).on('error', () => upstream.destroy());
      client.on('close', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      let sent = Promise.resolve();
      upstream.on('data', (chunk) => {
        for (const byte of chunk) {
          sent = sent.then(() => new Promise((next) => client.write(Buffer.from([byte]), () => setImmediate(next))));
        }
      });
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    onceOver(() => new Promise((resolve) => way.close(() => resolve())));
    const sender = transport(`smtp://127.0.0.1:${(way.address() as AddressInfo).port}`, { maxConnections: 1 });
    for (let i = 0; i < 2; i++) {
      const outcome = await sender.handOff(ENVELOPE, SMALL, counting().fence);
      expect(outcome).toEqual({ kind: 'sent', reply: '250 2.0.0 queued 2.0.0 as ABC' });
    }
    expect(scripted.connections).toBe(1);
  });

  it.each<[string, Script, string, number]>([
    ['to MAIL', { mail: 'what' }, 'not_sent', 0],
    ['to RCPT', { rcpt: '999 what' }, 'not_sent', 0],
    ['to DATA', { data: '354 go\nwhat' }, 'not_sent', 1],
    ['to the mail', { dot: '250-ok\n550 no' }, 'unknown', 1],
    ['that never ends, to MAIL', { mail: '250-more\n'.repeat(5_000) }, 'not_sent', 0],
    ['that never ends, to the mail', { dot: '250-more\n'.repeat(5_000) }, 'unknown', 1],
  ])('that are none (%s) end the connection', async (_name, script, kind, asked) => {
    const scripted = await server((connection) => (connection === 1 ? script : {}));
    const sender = transport(scripted.url, { maxConnections: 1 });
    const counted = counting();
    expect((await sender.handOff(ENVELOPE, SMALL, counted.fence)).kind).toBe(kind);
    expect(counted.asked).toBe(asked);
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(2);
  });

  it('before the first byte of the mail cannot be about the mail: a definite failure', async () => {
    const scripted = await server({ data: '354 go\n250 got it' });
    const outcome = await transport(scripted.url).handOff(ENVELOPE, SMALL, slowFence);
    expect(outcome).toEqual({
      kind: 'not_sent',
      reason: 'The server answered before the mail was sent: 250 got it',
    });
    expect(scripted.bodyBytes).toBe(0);
  });

  it('that refuse the mail while the fence is asked count, and nothing is sent', async () => {
    const scripted = await server({ data: '354 go\n421 4.3.2 shutting down' });
    const outcome = await transport(scripted.url).handOff(ENVELOPE, SMALL, slowFence);
    expect(outcome).toEqual({ kind: 'refused', permanent: false, reply: '421 4.3.2 shutting down' });
    expect(scripted.bodyBytes).toBe(0);
  });
});

describe('a server that says 421', () => {
  it.each<[string, Script]>([
    ['MAIL', { mail: '421 4.3.2 busy', rcpt: silent, data: silent }],
    ['RCPT', { rcpt: '421 4.3.2 busy', data: silent }],
  ])('to %s is not waited for any longer', async (_name, script) => {
    const { outcome } = await handOff(script);
    expect(outcome).toEqual({ kind: 'refused', permanent: false, reply: '421 4.3.2 busy' });
  });
});

describe('a server that refuses the recipient and asks for the mail', () => {
  it.each<[string, Script]>([
    ['the recipient', { rcpt: '550 5.1.1 unknown user' }],
    ['the sender', { mail: '550 5.1.1 unknown user', rcpt: '503 no' }],
  ])('gets none (%s), and the connection is closed', async (_name, script) => {
    const scripted = await server((connection) => (connection === 1 ? script : {}));
    const sender = transport(scripted.url, { maxConnections: 1 });
    const counted = counting();
    expect(await sender.handOff(ENVELOPE, SMALL, counted.fence)).toEqual({
      kind: 'refused',
      permanent: true,
      reply: '550 5.1.1 unknown user',
    });
    expect(counted.asked).toBe(0);
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.bodies).toEqual([SMALL.toString()]);
    expect(scripted.bodyBytes).toBe(SMALL.length + '.\r\n'.length);
    expect(scripted.connections).toBe(2);
  });

  it('is asked to forget the mail when it refuses DATA too, and the connection is used again', async () => {
    const scripted = await server({ rcpt: '550 5.1.1 unknown user', data: '554 5.5.1 no valid recipients' });
    const sender = transport(scripted.url, { maxConnections: 1 });
    for (let i = 0; i < 2; i++) {
      const outcome = await sender.handOff(ENVELOPE, SMALL, counting().fence);
      expect(outcome).toEqual({ kind: 'refused', permanent: true, reply: '550 5.1.1 unknown user' });
    }
    const verbs = scripted.commands.map((line) => line.slice(0, 4));
    expect(verbs.slice(0, 8)).toEqual(['EHLO', 'MAIL', 'RCPT', 'DATA', 'RSET', 'MAIL', 'RCPT', 'DATA']);
    expect(scripted.connections).toBe(1);
  });

  it('and closes before it answers DATA has refused it all the same', async () => {
    const { outcome } = await handOff({ rcpt: '550 5.1.1 unknown user', data: drop });
    expect(outcome).toEqual({ kind: 'refused', permanent: true, reply: '550 5.1.1 unknown user' });
  });
});

describe.each(MODES)('a connection that ends, %s', (_mode, base) => {
  const ends: [string, Script['mail']][] = [
    ['closed', drop],
    ['reset', reset],
    ['half closed', (socket) => void socket.end()],
  ];
  const cases = ends.flatMap(([how, step]) =>
    (['mail', 'rcpt', 'data', 'dot'] as const).map((stage) => [how, stage, { ...base, [stage]: step }] as const),
  );
  it.each(cases)('%s at %s is judged by whether the mail was complete', async (_how, stage, script) => {
    const { outcome, asked, scripted } = await handOff(script);
    expect(outcome.kind).toBe(stage === 'dot' ? 'unknown' : 'not_sent');
    expect(asked).toBe(stage === 'dot' ? 1 : 0);
    expect(scripted.bodies).toHaveLength(asked);
  });
});

describe('a large mail', () => {
  it('arrives whole at a server that reads slowly, dots and a last line without an end included', async () => {
    const body: Script['body'] = (socket) => {
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    };
    const dotted = Buffer.from(`Subject: big\r\n\r\n${'.123456789abcde\r\n'.repeat(120_000)}.`);
    const { outcome, scripted } = await handOff({ body }, dotted);
    expect(outcome.kind).toBe('sent');
    expect(scripted.bodies[0]!.replaceAll('\r\n..', '\r\n.') === `${dotted.toString('latin1')}\r\n`).toBe(true);
  });

  it('is left off when the server refuses it before its end, and the connection with it', async () => {
    let told = false;
    const body: Script['body'] = (socket, bytes) => {
      if (bytes < 100_000 || told) return;
      told = true;
      socket.write('552 5.3.4 too big\r\n');
      socket.pause();
    };
    const scripted = await server((connection) => (connection === 1 ? { body } : {}));
    const sender = transport(scripted.url, { maxConnections: 1 });
    expect(await sender.handOff(ENVELOPE, BIG, counting().fence)).toEqual({
      kind: 'refused',
      permanent: true,
      reply: '552 5.3.4 too big',
    });
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(2);
    expect(scripted.bodies).toEqual([SMALL.toString()]);
  });
});

describe('after an answer to a mail', () => {
  it.each([
    ['450 4.2.1 later', 1],
    ['550 5.7.1 no', 1],
    ['421 4.3.2 closing', 2],
  ])('of %s the next mail goes over connection %i', async (dot, connections) => {
    let mails = 0;
    const scripted = await server({
      dot: (socket) => void socket.write(`${++mails === 1 ? dot : '250 ok'}\r\n`),
    });
    const sender = transport(scripted.url, { maxConnections: 1 });
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('refused');
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(connections);
  });

  it.each(['421 4.4.2 idle too long\r\n', '250 what else?\r\n', '2'])(
    'a connection on which the unused server says %j is not used again',
    async (words) => {
      const sockets: { write(text: string): void; destroyed: boolean }[] = [];
      const scripted = await server({ greeting: (socket) => (sockets.push(socket), socket.write('220 mx\r\n')) });
      const sender = transport(scripted.url, { maxConnections: 1, keepIdle: 600_000 });
      await sender.handOff(ENVELOPE, SMALL, counting().fence);
      sockets[0]!.write(words);
      await until(() => scripted.open === 0, 5);
      expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
      expect(scripted.connections).toBe(2);
    },
  );
});

describe('an encrypted session with a login', () => {
  it('carries mails as any other, and is used again', async () => {
    const users: unknown[] = [];
    const inbox = await SmtpInbox.start({
      authOptional: false,
      onAuth: (auth, session, done) => {
        users.push([auth.username, auth.password, session.secure]);
        done(null, { user: auth.username });
      },
    });
    onceOver(() => inbox.stop());
    const sender = transport(`smtp://kur123:secret@127.0.0.1:${inbox.port}`, { maxConnections: 1 });
    const raws = [SMALL, Buffer.from('Subject: dots\r\n\r\n.\r\n..\r\nend'), BIG];
    for (const raw of raws) expect((await sender.handOff(ENVELOPE, raw, counting().fence)).kind).toBe('sent');
    expect(users).toEqual([['kur123', 'secret', true]]);
    expect(inbox.mails.map((mail) => mail.length)).toEqual([SMALL.length, raws[1]!.length + 2, BIG.length]);
    expect(inbox.mails[2]!.equals(BIG)).toBe(true);
  });
});

describe('line ends', () => {
  const evil = 'x\r\nRCPT TO:<eve@example.com>';
  it.each([
    ['the sender', { ...ENVELOPE, from: `${evil}@example.com` }],
    ['the quoted sender', { ...ENVELOPE, from: `"${evil}"@example.com` }],
    ['the recipient', { ...ENVELOPE, to: `${evil}@example.com` }],
    ['the domain of the recipient', { ...ENVELOPE, to: `x@example.com\r\nDATA` }],
    ['the message id', { ...ENVELOPE, envid: evil }],
  ])('in %s never reach the wire', async (_name, envelope) => {
    const scripted = await server();
    await transport(scripted.url).handOff(envelope, SMALL, counting().fence);
    expect(scripted.commands.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1);
    expect(scripted.commands.some((line) => line.includes('RCPT TO:<eve'))).toBe(false);
  });
});
