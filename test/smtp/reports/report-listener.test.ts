import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createReportListener, type ReportListener } from '../../../smtp/reports/report-listener';
import { Keyring } from '../../../domain/keyring';
import { browserLink, messageLinks, verpLocalPart } from '../../../domain/messages/message-tokens';
import type { FeedbackRecord } from '../../../streams/record-values';
import type { OutgoingRecord } from '../../../streams/records';
import { TEST_START, frozenClock } from '../../support/clock';
import { certificate } from './certificate';
import { complaintWith, feedbackReport, outOfOffice, postfixBounce, statusReport } from './samples';
import { sendMail } from './smtp-client';

const messageId = '01948f3a-7c00-7abc-8def-000000000001';
const otherId = '01948f3a-7c00-7abc-8def-000000000002';
const keyring = new Keyring('a master secret of thirty-two characters');
const bounceAddress = (id = messageId): string => `${verpLocalPart(keyring, id)}@bounce.demo.kurir.test`;
const delivered = ['Final-Recipient: rfc822; a@b.example', 'Action: delivered', 'Status: 2.0.0'];

let published: OutgoingRecord[];
let publish: (records: readonly OutgoingRecord[]) => Promise<void>;
let warnings: string[];
let listener: ReportListener;
let port: number;
let trusted: boolean;

beforeEach(async () => {
  published = [];
  warnings = [];
  trusted = true;
  publish = async (records) => void published.push(...records);
  listener = createReportListener({
    keyring,
    clock: frozenClock(),
    log: { publish: (records) => publish(records) },
    port: 0,
    hostname: 'reports.kurir.test',
    isTrustedPeer: (address) => trusted && address === '127.0.0.1',
    logger: { info: () => undefined, warn: (_facts, text) => void warnings.push(text) },
  });
  ({ port } = await listener.listen());
});
afterEach(() => listener.close());

const send = (raw: Buffer, to: string | string[] = bounceAddress(), from: string | false = false) =>
  sendMail(port, { from, to }, raw);

/** A connection that speaks by hand; `say` answers with what came since. */
async function dial(): Promise<{ socket: Socket; say: (text: string) => Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const next = async (): Promise<string> => String((await once(socket, 'data'))[0]);
  await next();
  return { socket, say: (text) => (socket.write(text), next()) };
}

describe('what is taken', () => {
  test('a report from the null sender is in mta.feedback, under the key of its message, before the 250', async () => {
    let answered = false;
    publish = async (records) => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(answered).toBe(false);
      published.push(...records);
    };
    const answer = await send(postfixBounce);
    answered = true;
    expect(answer.code).toBe(250);
    expect(published).toEqual([
      {
        topic: 'mta.feedback',
        key: messageId,
        value: {
          messageId,
          feedback: {
            kind: 'bounced',
            trusted: true,
            text: '5.1.1 550 5.1.1 <***@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
            class: 'address_unknown',
            hard: true,
            at: TEST_START,
          },
        },
      },
    ]);
  });

  test('a complaint from a real sender is a complaint', async () => {
    expect((await send(feedbackReport('abuse'), bounceAddress(), 'feedback@fbl.example.com')).code).toBe(250);
    expect(published.map(({ value }) => value)).toMatchObject([{ messageId, feedback: { kind: 'complaint' } }]);
  });

  test('the local part is compared without case, since some servers change it', async () => {
    expect((await send(postfixBounce, bounceAddress().toUpperCase())).code).toBe(250);
    expect(published).toHaveLength(1);
  });

  // spec: docs/contract.md#reports-that-count: the reports of others
  test('a report from anyone but a configured peer is marked as not trusted', async () => {
    trusted = false;
    await send(postfixBounce);
    expect(published[0]?.value).toMatchObject({ feedback: { kind: 'bounced', trusted: false } });
  });

  test('a report to the bounce addresses of several messages counts for each', async () => {
    await send(statusReport('Reporting-MTA: dns; x', '', ...delivered), [bounceAddress(), bounceAddress(otherId)]);
    expect(published.map(({ key }) => key)).toEqual([messageId, otherId]);
  });

  test('a report that lists a thousand recipients gives one record of each kind', async () => {
    const groups = Array.from({ length: 500 }, () => ['', ...delivered, '', 'Action: failed', 'Status: 5.1.1']).flat();
    await send(statusReport('Reporting-MTA: dns; x', ...groups));
    expect(published.map(({ value }) => value)).toMatchObject([
      { feedback: { kind: 'delivered' } },
      { feedback: { kind: 'bounced' } },
    ]);
  });
});

describe('what is refused', () => {
  test('an address that is not signed: 550 5.1.1', async () => {
    const forged = bounceAddress().replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    for (const to of [forged, 'postmaster@bounce.demo.kurir.test', 'b-@x.example']) {
      expect(await send(postfixBounce, to)).toEqual({ code: 550, text: expect.stringMatching(/^5\.1\.1 /) });
    }
    expect(published).toEqual([]);
  });

  test('a report that the log did not take: 451, and the next try is taken', async () => {
    const working = publish;
    publish = () => Promise.reject(new Error('disk full'));
    expect((await send(postfixBounce)).code).toBe(451);
    publish = working;
    expect((await send(postfixBounce)).code).toBe(250);
    expect(published).toHaveLength(1);
  });

  test('mail of more than 10 MB: 552, with and without its size announced', async () => {
    expect((await send(Buffer.alloc(11 * 1024 * 1024, 'x\r\n'))).code).toBe(552);
    const { socket, say } = await dial();
    await say('EHLO x\r\n');
    await say('MAIL FROM:<>\r\n');
    await say(`RCPT TO:<${bounceAddress()}>\r\n`);
    await say('DATA\r\n');
    const refused = once(socket, 'data');
    socket.on('error', () => undefined);
    const endless = setInterval(() => {
      if (socket.writable) socket.write(Buffer.alloc(1024 * 1024, 'x\r\n'));
    }, 1);
    const closed = once(socket, 'close');
    expect(String((await refused)[0])).toMatch(/^552 5\.3\.4 /);
    await closed;
    clearInterval(endless);
  });

  test('AUTH and, without a certificate, STARTTLS are not offered', async () => {
    const { socket, say } = await dial();
    const features = await say('EHLO x\r\n');
    expect(features).toMatch(/SIZE 10485760/);
    expect(features).not.toMatch(/AUTH|STARTTLS/);
    expect(await say('AUTH PLAIN AGEAYg==\r\n')).toMatch(/^500 /);
    expect(await say('STARTTLS\r\n')).toMatch(/^500 /);
    socket.destroy();
  });
});

describe('what is taken and dropped', () => {
  test('an automatic answer: 250, so that nobody gets a bounce of it', async () => {
    expect((await send(outOfOffice, bounceAddress(), 'budi@example.com')).code).toBe(250);
    expect(published).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('a faulty report: 250 and a warning', async () => {
    expect((await send(statusReport('Reporting-MTA: dns; x'))).code).toBe(250);
    expect(published).toEqual([]);
    expect(warnings).toEqual(['An unreadable report was dropped.']);
  });

  test('a report that names another message than its bounce address: 250 and a warning', async () => {
    expect((await send(postfixBounce, [bounceAddress(otherId), bounceAddress()])).code).toBe(250);
    await send(feedbackReport('abuse', `Original-Envelope-Id: ${messageId}`), bounceAddress(otherId));
    expect(published.map(({ key }) => key)).toEqual([messageId]);
    expect(warnings).toHaveLength(2);
  });
});

describe('with a certificate', () => {
  test('STARTTLS is offered and a report sent through it is taken', async () => {
    const secure = createReportListener({
      keyring,
      clock: frozenClock(),
      log: { publish },
      port: 0,
      hostname: 'reports.kurir.test',
      tls: certificate,
      isTrustedPeer: () => true,
    });
    const { port: securePort } = await secure.listen();
    const envelope = { from: false as const, to: bounceAddress() };
    expect((await sendMail(securePort, envelope, postfixBounce, { ca: certificate.cert })).code).toBe(250);
    expect(published).toHaveLength(1);
    await secure.close();
  });
});

describe('its life', () => {
  test('a port that is taken rejects listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const second = createReportListener({
      keyring,
      clock: frozenClock(),
      log: { publish },
      port: (taken.address() as AddressInfo).port,
      hostname: 'x',
      isTrustedPeer: () => true,
    });
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.close();
    taken.close();
  });

  test('closing answers the report under way and tells idle connections 421', async () => {
    const { socket } = await dial();
    const goodbye = once(socket, 'data');
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((open) => (finish = open));
    const started = new Promise<void>((start) => {
      publish = async (records) => {
        start();
        await gate;
        published.push(...records);
      };
    });
    const answer = send(postfixBounce);
    await started;
    const closed = listener.close();
    finish();
    expect((await answer).code).toBe(250);
    expect(published).toHaveLength(1);
    expect(String((await goodbye)[0])).toMatch(/^421 /);
    await closed;
    await expect(send(postfixBounce)).rejects.toMatchObject({ code: 'ESOCKET' });
  });
});

describe('a complaint at a fixed address', () => {
  const FEEDBACK = 'feedback@bounce.demo.kurir.test';
  const { unsubscribe, clicks } = messageLinks(keyring, 'https://m.kurir.test', messageId);
  const REDACTED = ['Return-Path: <redacted@redacted>', 'To: <redacted>', `Message-ID: <${messageId}@demo.kurir.test>`];
  const heard = () =>
    published.map(({ key, value }) => [
      key,
      (value as FeedbackRecord).feedback.kind,
      (value as FeedbackRecord).feedback.trusted,
    ]);
  const COMPLAINT = [[messageId, 'complaint', false]];

  // spec: docs/contract.md#reports-that-count: a complaint at a fixed address counts by a signature
  test.each([
    ['the envelope sender that the report repeats', [`Original-Mail-From: <${bounceAddress()}>`], ['Subject: x']],
    ['the return path of the mail', [], [`Return-Path: <${bounceAddress()}>`, 'To: <redacted>']],
    [
      'the unsubscribe link, though all addresses are taken out',
      [],
      [...REDACTED, `List-Unsubscribe: <${unsubscribe}>`],
    ],
    [
      'a link in its body, broken as quoted-printable',
      [],
      [...REDACTED, '', `<a href=3D"${clicks.slice(0, 40)}=`, `${clicks.slice(40)}0">`],
    ],
  ])('is found by %s', async (_what, fields, returned) => {
    expect((await send(complaintWith(fields, returned), FEEDBACK)).code).toBe(250);
    expect(heard()).toEqual(COMPLAINT);
  });

  test('is found in a mail that is returned in base64, at any domain and under the other name', async () => {
    const inner = Buffer.from([...REDACTED, `List-Unsubscribe: <${unsubscribe}>`, '', 'Halo'].join('\r\n')).toString(
      'base64',
    );
    await send(complaintWith([], inner.match(/.{1,76}/g) ?? [], 'base64'), 'fbl@toko.example');
    expect(heard()).toEqual(COMPLAINT);
  });

  // spec: docs/contract.md#reports-that-count: a complaint at a fixed address counts by a signature
  test('is dropped by an id without a signature, and named in the log', async () => {
    expect((await send(complaintWith([], [...REDACTED, `X-Message-id: ${messageId}`]), FEEDBACK)).code).toBe(250);
    expect(heard()).toEqual([]);
    expect(warnings).toEqual([
      'A message to the feedback address was dropped: it is not a complaint about one of our messages.',
    ]);
  });

  test('is dropped by the link of the browser page, which people share', async () => {
    const shared = browserLink(keyring, 'https://m.kurir.test', messageId);
    expect((await send(complaintWith([], [...REDACTED, '', shared]), FEEDBACK)).code).toBe(250);
    expect(heard()).toEqual([]);
  });

  test('is dropped when it is signed for two messages', async () => {
    const links = [messageId, otherId].map((id) => messageLinks(keyring, 'https://m.kurir.test', id).unsubscribe);
    await send(complaintWith([], [`List-Unsubscribe: <${links[0]}>`, '', String(links[1])]), FEEDBACK);
    expect(heard()).toEqual([]);
  });

  const attached = (...returned: string[]): string[] => [
    ...['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="M"', '', '--M', 'Content-Type: text/plain', ''],
    ...['A user complained.', '', '--M', 'Content-Type: message/rfc822', '', ...returned, '', '--M--', ''],
  ];
  const bare = (from: string, lines: readonly string[]): Buffer =>
    Buffer.from([`From: ${from}`, 'Subject: complaint about message from 192.0.2.1', ...lines].join('\r\n'));
  const SIGNED = [...REDACTED, `List-Unsubscribe: <${unsubscribe}>`, '', 'Halo'];

  // spec: docs/contract.md#reports-that-count: a complaint without a feedback part, from a provider's feedback loop
  test.each([
    ['with our mail attached', bare('<staff@hotmail.com>', attached(...SIGNED)), 'x@y.example'],
    [
      'with the headers of our mail in its text',
      bare('scomp@aol.net', ['', 'Complaint:', '', ...SIGNED]),
      'x@y.example',
    ],
    ['that is our mail, sent on', bare('no-reply@demo.kurir.test', SIGNED), 'feedback@arf.mail.yahoo.com'],
    ['of a report service', bare('"SpamCop" <123@reports.spamcop.net>', ['', ...SIGNED]), 'x@y.example'],
    ['with Sender', bare('a@b.example', ['Sender: FBL <fbl@corp.mail.ru>', ...attached(...SIGNED)]), 'x@y.example'],
  ])('counts without a feedback part: %s', async (_what, raw, from) => {
    for (const to of [FEEDBACK, bounceAddress()]) {
      published.length = 0;
      expect((await send(raw, to, from)).code).toBe(250);
      expect(heard()).toEqual(COMPLAINT);
    }
  });

  test.each([
    ['from a person', bare('ana@hotmail.com', attached(...SIGNED))],
    ['from a look-alike', bare('staff@hotmail.com.evil.test', attached(...SIGNED))],
    ['from a name that looks alike', bare('"staff@hotmail.com" <x@evil.test>', attached(...SIGNED))],
    ['that names our mail by its id alone', bare('staff@hotmail.com', attached(...REDACTED))],
    ['that returns nothing', bare('staff@hotmail.com', ['', 'Hello'])],
    ['that is an answer of a program', bare('staff@hotmail.com', ['Auto-Submitted: auto-replied', '', ...SIGNED])],
    [
      'that says it was no spam',
      Buffer.from(
        feedbackReport('not-spam', `Original-Mail-From: <${bounceAddress()}>`)
          .toString()
          .replace('<feedback@fbl.example.com>', '<staff@hotmail.com>'),
      ),
    ],
  ])('does not count %s', async (_what, raw) => {
    for (const to of [FEEDBACK, bounceAddress()]) await send(raw, to, 'x@y.example');
    expect(heard()).toEqual([]);
  });

  test('nothing but a complaint counts there', async () => {
    const bounce = statusReport(
      'Final-Recipient: rfc822; a@b.example',
      'Action: failed',
      'Status: 5.1.1',
      `X-Was: ${bounceAddress()}`,
    );
    for (const mail of [bounce, outOfOffice, feedbackReport('not-spam', `Original-Mail-From: <${bounceAddress()}>`)])
      expect((await send(mail, FEEDBACK)).code).toBe(250);
    expect(heard()).toEqual([]);
  });
});
