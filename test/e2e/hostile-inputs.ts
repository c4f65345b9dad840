import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What strangers and callers may send to stop a service, own-made. */

const repeated = (what: string, size: number): string => what.repeat(Math.floor(size / what.length));

export const plainBounce = (): Buffer => bounceWith('text/plain', 'Halo');

const bounceWith = (type: string, text: string, encoding = '8bit'): Buffer =>
  Buffer.from(
    [
      'From: Mail Delivery System <MAILER-DAEMON@mx.toko.example>',
      'Subject: failure notice',
      'Auto-Submitted: auto-replied',
      `Content-Type: ${type}; charset=utf-8`,
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      text,
    ].join('\r\n'),
  );

/** A delivery status that lists recipients until it has so many bytes. */
export function manyGroups(size: number): Buffer {
  const prose = repeated('the mail server said something nobody understands about the box; ', 3_000);
  const group = (n: number): string => `Final-Recipient: rfc822; u${n}@a.test\r\nAction: failed\r\n\r\n`;
  const head = [
    'From: MAILER-DAEMON@mx.toko.example',
    'Subject: failure notice',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=R',
    '',
    '--R',
    '',
    prose,
    '--R',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.toko.example',
    '',
  ].join('\r\n');
  let groups = '';
  for (let n = 0; head.length + groups.length < size; n++) groups += `\r\n${group(n)}`;
  return Buffer.from(`${head}${groups}--R--\r\n`);
}

/** A complaint with many marks that look signed. */
export function manyMarks(size: number): Buffer {
  const marks = repeated(
    `b-${'0'.repeat(32)}-${'0'.repeat(16)}@x /u/${'A'.repeat(37)} /t/o/${'B'.repeat(37)}\r\n`,
    size,
  );
  return Buffer.from(
    `Content-Type: multipart/report; boundary=R\r\n\r\n--R\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--R\r\nContent-Type: text/rfc822-headers\r\n\r\n${marks}--R--\r\n`,
  );
}

const SIZE = 232_000;

/** Texts of bounces in prose. */
export const PROSE: readonly (readonly [string, () => Buffer])[] = [
  ['"=."', () => bounceWith('text/plain', repeated('=.', SIZE))],
  ['"=." as quoted-printable', () => bounceWith('text/plain', repeated('=.', SIZE), 'quoted-printable')],
  ['"=." in an encoded subject', () => bounceWith(`text/plain\r\nSubject: =?utf-8?Q?${repeated('=.', SIZE)}?=`, 'x')],
  ['short lines as quoted-printable', () => bounceWith('text/plain', repeated('=.\r\n', SIZE), 'quoted-printable')],
  ['"@"', () => bounceWith('text/plain', repeated('a@', SIZE))],
  ['tags', () => bounceWith('text/html', repeated('<p ', SIZE))],
  ['refusals of recipients', () => bounceWith('text/plain', repeated('<a@b.example>:\n550 5.1.1 no\n', SIZE))],
  ['nested parts', () => bounceWith('multipart/mixed; boundary=b', repeated('--b\r\n\r\nx\r\n', SIZE))],
];

/** A batch of messages with so many characters of HTML each; 0: none, which is refused. */
export const batch = (domainId: number, count: number, size: number): object => ({
  messages: Array.from({ length: count }, (_, n) => ({
    to: `silent+${n}@a.test`,
    subject: 'Halo',
    sending_domain_id: domainId,
    html: 'x'.repeat(size),
  })),
});

/** JSON of empty lists. */
export const lists = (size: number, before = '{"metadata":'): Buffer =>
  Buffer.from(`${before}[${repeated('[],', size)}[]]${before === '' ? '' : '}'}`);

/** Records of KumoMTA about a mail that is not ours, each with a long refusal. */
export function hookRecords(size: number): Buffer {
  const record = JSON.stringify({
    type: 'Bounce',
    sender: `b-${'0'.repeat(32)}-${'0'.repeat(16)}@bounce.demo.kurir.test`,
    recipient: 'a@a.test',
    response: { code: 550, content: repeated('nothing that a rule would know. ', 1_000) },
  });
  return Buffer.from(`[${repeated(`${record},`, size).slice(0, -1)}]`);
}

/** 200 MB of JSON in a few hundred bytes. */
export function bomb(encoding: 'br' | 'gzip'): Buffer {
  const text = Buffer.alloc(200_000_000, ' ');
  return encoding === 'gzip'
    ? gzipSync(text)
    : brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}
