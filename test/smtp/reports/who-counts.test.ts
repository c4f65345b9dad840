import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createReportListener, type ReportListener } from '../../../smtp/reports/report-listener';
import type { UnreadReport } from '../../../domain/bounces/unread-report';
import { Keyring } from '../../../domain/keyring';
import { verpLocalPart } from '../../../domain/messages/message-tokens';
import type { FeedbackRecord } from '../../../streams/record-values';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';
import { postfixBounce, statusReport } from './samples';
import { sendMail } from './smtp-client';

const ID = '01948f3a-7c00-7abc-8def-000000000001';
const TO = 'nobody@example.com';
const keyring = new Keyring('a master secret of thirty-two characters');
const localPart = verpLocalPart(keyring, ID);
const bounceAddress = `${localPart}@bounce.demo.kurir.test`;

let heard: FeedbackRecord['feedback'][];
let kept: UnreadReport[];
let listener: ReportListener;
let port: number;
beforeEach(async () => {
  [heard, kept] = [[], []];
  listener = createReportListener({
    keyring,
    clock: frozenClock(),
    log: {
      publish: async (records) => void heard.push(...records.map(({ value }) => (value as FeedbackRecord).feedback)),
    },
    stores: {
      messages: { get: async () => ({ ...aMessage({}), id: ID, to: TO }) },
      bounces: { keepUnread: async (one) => void kept.push(one) },
    },
    port: 0,
    hostname: 'reports.kurir.test',
    isTrustedPeer: () => true,
  });
  ({ port } = await listener.listen());
});
afterEach(() => listener.close());

interface Written {
  from: string;
  subject: string;
  headers?: readonly string[];
  text: string;
}

const written = ({ from, subject, headers = [], text }: Written): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${bounceAddress}`,
      `Subject: ${subject}`,
      ...headers,
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
    ].join('\r\n'),
  );

/** Sends a mail to the bounce address; `from` is the envelope sender, false the null one. */
async function take(raw: Buffer, from: string | false): Promise<void> {
  expect((await sendMail(port, { from, to: bounceAddress }, raw)).code).toBe(250);
}

const COURIER = 'Pesanan gagal dikirim, alamat tidak ditemukan oleh kurir.';
const copy = (line: string): string => `\n\n--- Below this line is a copy of the message.\n\n${line}\nSubject: Promo\n`;
const QUOTED = copy(`Return-Path: <${bounceAddress}>\nMessage-ID: <${ID}@demo.kurir.test>`);
const REFUSAL =
  'Hi. This is the qmail-send program.\n\n<ana@toko.example>:\nSorry, no mailbox here by that name. (#5.1.1)';

describe('A mail of a person changes nothing, and is kept to be looked at', () => {
  // spec: docs/contract.md#classes-of-bounces: mail of people changes nothing
  test.each<[string, Written, string]>([
    ['from gmail.com', { from: 'Ana <ana@gmail.com>', subject: 'Pesanan', text: COURIER }, 'ana@gmail.com'],
    [
      'from postmaster@',
      { from: 'postmaster@toko.example', subject: 'Re: Promo: gagal dikirim', text: COURIER },
      'postmaster@toko.example',
    ],
    [
      'who quotes our mail',
      { from: 'postmaster@toko.example', subject: 'Re: undeliverable', text: `${REFUSAL}${QUOTED}` },
      'postmaster@toko.example',
    ],
    [
      'who pastes a delivery status',
      {
        from: 'Budi <budi@toko.example>',
        subject: 'Undeliverable?',
        text: `Apa ini?\n\nFinal-Recipient: rfc822; ${TO}\nAction: failed\nStatus: 5.1.1\n${QUOTED}`,
      },
      'budi@toko.example',
    ],
    [
      'whose program says that no program wrote it',
      {
        from: 'MAILER-DAEMON@toko.example',
        subject: 'failure notice',
        headers: ['Auto-Submitted: no'],
        text: REFUSAL + QUOTED,
      },
      'x@toko.example',
    ],
  ])('%s', async (_who, mail, from) => {
    await take(written(mail), from);
    expect(heard).toEqual([]);
    expect(kept).toHaveLength(1);
  });
});

describe('A report in prose of an automatic sender', () => {
  const daemon = { from: 'MAILER-DAEMON@toko.example', subject: 'failure notice' };

  test.each([
    ['our bounce address', copy(`Return-Path: <${bounceAddress}>`), {}],
    ['our Message-ID', copy(`Message-ID: <${ID}@demo.kurir.test>`), {}],
    ['our Message-ID as what it answers', '', { headers: [`References: <${ID}@demo.kurir.test>`] }],
  ])('is a hard bounce when it names %s', async (_what, end, more) => {
    await take(written({ ...daemon, ...more, text: REFUSAL + end }), false);
    expect(heard).toMatchObject([{ kind: 'bounced', class: 'address_unknown', hard: true }]);
  });

  test('is a hard bounce when it names the recipient', async () => {
    await take(written({ ...daemon, text: REFUSAL.replace('ana@toko.example', TO) }), false);
    expect(heard).toMatchObject([{ hard: true }]);
  });

  // spec: docs/contract.md#classes-of-bounces: in prose, hard only when it names the message or its recipient
  test('is a soft one when it names neither the message nor its recipient', async () => {
    await take(written({ ...daemon, text: REFUSAL }), false);
    expect(heard).toMatchObject([{ kind: 'bounced', hard: false }]);
  });

  test('may have a real sender when it says Auto-Submitted', async () => {
    const mail = { ...daemon, headers: ['Auto-Submitted: auto-replied'], text: REFUSAL + QUOTED };
    await take(written(mail), 'MAILER-DAEMON@toko.example');
    expect(heard).toMatchObject([{ hard: true }]);
  });
});

describe('A delivery status', () => {
  const forwardedBy = (from: string, raw: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(
        `From: ${from}\r\nSubject: Fwd: your mail\r\nContent-Type: multipart/mixed; boundary=F\r\n\r\n--F\r\n\r\nPlease see.\r\n--F\r\nContent-Type: message/rfc822\r\n\r\n`,
      ),
      raw,
      Buffer.from('\r\n--F--\r\n'),
    ]);

  test('that postmaster@ forwards as an attachment is opened', async () => {
    await take(forwardedBy('postmaster@toko.example', postfixBounce), 'postmaster@toko.example');
    expect(heard).toMatchObject([{ kind: 'bounced', class: 'address_unknown', hard: true }]);
  });

  test('a mail of ours that a server returns says nothing of itself', async () => {
    const ours = written({ from: 'toko@demo.kurir.test', subject: 'Undeliverable goods', text: REFUSAL + QUOTED });
    await take(forwardedBy('MAILER-DAEMON@toko.example', ours), false);
    expect(heard.filter(({ hard }) => hard)).toEqual([]);
  });

  // spec: docs/contract.md#classes-of-bounces: a cut report changes nothing, and is kept
  test('cut before its recipient group changes nothing, and is kept', async () => {
    const text = postfixBounce.toString();
    for (const end of [
      'Final-Recipient:',
      'Reporting-MTA:',
      '--1D0C02C1.1767582002/mx.example.net\r\nContent-Description: Delivery',
    ]) {
      await take(Buffer.from(text.slice(0, text.indexOf(end))), false);
    }
    expect(heard).toEqual([]);
    expect(kept.length).toBe(3);
    expect(kept[0]?.text).toContain('Undelivered Mail Returned to Sender');
  });

  // spec: docs/contract.md#classes-of-bounces: `Action: deliverable` changes nothing
  test('with the action deliverable is no bounce', async () => {
    const group = [`Final-Recipient: rfc822; ${TO}`, 'Action: deliverable', 'Status: 2.1.5'];
    await take(statusReport('Reporting-MTA: dns; mx.toko.example', '', ...group), false);
    expect([heard, kept]).toEqual([[], []]);
  });

  // spec: docs/contract.md#classes-of-bounces: of the first 100 recipients
  test('of more than 100 recipients is read up to the hundredth', async () => {
    const groups = Array.from({ length: 101 }, (_, n) => {
      const address = n === 100 ? TO : `u${n}@toko.example`;
      return ['', `Final-Recipient: rfc822; ${address}`, 'Action: failed', `Status: ${n === 100 ? '5.1.1' : '5.2.2'}`];
    });
    await take(statusReport('Reporting-MTA: dns; mx.toko.example', ...groups.flat()), false);
    expect(heard).toMatchObject([{ class: 'mailbox_full', hard: false }]);
  });
});

describe('a report about somebody else', () => {
  const status = (...groups: string[]): string =>
    ['Reporting-MTA: dns; mx.lain.test', ...groups.map((group) => `\r\n${group}`)].join('\r\n');
  const failed = (to: string): string =>
    `Final-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n`;
  const mail = (type: string, from: string, part: string, end = '\r\n--b--\r\n'): Buffer =>
    Buffer.from(
      [
        `From: ${from}`,
        `To: ${bounceAddress}`,
        'Subject: Fwd: ini apa?',
        'MIME-Version: 1.0',
        `Content-Type: ${type}; boundary="b"`,
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Lihat lampiran.',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        part,
      ].join('\r\n') + end,
    );
  const deliver = (raw: Buffer, from: string): Promise<unknown> => sendMail(port, { from, to: bounceAddress }, raw);

  test('that a person attaches changes nothing; one about the recipient counts', async () => {
    await deliver(mail('multipart/mixed', 'ana@gmail.com', status(failed('teman@lain.test'))), 'ana@gmail.com');
    expect(heard).toEqual([]);
    await deliver(mail('multipart/mixed', 'ana@gmail.com', status(failed(TO))), 'ana@gmail.com');
    expect(heard).toMatchObject([{ kind: 'bounced', hard: true }]);
  });

  test('of a server counts, as it did: it may name the address that the mail was forwarded to', async () => {
    await deliver(mail('multipart/report', 'MAILER-DAEMON@lain.test', status(failed('teman@lain.test'))), '');
    expect(heard).toMatchObject([{ kind: 'bounced' }]);
  });

  test('that was cut changes nothing, and is kept', async () => {
    const from = 'MAILER-DAEMON@lain.test';
    await deliver(
      mail('multipart/report', from, `${status(failed('teman@lain.test'))}\r\nFinal-Recipient: rfc822; no`, ''),
      '',
    );
    await deliver(
      mail('multipart/report', from, `${status()}\r\nFinal-Recipient: rfc822; ${TO}\r\nAction: failed\r\nSta`, ''),
      '',
    );
    expect(heard).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
  });
});
