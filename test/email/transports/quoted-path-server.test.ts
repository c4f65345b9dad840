import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuotedPathServer } from '../../../email/transports/quoted-path-server';
import { SmtpTransport } from '../../../email/transports/smtp';

const SENDER = 'b-1@bounce.example';
const RAW = Buffer.from('Subject: x\r\n\r\ny\r\n');

let seen: { from: string; to: string[]; orcpt: string | null | undefined }[] = [];
const server = new QuotedPathServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  hideDSN: false,
  logger: false,
  onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
    const to = rcptTo.map(({ address }) => address);
    seen.push({ from: mailFrom ? mailFrom.address : '', to, orcpt: rcptTo[0]?.dsn?.orcpt });
    stream.resume().on('end', () => done());
  },
});
let port = 0;
let transport: SmtpTransport;
beforeAll(async () => {
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  ({ port } = server.server.address() as AddressInfo);
  transport = new SmtpTransport({ url: `smtp://127.0.0.1:${port}`, maxConnections: 1, name: 'kurir.test' });
});
beforeEach(() => void (seen = []));
afterAll(async () => {
  await transport.close();
  await new Promise<void>((resolve) => server.close(resolve));
});

const handOff = (to: string) => transport.handOff({ from: SENDER, to, envid: 'E1' }, RAW, () => Promise.resolve(true));

describe('a local part in quotes', () => {
  it.each([
    '"a b"@x.example',
    '"a@b"@x.example',
    '"a\\"b"@x.example',
    '"a<b>:c, d"@x.example',
    '"a> NOTIFY=NEVER"@x.example',
  ])('%s is taken as it was sent, with its report request', async (to) => {
    expect((await handOff(to)).kind).toBe('sent');
    expect(seen).toEqual([{ from: SENDER, to: [to], orcpt: `rfc822;${to}` }]);
  });

  it('stands beside others on one connection', async () => {
    for (const to of ['a@x.example', '"a b"@x.example', 'b@x.example']) await handOff(to);
    expect(seen.map(({ to }) => to)).toEqual([['a@x.example'], ['"a b"@x.example'], ['b@x.example']]);
  });
});

describe('commands', () => {
  let socket: Socket;
  const say = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`);
    return String((await once(socket, 'data'))[0]).slice(0, 3);
  };
  beforeEach(async () => {
    socket = connect(port, '127.0.0.1');
    await once(socket, 'data');
    await say('EHLO client.test');
  });

  it('take a quoted sender, and a space before the path', async () => {
    expect(await say('MAIL FROM: <"a b"@x.example> SIZE=10')).toBe('250');
    expect(await say('rcpt to:<"c d"@x.example>')).toBe('250');
    socket.destroy();
  });

  it.each([
    'RCPT TO:<"a b@x.example>',
    'RCPT TO:<"a b"@>',
    'RCPT TO:<"a b"@x.example',
    'RCPT TO:<"a\tb"@x.example>',
    'RCPT TO:<"a b"c@x.example>',
    'RCPT TO:"a b"@x.example',
  ])('with broken quotes are refused: %s', async (line) => {
    await say(`MAIL FROM:<${SENDER}>`);
    expect(await say(line)).toBe('501');
    socket.destroy();
  });
});
