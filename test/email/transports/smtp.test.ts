import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freePorts } from '../../../proof/crash/free-ports';
import { SmtpTransport } from '../../../email/transports/smtp';
import { BIG, counting, ENVELOPE, handOff, server, SMALL, transport } from '../support/hand-off';
import { drop, reset, silent, type Script } from '../support/scripted-smtp';

describe('a mail that the server takes', () => {
  it('is sent, with a delivery report asked for under the message id', async () => {
    const { outcome, asked, scripted } = await handOff({});
    expect(outcome).toEqual({ kind: 'sent', reply: '250 2.0.0 queued as ABC' });
    expect(asked).toBe(1);
    expect(scripted.bodies).toEqual(['Subject: hi\r\n\r\nhello\r\n']);
    expect(scripted.commands).toEqual([
      'EHLO kurir.test',
      `MAIL FROM:<b-1@bounce.demo.kurir.test> SIZE=${SMALL.length} RET=HDRS ENVID=id-1`,
      'RCPT TO:<budi@example.com> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;budi@example.com',
      'DATA',
      'DATA-END',
    ]);
  });

  it('encodes the original recipient as xtext and writes its domain in ASCII', async () => {
    const scripted = await server();
    await transport(scripted.url).handOff({ ...ENVELOPE, to: 'budi+promo=1@bücher.example' }, SMALL, counting().fence);
    expect(scripted.commands[2]).toBe(
      'RCPT TO:<budi+promo=1@xn--bcher-kva.example> NOTIFY=SUCCESS,FAILURE,DELAY ' +
        'ORCPT=rfc822;budi+2Bpromo+3D1@xn--bcher-kva.example',
    );
  });

  it('asks for no report where the server does not offer DSN, and waits for each reply without PIPELINING', async () => {
    const { outcome, scripted } = await handOff({ ehlo: '250 mx.test' });
    expect(outcome.kind).toBe('sent');
    expect(scripted.commands.slice(1, 3)).toEqual([
      'MAIL FROM:<b-1@bounce.demo.kurir.test>',
      'RCPT TO:<budi@example.com>',
    ]);
  });

  it('arrives byte for byte with lines of dots, also when it is large', async () => {
    const raw = Buffer.from(`Subject: dots\r\n\r\n.\r\n..\r\n.a\r\n${'.long line of text\r\n'.repeat(60_000)}`);
    const { outcome, scripted } = await handOff({}, raw);
    expect(outcome.kind).toBe('sent');
    expect(scripted.bodies[0]!.replaceAll('\r\n..', '\r\n.') === raw.toString('latin1')).toBe(true);
  });

  it('logs in with the user and password of the URL', async () => {
    const scripted = await server({ ehlo: '250-mx.test\n250 AUTH PLAIN' });
    const url = `smtp://kur%40x:p%3Aw@127.0.0.1:${scripted.port}`;
    expect((await transport(url).handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.commands[1]).toBe(`AUTH PLAIN ${Buffer.from('\0kur@x\0p:w').toString('base64')}`);
  });
});

describe('a refusal', () => {
  const cases: [string, Script, { permanent: boolean; reply: string }, number][] = [
    [
      '450 to MAIL',
      { mail: '450 4.7.1 later', rcpt: '503 no', data: '503 no' },
      { permanent: false, reply: '450 4.7.1 later' },
      0,
    ],
    [
      '550 to MAIL',
      { mail: '550 5.7.1 no', rcpt: '503 no', data: '503 no' },
      { permanent: true, reply: '550 5.7.1 no' },
      0,
    ],
    [
      '451 to RCPT',
      { rcpt: '451 4.7.1 greylisted', data: '554 no' },
      { permanent: false, reply: '451 4.7.1 greylisted' },
      0,
    ],
    [
      '550 to RCPT',
      { rcpt: '550 5.1.1 unknown user', data: '554 no' },
      { permanent: true, reply: '550 5.1.1 unknown user' },
      0,
    ],
    [
      '550 to RCPT and 354 to DATA',
      { rcpt: '550 5.1.1 unknown user', dot: '554 no recipient' },
      { permanent: true, reply: '550 5.1.1 unknown user' },
      0,
    ],
    ['452 to DATA', { data: '452 4.3.1 full' }, { permanent: false, reply: '452 4.3.1 full' }, 0],
    ['554 to DATA', { data: '554 5.7.1 no' }, { permanent: true, reply: '554 5.7.1 no' }, 0],
    ['451 after the dot', { dot: '451 4.3.0 later' }, { permanent: false, reply: '451 4.3.0 later' }, 1],
    [
      '550 after the dot',
      { dot: '550-5.7.1 spam\n550 5.7.1 see faq' },
      { permanent: true, reply: '550 5.7.1 spam 5.7.1 see faq' },
      1,
    ],
    ['421 after the dot', { dot: '421 4.3.2 closing' }, { permanent: false, reply: '421 4.3.2 closing' }, 1],
  ];
  it.each(cases)('by %s is reported with the reply of the server', async (_name, script, refusal, asked) => {
    const result = await handOff(script);
    expect(result.outcome).toEqual({ kind: 'refused', ...refusal });
    expect(result.asked).toBe(asked);
  });

  it.each<[string, Script]>([
    ['greeting', { greeting: '554 5.7.1 go away' }],
    ['EHLO', { ehlo: '550 5.7.1 go away' }],
  ])('of the session itself, by a 5xx at the %s, is temporary', async (_name, script) => {
    const { outcome, asked } = await handOff(script);
    expect(outcome).toEqual({
      kind: 'refused',
      permanent: false,
      reply: expect.stringMatching(/^55\d 5\.7\.1 go away$/),
      unopened: true,
    });
    expect(asked).toBe(0);
  });

  it('of the login is temporary', async () => {
    const scripted = await server({ ehlo: '250-mx.test\n250 AUTH PLAIN', auth: '535 5.7.8 wrong' });
    const outcome = await transport(`smtp://a:b@127.0.0.1:${scripted.port}`).handOff(ENVELOPE, SMALL, counting().fence);
    expect(outcome).toEqual({ kind: 'refused', permanent: false, reply: '535 5.7.8 wrong', unopened: true });
  });

  it.each(['503 5.5.1 nested MAIL', '530 5.7.0 login first'])(
    'about the session and not the mail (%s) is temporary',
    async (mail) => {
      const { outcome } = await handOff({ mail, rcpt: '503 no', data: '503 no' });
      expect(outcome).toEqual({ kind: 'refused', permanent: false, reply: mail });
    },
  );

  // spec: docs/contract.md#failed-reasons: failed: what the sending server cannot take, refunded
  it('is permanent for a mail above the size that the server announced, and no MAIL is sent', async () => {
    const { outcome, scripted } = await handOff({ ehlo: '250-mx.test\n250 SIZE 10' });
    expect(outcome).toMatchObject({
      kind: 'refused',
      permanent: true,
      reply: `Ukuran email ${SMALL.length} byte melebihi batas server pengirim (10 byte).`,
    });
    expect(scripted.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  it('in the middle of the body counts, and the rest of the body is not sent', async () => {
    let told = false;
    const body: Script['body'] = (socket) => {
      if (!told) socket.write('552 5.3.4 too big\r\n');
      told = true;
      socket.pause();
    };
    const { outcome, scripted } = await handOff({ body }, BIG);
    expect(outcome).toEqual({ kind: 'refused', permanent: true, reply: '552 5.3.4 too big' });
    expect(scripted.bodies).toEqual([]);
  });

  it('leaves a connection that is good for the next mail, after RSET', async () => {
    let first = true;
    const rcpt: Script['rcpt'] = (socket) => {
      socket.write(first ? '550 5.1.1 unknown user\r\n' : '250 ok\r\n');
      first = false;
    };
    const scripted = await server({ ehlo: '250 mx.test', rcpt });
    const sender = transport(scripted.url, { maxConnections: 1 });
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('refused');
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(1);
    expect(scripted.commands).toContain('RSET');
  });
});

describe('a connection that fails before the mail was complete', () => {
  it('is a definite failure when no server listens', async () => {
    const [port = 0] = await freePorts(1);
    const outcome = await transport(`smtp://127.0.0.1:${port}`).handOff(ENVELOPE, SMALL, counting().fence);
    expect(outcome).toEqual({ kind: 'not_sent', reason: expect.stringContaining('ECONNREFUSED'), unopened: true });
  });

  it.each<[string, Script]>([
    ['before the greeting', { greeting: drop }],
    ['by a reset before the greeting', { greeting: reset }],
    ['after EHLO', { ehlo: drop }],
    ['after MAIL', { mail: drop }],
    ['after RCPT', { rcpt: drop }],
    ['by a reset after RCPT', { rcpt: reset }],
    ['at DATA', { data: drop }],
  ])('is a definite failure when it dies %s, without asking the fence', async (_name, script) => {
    const { outcome, asked } = await handOff(script);
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(asked).toBe(0);
  });

  it.each<[string, Script]>([
    ['closed', { data: (socket) => socket.end('354 go\r\n') }],
    ['reset', { data: (socket) => socket.write('354 go\r\n', () => setTimeout(() => socket.resetAndDestroy(), 20)) }],
  ])('is a definite failure when it is %s after the 354, while the fence is asked', async (_name, script) => {
    const scripted = await server(script);
    const counted = counting(() => new Promise((resolve) => setTimeout(() => resolve(true), 100)));
    const outcome = await transport(scripted.url).handOff(ENVELOPE, SMALL, counted.fence);
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(counted.asked).toBe(1);
    expect(scripted.bodyBytes).toBe(0);
  });

  it.each<[string, NonNullable<Script['body']>]>([
    ['closed', (socket, bytes) => bytes > 100_000 && socket.destroy()],
    ['reset', (socket, bytes) => bytes > 100_000 && socket.resetAndDestroy()],
  ])('is a definite failure when it is %s in the middle of 8 MB', async (_name, body) => {
    const { outcome, asked, scripted } = await handOff({ body }, BIG);
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(asked).toBe(1);
    expect(scripted.bodies).toEqual([]);
  });

  it('is a definite failure when the server answers DATA with anything but a request for the mail', async () => {
    const { outcome, asked, scripted } = await handOff({ data: '250 ok' });
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'The server answered DATA with: 250 ok' });
    expect(asked).toBe(0);
    expect(scripted.bodyBytes).toBe(0);
  });
});

describe('a connection that fails after the mail was complete', () => {
  it.each<[string, Script]>([
    ['closed', { dot: drop }],
    ['reset', { dot: reset }],
  ])('is unknown when it is %s without an answer', async (_name, script) => {
    const { outcome, asked, scripted } = await handOff(script);
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(asked).toBe(1);
    expect(scripted.bodies).toHaveLength(1);
    expect(scripted.connections).toBe(1);
  });

  it('is unknown for 8 MB too', async () => {
    const { outcome, scripted } = await handOff({ dot: drop }, BIG);
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(scripted.bodies).toHaveLength(1);
  });

  it('is unknown when the answer is no SMTP reply', async () => {
    const { outcome } = await handOff({ dot: 'hello there' });
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown when the server claims to have a mail that it was not sent completely', async () => {
    let told = false;
    const body: Script['body'] = (socket, bytes) => {
      if (bytes === 0) return;
      if (!told) socket.write('250 got it\r\n');
      told = true;
      socket.pause();
    };
    const { outcome } = await handOff({ body }, BIG);
    expect(outcome).toEqual({ kind: 'unknown', reason: 'The server answered before the mail was sent: 250 got it' });
  });
});

describe('a server that never answers', () => {
  const timeouts = { connect: 150, greeting: 150, idle: 150, whole: 5_000 };
  /** Long enough to come as far as the dot on a busy machine. */
  const longer = { connect: 5_000, greeting: 5_000, idle: 2_000, whole: 20_000 };
  it.each<[string, Script]>([
    ['greets', { greeting: silent }],
    ['answers EHLO', { ehlo: silent }],
    ['answers MAIL', { mail: silent, rcpt: silent, data: silent }],
    ['asks for the mail', { data: silent }],
  ])('is a definite failure when it never %s', async (_name, script) => {
    const { outcome, asked } = await handOff(script, SMALL, { timeouts });
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(asked).toBe(0);
  });

  it('is unknown when it never answers the final dot', async () => {
    const { outcome } = await handOff({ dot: silent }, SMALL, { timeouts: longer });
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('Timeout') });
  });

  it('is a definite failure when it stops reading a large mail', async () => {
    const { outcome, scripted } = await handOff({ body: (socket) => void socket.pause() }, BIG, { timeouts });
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(scripted.bodies).toEqual([]);
  });

  it.each<[string, Script, string, number]>([
    ['before the mail', { ehlo: silent }, 'not_sent', 150],
    ['after it', { dot: silent }, 'unknown', 2_000],
  ])('cannot hold a hand-off longer than the whole may take, %s', async (_name, script, kind, whole) => {
    const { outcome } = await handOff(script, SMALL, { timeouts: { whole } });
    expect(outcome.kind).toBe(kind);
  });
});

describe('the fence', () => {
  it('is asked once, after the 354, and no byte of the mail is seen before it answered', async () => {
    const scripted = await server();
    const seen: unknown[] = [];
    const fence = async (): Promise<boolean> => {
      seen.push(scripted.commands.at(-1), scripted.bodyBytes);
      await new Promise((resolve) => setTimeout(resolve, 100));
      seen.push(scripted.commands.at(-1), scripted.bodyBytes);
      return true;
    };
    expect((await transport(scripted.url).handOff(ENVELOPE, SMALL, fence)).kind).toBe('sent');
    expect(seen).toEqual(['DATA', 0, 'DATA', 0]);
  });

  it.each<[string, () => Promise<boolean>, string]>([
    ['answers false', () => Promise.resolve(false), 'The fence refused the hand-off.'],
    ['throws', () => Promise.reject(new Error('store gone')), 'The fence failed: store gone'],
  ])('keeps the mail back when it %s, and the connection is dropped', async (_name, fence, reason) => {
    const scripted = await server();
    const sender = transport(scripted.url);
    expect(await sender.handOff(ENVELOPE, SMALL, fence)).toEqual({ kind: 'fenced_out', reason });
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(2);
    expect(scripted.bodies).toEqual([SMALL.toString()]);
    expect(scripted.bodyBytes).toBe(SMALL.length + '.\r\n'.length);
  });

  it('is waited for before any outcome is given', async () => {
    const scripted = await server({ data: (socket) => socket.end('354 go\r\n') });
    let answered = false;
    const fence = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answered = true;
      return false;
    };
    const outcome = await transport(scripted.url).handOff(ENVELOPE, SMALL, fence);
    expect(answered).toBe(true);
    expect(outcome.kind).toBe('fenced_out');
  });
});

describe('envelope addresses', () => {
  it.each([
    'a@example.com>\r\nRCPT TO:<b@example.com',
    'a@example.com> NOTIFY=NEVER',
    'a@example.com,b@example.com',
    '@hop.example:a@example.com',
    'a b@example.com',
    'a@exam ple.com',
    '"a@example.com',
    'a@',
    'nobody',
    '',
  ])('that are not exactly one mailbox are refused for ever, and nothing is sent: %j', async (to) => {
    const scripted = await server();
    const outcome = await transport(scripted.url).handOff({ ...ENVELOPE, to }, SMALL, counting().fence);
    expect(outcome).toMatchObject({
      kind: 'refused',
      permanent: true,
      reply: expect.stringContaining('not a valid address'),
    });
    expect(scripted.connections).toBe(0);
  });

  it('with a quoted local part are one mailbox', async () => {
    const scripted = await server();
    const outcome = await transport(scripted.url).handOff(
      { ...ENVELOPE, to: '"a b@c"@example.com' },
      SMALL,
      counting().fence,
    );
    expect(outcome.kind).toBe('sent');
    expect(scripted.commands[2]).toMatch(/^RCPT TO:<"a b@c"@example\.com> /);
  });

  it.each([
    ['"a\\"b"@example.com', 'RCPT TO:<"a\\"b"@example.com> ', 'ORCPT=rfc822;"a\\"b"@example.com'],
    [
      '"a> NOTIFY=NEVER <b+=c"@example.com',
      'RCPT TO:<"a> NOTIFY=NEVER <b+=c"@example.com> ',
      '"a>+20NOTIFY+3DNEVER+20<b+2B+3Dc"@',
    ],
    ['"abc"@example.com', 'RCPT TO:<abc@example.com> ', 'ORCPT=rfc822;abc@example.com'],
    ['"a\\bc\\ d"@example.com', 'RCPT TO:<"abc d"@example.com> ', 'ORCPT=rfc822;"abc+20d"@example.com'],
  ])('%s is sent with the least quotes, its report request encoded', async (to, path, original) => {
    const scripted = await server();
    const outcome = await transport(scripted.url).handOff({ ...ENVELOPE, to }, SMALL, counting().fence);
    expect(outcome.kind).toBe('sent');
    expect(scripted.commands[2]?.startsWith(path)).toBe(true);
    expect(scripted.commands[2]).toContain(original);
  });

  // spec: docs/contract.md#addresses: no control character or line break in quotes
  it('with any text in quotes are one RCPT command of one line, or nothing is sent', async () => {
    const scripted = await server({ ehlo: '250-mx.test\n250-SMTPUTF8\n250 DSN' });
    const sender = transport(scripted.url);
    const content = fc.string({ unit: fc.constantFrom(...' "\\<>@a.:,;\r\n\0\t\x7f\u0085ü'), maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const [before, connections] = [scripted.commands.length, scripted.connections];
        const outcome = await sender.handOff({ ...ENVELOPE, to: `"${text}"@example.com` }, SMALL, counting().fence);
        const lines = scripted.commands.slice(before);
        if (outcome.kind === 'refused')
          return expect([lines.length <= 1, scripted.connections]).toEqual([true, connections]);
        expect(lines.filter((line) => !line.startsWith('EHLO')).map((line) => line.slice(0, 4))).toEqual([
          'MAIL',
          'RCPT',
          'DATA',
          'DATA',
        ]);
        expect(lines.find((line) => line.startsWith('RCPT'))).toMatch(
          /^RCPT TO:<(?:"(?:[^"\\\p{Cc}]|\\[ -~])+"|[^\s"<>@]+)@example\.com> NOTIFY=SUCCESS,FAILURE,DELAY(?: ORCPT=[!-~]+)?$/u,
        );
      }),
      { numRuns: 300 },
    );
    await sender.close();
  });

  it('in another script are refused for ever by a server without SMTPUTF8, with a clear text', async () => {
    const scripted = await server();
    const counted = counting();
    const outcome = await transport(scripted.url).handOff(
      { ...ENVELOPE, to: 'büdi@example.com' },
      SMALL,
      counted.fence,
    );
    expect(outcome).toEqual({
      kind: 'refused',
      permanent: true,
      reply: 'Alamat dengan karakter non-ASCII sebelum @ tidak didukung server pengirim.',
      unasked: true,
    });
    expect(counted.asked).toBe(0);
    expect(scripted.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  it('in another script go to a server with SMTPUTF8', async () => {
    const scripted = await server({ ehlo: '250-mx.test\n250-DSN\n250 SMTPUTF8' });
    const outcome = await transport(scripted.url).handOff(
      { ...ENVELOPE, to: 'büdi@example.com' },
      SMALL,
      counting().fence,
    );
    expect(outcome.kind).toBe('sent');
    expect(scripted.commands[1]).toContain(' SMTPUTF8 ');
  });
});

describe('the URL of the sending server', () => {
  it.each([
    'http://mx.test',
    'mx.test',
    'smtp://',
    'smtp://mx.test?tls=no',
    'smtp://mx.test?ignoreTLS=perhaps',
    'smtp://mx.test?pipelining=no',
  ])('%s is refused with a clear error', (url) => {
    expect(() => new SmtpTransport({ url, maxConnections: 1, name: 'kurir.test' })).toThrow(
      /URL of the sending server/,
    );
  });
});
