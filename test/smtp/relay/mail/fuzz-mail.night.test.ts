import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMail } from '../../../../smtp/relay/mail/read-mail';
import { isMailFault } from '../../../../smtp/relay/mail/submitted-mail';
import { aMail, MAILS } from './mails';

/** Much more than any of these takes: only what grows faster than the mail is slower. Processor time, ms. */
const SLOW = 5_000;
/** Processor time of this process since `before`, ms: what else the machine does is not counted. */
function busySince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function holds(content: Buffer): Promise<void> {
  const before = content.toString('latin1');
  const start = process.cpuUsage();
  const mail = await readMail(content);
  expect(busySince(start)).toBeLessThan(SLOW);
  expect(content.toString('latin1') === before).toBe(true);
  if (isMailFault(mail)) {
    expect(`${mail.code} ${mail.enhanced} ${mail.text}`).toMatch(/^5(?:50 5\.7\.1|52 5\.3\.4|54 5\.6\.0) [ -~]+$/);
    return;
  }
  expect(mail.html.trim()).not.toBe('');
  expect(mail.from.address).toMatch(/^[^\p{Cc}]+@[^\p{Cc}@]+$/u);
  expect([mail.subject, mail.from.name, mail.messageId, mail.replyTo].join('')).not.toMatch(/\p{Cc}/u);
}

const TOKENS = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '--',
    '\r\n--',
    '"',
    '(',
    ')',
    '<',
    '>',
    '\\',
    '=?',
    '?=',
    '=?utf-8?B?',
    '=',
    ';',
    ':',
    '*0*=',
    '\0',
  ],
  ...['Content-Type: multipart/mixed; boundary=', 'Content-Type: text/html; charset=utf-16\r\n', 'From: a@b.test\r\n'],
  ...[
    'Content-Transfer-Encoding: base64\r\n',
    'Content-Transfer-Encoding: quoted-printable\r\n',
    'format=flowed',
    '\xff\xfe',
  ],
];

interface Mutation {
  at: number;
  length: number;
  from: number;
  text: string | null;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(2_000),
  length: fc.nat(60),
  from: fc.nat(2_000),
  text: fc.option(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: 'binary', maxLength: 4 }))),
});

/** Replaces a stretch by a text, or by another stretch of the mail. */
function mutate(mail: Buffer, { at, length, from, text }: Mutation): Buffer {
  const place = at % (mail.length + 1);
  const start = from % (mail.length + 1);
  const put = text === null ? mail.subarray(start, start + 3 * length) : Buffer.from(text);
  return Buffer.concat([mail.subarray(0, place), put, mail.subarray(place + length)]);
}

describe('Bytes that are no mail', () => {
  test('any bytes end in a message or in a fault', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 4_000 }), (bytes) => holds(Buffer.from(bytes))));
    const lines = fc.array(fc.constantFrom(...TOKENS, 'b', ' ', '\t', 'Subject: ', '--b\r\n', '--b--\r\n'), {
      maxLength: 200,
    });
    await fc.assert(fc.asyncProperty(lines, (pieces) => holds(Buffer.from(pieces.join(''), 'latin1'))));
  });

  test('changed mails end in a message or in a fault', async () => {
    const mails = fc.constantFrom(...MAILS.values());
    const changed = fc.tuple(mails, fc.array(mutation, { minLength: 1, maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(changed, ([mail, mutations]) => holds(mutations.reduce(mutate, mail))),
      { numRuns: 1_000 },
    );
  });
});

describe('Mails that are made to take long', () => {
  const MIB = 1024 * 1024;
  const filled = (line: string, size: number): string => line.repeat(Math.floor(size / line.length));

  test.each<[string, () => Buffer]>([
    ['empty lines', () => aMail('', filled('\n', 5 * MIB))],
    ['soft line ends', () => aMail('Content-Transfer-Encoding: quoted-printable', filled('=\n', MIB))],
    ['base64 in short lines', () => aMail('Content-Transfer-Encoding: base64', filled('QUFB\n', 2 * MIB))],
    ['base64 without an end', () => aMail('Content-Transfer-Encoding: base64', filled('QUFB', 8 * MIB - 9))],
    ['lines like boundaries', () => aMail('Content-Type: multipart/mixed; boundary=b', filled('--\n', 5 * MIB))],
    ['parts', () => aMail('Content-Type: multipart/mixed; boundary=b', filled('--b\n\nx\n', 5 * MIB))],
    ['headers', () => aMail(filled('X-A: b\n', 5 * MIB))],
    ['encoded words', () => aMail(`Subject: ${filled('=?utf-8?Q?=C3?= =?', 60_000)}`)],
    ['parentheses', () => aMail(`From: ${filled('((', 30_000)}${filled('))', 30_000)}<a@b.test>`)],
    ['quotes', () => aMail(`From: ${filled('"\\', 60_000)}`)],
    ['addresses', () => aMail(`Reply-To: ${filled('a@,', 60_000)}`)],
    ['parameters', () => aMail(`Content-Type: text/plain${filled('; a*0="b', 60_000)}`)],
    ['nested metadata', () => aMail(`X-Kurir-Metadata: ${filled('{"a":', 60_000)}`)],
    ['links and brackets', () => aMail('', filled(`http://a.test/${')'.repeat(500)}(`, 450_000))],
    ['merge tags', () => aMail('', filled('{{nama|http://{{', 450_000))],
    ['quotes of a flowed text', () => aMail('Content-Type: text/plain; format=flowed', filled('>>> a \n', 400_000))],
  ])('%s', async (_, make) => {
    await holds(make());
  });
});
