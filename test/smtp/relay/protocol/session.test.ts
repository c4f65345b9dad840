import { describe, expect, it, test } from '@jest/globals';
import { converse, crlf, drain, loggedIn, repliesTo, toList } from './converse';
import { AUTH, PASSWORD, StubPolicy, USERNAME } from './stub-policy';

const MAIL = 'MAIL FROM:<shop@a.example>';
const RCPT = 'RCPT TO:<budi@b.example>';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const codes = (replies: readonly string[]): string[] =>
  replies.map((reply) => (/^\d{3}[ -](\d\.\d+\.\d+ )?/.exec(reply)?.[0] ?? '').trim());
const inTheClear = async (...lines: string[]) => toList((await converse([crlf(...lines)], { secure: false })).replies);
const underTls = async (...lines: string[]) => toList((await converse([crlf(...lines)])).replies);

describe('before TLS', () => {
  // spec: docs/contract.md#relay-connection: login under TLS only
  it('announces STARTTLS and no AUTH, and takes neither a login nor a mail', async () => {
    const [ehlo, ...rest] = await inTheClear('EHLO c.test', AUTH, 'AUTH LOGIN', MAIL, RCPT, 'DATA', 'VRFY a', 'NOOP');
    expect(ehlo).toBe(
      '250-relay.test|250-PIPELINING|250-SIZE 10485760|250-STARTTLS|250-ENHANCEDSTATUSCODES|250-8BITMIME|250 SMTPUTF8',
    );
    expect(codes(rest)).toEqual([
      '538 5.7.11',
      '538 5.7.11',
      '530 5.7.0',
      '530 5.7.0',
      '530 5.7.0',
      '530 5.7.0',
      '250 2.0.0',
    ]);
  });

  it('STARTTLS alone leads to TLS; with an argument 501', async () => {
    expect(await converse([crlf('STARTTLS now'), crlf('STARTTLS')], { secure: false })).toMatchObject({
      replies: '501 5.5.4 Syntax: STARTTLS\r\n220 2.0.0 Ready to start TLS\r\n',
      state: 'startTls',
    });
  });

  // spec: docs/contract.md#relay-lines: behind STARTTLS
  it.each(['EHLO injected.test\r\n', 'X', '\n', '\0'])(
    'bytes behind STARTTLS end the connection: %j',
    async (behind) => {
      const gone = await converse([`EHLO c.test\r\nSTARTTLS\r\n${behind}`, loggedIn(MAIL)], { secure: false });
      expect(gone.state).toBe('closed');
      expect(toList(gone.replies).at(-1)).toMatch(/^503 5\.5\.1 /);
    },
  );
});

describe('under TLS', () => {
  it('announces AUTH and no STARTTLS; 503 for another STARTTLS', async () => {
    const [ehlo, again] = await underTls('EHLO c.test', 'STARTTLS');
    expect(ehlo).toBe(
      '250-relay.test|250-PIPELINING|250-SIZE 10485760|250-AUTH PLAIN LOGIN|250-ENHANCEDSTATUSCODES|250-8BITMIME|250 SMTPUTF8',
    );
    expect(again).toMatch(/^503 5\.5\.1 /);
  });

  test.each<[string, string[], string]>([
    ['PLAIN with the password in the command', [AUTH], '235 2.7.0'],
    ['PLAIN behind a prompt', ['AUTH PLAIN', base64(`\0${USERNAME}\0${PASSWORD}`)], '334,235 2.7.0'],
    ['PLAIN acting as itself', [`AUTH plain ${base64(`${USERNAME}\0${USERNAME}\0${PASSWORD}`)}`], '235 2.7.0'],
    ['PLAIN acting as another', [`AUTH PLAIN ${base64(`admin\0${USERNAME}\0${PASSWORD}`)}`], '535 5.7.8'],
    ['LOGIN', ['AUTH LOGIN', base64(USERNAME), base64(PASSWORD)], '334,334,235 2.7.0'],
    ['LOGIN with the user name in the command', [`AUTH LOGIN ${base64(USERNAME)}`, base64(PASSWORD)], '334,235 2.7.0'],
    ['a wrong password', [`AUTH PLAIN ${base64(`\0${USERNAME}\0wrong`)}`], '535 5.7.8'],
    ['a fault of ours', [`AUTH PLAIN ${base64(`\0broken\0${PASSWORD}`)}`], '451 4.3.0'],
    ['cancelled', ['AUTH LOGIN', '*'], '334,501 5.7.0'],
    ['no base64', ['AUTH LOGIN', 'no base64!'], '334,501 5.5.2'],
    ['base64 of no UTF-8', ['AUTH LOGIN', '/w=='], '334,501 5.5.2'],
    ['PLAIN without a password', [`AUTH PLAIN ${base64(USERNAME)}`], '501 5.5.2'],
    ['an unknown mechanism', ['AUTH CRAM-MD5'], '504 5.5.4'],
    ['no mechanism', ['AUTH'], '501 5.5.4'],
    ['too many words', ['AUTH PLAIN a b'], '501 5.5.4'],
    ['twice', [AUTH, AUTH], '235 2.7.0,503 5.5.1'],
    ['an exchange line of 12,289 octets', ['AUTH LOGIN', 'a'.repeat(12_287)], '334,500 5.5.6'],
    ['an exchange line of 12,288 octets', ['AUTH LOGIN', 'YWFh'.repeat(3_071), 'YQ=='], '334,334,535 5.7.8'],
  ])('AUTH: %s', async (_, lines, expected) => {
    expect(codes((await underTls('EHLO c.test', ...lines)).slice(1)).join()).toBe(expected);
  });

  it('AUTH before EHLO 503, MAIL without a login 530', async () => {
    expect(codes(await underTls(AUTH, MAIL, 'EHLO c.test', MAIL))).toEqual([
      '503 5.5.1',
      '503 5.5.1',
      '250-',
      '530 5.7.0',
    ]);
  });

  // spec: docs/contract.md#relay-limits: refused logins
  it('five failed logins end the connection with 421', async () => {
    const wrong = Array.from({ length: 6 }, () => `AUTH PLAIN ${base64('\0a\0b')}`);
    const gone = await converse([crlf('EHLO c.test', ...wrong)]);
    expect(codes(toList(gone.replies)).slice(1)).toEqual([...Array<string>(5).fill('535 5.7.8'), '421 4.7.0']);
    expect(gone.state).toBe('closed');
  });
});

describe('commands', () => {
  test.each<[string, string[], string]>([
    ['a mail', [MAIL, RCPT, 'DATA', 'Subject: a', '', 'b', '.'], '250 2.1.0,250 2.1.5,354,250 2.0.0'],
    ['MAIL with all parameters', [`${MAIL} SIZE=100 BODY=8BITMIME SMTPUTF8 AUTH=<>`], '250 2.1.0'],
    ['MAIL in small letters, with a space', ['mail from: <shop@a.example> size=1'], '250 2.1.0'],
    ['the null sender', ['MAIL FROM:<>'], '250 2.1.0'],
    ['a quoted local part', ['MAIL FROM:<"a > b@c"@a.example> SIZE=5'], '250 2.1.0'],
    ['an address literal', ['MAIL FROM:<a@[IPv6:2001:db8::1]>'], '250 2.1.0'],
    ['MAIL without an address', ['MAIL', 'MAIL FROM', 'MAIL FROM:', 'MAIL FROM:a@b'], '501 5.5.4'.repeat(4)],
    ['MAIL TO', ['MAIL TO:<a@b>'], '501 5.5.4'],
    ['an unclosed bracket', ['MAIL FROM:<a@b', 'MAIL FROM:<a@b>SIZE=1'], '501 5.5.4501 5.5.4'],
    ['a broken parameter', [`${MAIL} SIZE=x`, `${MAIL} =1`, `${MAIL} SIZE=1 SIZE=1`], '501 5.5.4'.repeat(3)],
    ['SMTPUTF8 with a value', [`${MAIL} SMTPUTF8=1`], '501 5.5.4'],
    ['an unknown parameter of MAIL', [`${MAIL} RET=HDRS`, `${MAIL} BODY=BINARYMIME`], '555 5.5.4555 5.5.4'],
    ['an unknown parameter of RCPT', [MAIL, `${RCPT} NOTIFY=NEVER`], '250 2.1.0,555 5.5.4'],
    ['SIZE of 10 MiB', [`${MAIL} SIZE=10485760`], '250 2.1.0'],
    ['SIZE above 10 MiB', [`${MAIL} SIZE=10485761`], '552 5.3.4'],
    ['SIZE beyond all numbers', [`${MAIL} SIZE=99999999999999999999`], '552 5.3.4'],
    ['a sender that is refused', ['MAIL FROM:<refused@a.example>', RCPT, 'DATA'], '550 5.7.1,503 5.5.1,503 5.5.1'],
    ['a sender that cannot be checked', ['MAIL FROM:<fails@a.example>'], '451 4.3.0'],
    ['MAIL twice', [MAIL, MAIL], '250 2.1.0,503 5.5.1'],
    ['RCPT before MAIL', [RCPT], '503 5.5.1'],
    ['a refused recipient beside others', [MAIL, 'RCPT TO:<refused@b>', RCPT], '250 2.1.0,550 5.7.1,250 2.1.5'],
    [
      'a recipient that is no address',
      [MAIL, 'RCPT TO:<malformed thing>', 'RCPT TO:<malformed>x>'],
      '250 2.1.0,553 5.1.3,553 5.1.3',
    ],
    ['a recipient without brackets', [MAIL, 'RCPT TO:budi@b.example'], '250 2.1.0,501 5.5.4'],
    ['DATA before MAIL', ['DATA'], '503 5.5.1'],
    ['DATA without recipients', [MAIL, 'DATA'], '250 2.1.0,554 5.5.1'],
    ['DATA with an argument', [MAIL, RCPT, 'DATA now'], '250 2.1.0,250 2.1.5,501 5.5.4'],
    ['RSET ends a mail', [MAIL, 'RSET', RCPT], '250 2.1.0,250 2.0.0,503 5.5.1'],
    ['EHLO ends a mail', [MAIL, 'EHLO c.test', RCPT], '250 2.1.0,250-,503 5.5.1'],
    ['EHLO without or with a bad name', ['EHLO', 'EHLO a b', 'HELO'], '501 5.5.4'.repeat(3)],
    ['AUTH during a mail', [MAIL, AUTH], '250 2.1.0,503 5.5.1'],
    [
      'NOOP, VRFY, EXPN, HELP',
      ['NOOP x', 'VRFY a', 'VRFY', 'EXPN a', 'HELP'],
      '250 2.0.0,252 2.0.0,501 5.5.4,502 5.5.1,214 2.0.0',
    ],
    ['an unknown command', ['XYZZY', ''], '500 5.5.1,500 5.5.1'],
    ['a line of 512 octets', [`NOOP ${'x'.repeat(505)}`], '250 2.0.0'],
    ['a line of 513 octets', [`NOOP ${'x'.repeat(506)}`, 'NOOP'], '500 5.5.2,250 2.0.0'],
    ['a line of 20,000 octets', [`NOOP ${'x'.repeat(20_000)}`, 'NOOP'], '500 5.5.2,250 2.0.0'],
    ['MAIL of 1,065 octets', [`${MAIL} AUTH=${'x'.repeat(1_065 - 2 - MAIL.length - 6)}`], '250 2.1.0'],
    ['a command that is not UTF-8', ['NOOP \xff'], '500 5.5.2'],
    ['QUIT', ['QUIT', 'NOOP'], '221 2.0.0'],
  ])('%s', async (_, lines, expected) => {
    const separator = expected.includes(',') ? ',' : '';
    expect(codes(await repliesTo(...lines)).join(separator)).toBe(expected);
  });

  // spec: docs/contract.md#relay-connection: addresses beyond ASCII
  it('addresses beyond ASCII need SMTPUTF8, and valid UTF-8 with it: 553 5.6.7', async () => {
    const utf8 = Buffer.from('pelé@a.example').toString('latin1');
    const refused = await repliesTo(`MAIL FROM:<${utf8}>`, MAIL, `RCPT TO:<${utf8}>`, 'RCPT TO:<\xff@b>');
    expect(codes(refused)).toEqual(['553 5.6.7', '250 2.1.0', '553 5.6.7', '553 5.6.7']);
    const gone = await converse([loggedIn(`MAIL FROM:<${utf8}> SMTPUTF8`, `RCPT TO:<${utf8}>`, 'DATA', '.')]);
    expect(gone.mails).toEqual([{ sender: 'pelé@a.example', recipients: ['pelé@a.example'], content: '' }]);
  });

  // spec: docs/contract.md#relay-connection: 51 recipients
  it('the 51st recipient gets 452 4.5.3, and the mail goes to the 50', async () => {
    const all = Array.from({ length: 52 }, (_, i) => `RCPT TO:<r${i}@b.example>`);
    const gone = await converse([loggedIn(MAIL, 'RCPT TO:<refused@b>', ...all, 'DATA', '.')]);
    expect(codes(toList(gone.replies).slice(-4))).toEqual(['452 4.5.3', '452 4.5.3', '354', '250-2.0.0']);
    expect(gone.mails[0]!.recipients).toEqual(Array.from({ length: 50 }, (_, i) => `r${i}@b.example`));
  });

  it('the policy gets each address as written, and the mail without dot-stuffing', async () => {
    const gone = await converse([
      loggedIn(`${MAIL} SIZE=7`, 'RCPT TO:<"a b"@B.example>', 'DATA', '..', '.x', '', 'y', '.'),
    ]);
    expect(gone.policy.transactions).toEqual([
      {
        login: USERNAME,
        peer: { address: '192.0.2.1' },
        sender: { address: 'shop@a.example', size: 7, smtpUtf8: false },
        recipients: ['"a b"@B.example'],
      },
    ]);
    expect(gone.mails[0]!.content).toBe('.\r\nx\r\n\r\ny\r\n');
  });

  it('a mail that cannot be taken: 451, and the next one goes on', async () => {
    const replies = await repliesTo(MAIL, RCPT, 'DATA', 'X-Fails: 1', '.', MAIL, RCPT, 'DATA', '.');
    expect(codes(replies)).toEqual([
      '250 2.1.0',
      '250 2.1.5',
      '354',
      '451 4.3.0',
      '250 2.1.0',
      '250 2.1.5',
      '354',
      '250 2.0.0',
    ]);
  });

  it('a reply with 421 of the policy ends the connection', async () => {
    const gone = await converse([loggedIn('MAIL FROM:<closed@a.example>', 'NOOP')]);
    expect([toList(gone.replies).slice(2), gone.state]).toEqual([['421 4.3.2 Closed'], 'closed']);
  });

  // spec: docs/contract.md#relay-limits: errors in a row
  it('20 errors in a row end the connection with 421; a mail that is taken starts again', async () => {
    const errors = Array.from({ length: 19 }, () => 'XYZZY');
    const gone = await converse([loggedIn(...errors, MAIL, RCPT, 'DATA', '.', ...errors)]);
    expect(gone.state).toBe('open');
    const over = await converse([loggedIn(...errors, 'XYZZY', 'NOOP')]);
    expect(codes(toList(over.replies)).slice(-2)).toEqual(['500 5.5.1', '421 4.7.0']);
    expect(over.state).toBe('closed');
  });

  // spec: docs/contract.md#relay-limits: refused recipients
  it('100 refused recipients without a mail that is taken end the connection with 421', async () => {
    const refused = Array.from({ length: 50 }, (_, i) => `RCPT TO:<refused${i}@b.example>`);
    const malformed = Array.from({ length: 60 }, () => 'RCPT TO:<malformed>');
    const over = await converse([loggedIn(MAIL, ...refused, 'DATA', 'RSET', MAIL, ...malformed, 'NOOP')]);
    const found = codes(toList(over.replies));
    expect(found.filter((code) => code === '550 5.7.1')).toHaveLength(50);
    expect(found.filter((code) => code === '553 5.1.3')).toHaveLength(50);
    expect([found.at(-1), over.state]).toEqual(['421 4.7.0', 'closed']);
  });

  // spec: docs/contract.md#relay-limits: refused recipients
  it('a mail to others beside refused recipients is no fault: 30 of 50 again and again, and the connection goes on', async () => {
    const refused = Array.from({ length: 30 }, (_, i) => `RCPT TO:<refused${i}@b.example>`);
    const taken = Array.from({ length: 20 }, (_, i) => `RCPT TO:<r${i}@b.example>`);
    const newsletter = [MAIL, ...refused, ...taken, 'DATA', '.'];
    const gone = await converse([loggedIn(...Array.from({ length: 10 }, () => newsletter).flat())]);
    expect([gone.state, gone.mails.length]).toEqual(['open', 10]);
  });

  it.each(['GET / HTTP/1.1', 'POST / HTTP/1.1', 'Subject: hello', 'Received: from x'])(
    'another protocol or a header ends the connection: %s',
    async (line) => {
      const gone = await converse([loggedIn(line, MAIL, RCPT, 'DATA', '.')]);
      expect([gone.state, gone.mails]).toEqual(['closed', []]);
    },
  );

  it('after end() nothing of a late answer is sent', async () => {
    const policy = new StubPolicy();
    const gone = await converse([loggedIn(MAIL)], { policy });
    gone.session.timedOut();
    gone.session.failed();
    await drain(gone);
    expect(toList(gone.replies).at(-1)).toMatch(/^421 4\.4\.2 /);
    expect(gone.state).toBe('closed');
  });
});

describe('the size of a mail and of its lines', () => {
  const send = (content: string, size = '') => repliesTo(`${MAIL}${size}`, RCPT, 'DATA', content, '.', 'NOOP');
  const last = async (replies: Promise<string[]>): Promise<string[]> => codes((await replies).slice(-2));
  const lines = (octets: number): string => `${'x'.repeat(70)}\r\n`.repeat(Math.ceil(octets / 72)).slice(0, octets - 2);

  // spec: docs/contract.md#relay-connection: SIZE
  it('10 MiB pass, one octet more gets 552 5.3.4 after the dot, and the connection goes on', async () => {
    expect(await last(send(lines(10_485_760)))).toEqual(['250 2.0.0', '250 2.0.0']);
    expect(await last(send(lines(10_485_760), ' SIZE=10485760'))).toEqual(['250 2.0.0', '250 2.0.0']);
    expect(await last(send(lines(10_485_761)))).toEqual(['552 5.3.4', '250 2.0.0']);
  });

  it('a mail of more than twice its declared size and 64 kB gets 552 5.3.4', async () => {
    expect(await last(send(lines(200_000), ' SIZE=100000'))).toEqual(['250 2.0.0', '250 2.0.0']);
    expect(await last(send(lines(300_000), ' SIZE=100000'))).toEqual(['552 5.3.4', '250 2.0.0']);
  });

  // spec: docs/contract.md#relay-lines: lengths
  it('a line of 64 kB passes, one octet more gets 554 5.6.0, and the connection goes on', async () => {
    expect(await last(send('x'.repeat(998)))).toEqual(['250 2.0.0', '250 2.0.0']);
    expect(await last(send('x'.repeat(65_536)))).toEqual(['250 2.0.0', '250 2.0.0']);
    expect(await last(send('x'.repeat(65_537)))).toEqual(['554 5.6.0', '250 2.0.0']);
  });

  it('a refused mail is read to its end, but not beyond 100 MiB: 421', async () => {
    const part = lines(1024 * 1024);
    const gone = await converse([loggedIn(MAIL, RCPT, 'DATA'), ...Array<string>(102).fill(`${part}\r\n`)]);
    expect([toList(gone.replies).at(-1)?.slice(0, 9), gone.state]).toEqual(['421 4.3.4', 'closed']);
  });
});
