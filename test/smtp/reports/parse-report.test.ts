import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseReport } from '../../../smtp/reports/parse-report';
import {
  encodedBounce,
  exchangeBounce,
  feedbackReport,
  forwardedBounce,
  gmailBounce,
  internationalBounce,
  outOfOffice,
  postfixBounce,
  qmailBounce,
  statusReport,
} from './samples';

const recipient = 'Final-Recipient: rfc822; a@b.example';
const reporter = 'Reporting-MTA: dns; mx.example.net';
const nothing = { reports: [], fault: null, nested: false, prose: null, unread: null };

async function kindOf(...fields: string[]): Promise<string | undefined> {
  const { reports } = await parseReport(statusReport(reporter, '', recipient, ...fields));
  return reports[0]?.kind;
}

describe('delivery status notifications of real servers', () => {
  test('Postfix: a hard bounce, with the folded diagnostic on one line and the envelope id', async () => {
    expect(await parseReport(postfixBounce)).toEqual({
      ...nothing,
      reports: [
        {
          kind: 'bounced',
          text: '5.1.1 550 5.1.1 <nobody@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
          envelopeId: '01948f3a-7c00-7abc-8def-000000000001',
          class: 'address_unknown',
          hard: true,
          recipients: ['nobody@example.com', 'nobody@example.com'],
        },
      ],
    });
  });

  test('Exchange: a hard bounce after a multipart/alternative, without an envelope id', async () => {
    const { reports } = await parseReport(exchangeBounce);
    expect(reports).toEqual([
      {
        kind: 'bounced',
        text: '5.1.10 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient nobody@contoso.com not found by SMTP address lookup',
        envelopeId: null,
        class: 'address_unknown',
        hard: true,
        recipients: ['nobody@contoso.com'],
      },
    ]);
  });

  test('Gmail: given up with a 4.x.x status is expired, not bounced', async () => {
    const { reports } = await parseReport(gmailBounce);
    expect(reports.map(({ kind }) => kind)).toEqual(['expired']);
    expect(reports[0]?.text).toMatch(/^4\.2\.2 452-4\.2\.2 The email account .*over-quota$/);
  });

  test('a status part in base64 and marked as an attachment is read', async () => {
    expect((await parseReport(encodedBounce)).reports).toMatchObject([
      { kind: 'bounced', text: '5.2.1', envelopeId: null, class: 'mailbox_disabled', hard: true },
    ]);
  });

  test('an internationalized report (RFC 6533) is read as UTF-8', async () => {
    expect((await parseReport(internationalBounce)).reports).toMatchObject([
      { kind: 'bounced', text: '5.1.1 550 5.1.1 没有这个用户', envelopeId: null, recipients: ['用户@例子.example'] },
    ]);
  });
});

describe('what an action means', () => {
  test.each(['delivered', 'relayed', 'expanded', 'Delivered (to mailbox)'])('%s is delivered', async (action) => {
    expect(await kindOf(`Action: ${action}`, 'Status: 2.0.0')).toBe('delivered');
  });

  test('delayed is delayed', async () => {
    expect(await kindOf('Action: delayed', 'Status: 4.4.1')).toBe('delayed');
  });

  test('failed follows the class of the status', async () => {
    expect(await kindOf('Action: failed', 'Status: 5.7.1')).toBe('bounced');
    expect(await kindOf('Action: FAILED', 'Status: 4.4.7 (timed out)')).toBe('expired');
  });

  test('failed without a status follows the SMTP code of the diagnostic', async () => {
    expect(await kindOf('Action: failed', 'Diagnostic-Code: smtp; 421 try later')).toBe('expired');
    expect(await kindOf('Action: failed', 'Diagnostic-Code: smtp;554-no')).toBe('bounced');
    expect(await kindOf('Action: failed', 'Status: unknown', 'Diagnostic-Code: smtp; 450 4.2.0 later')).toBe('expired');
  });

  // spec: docs/contract.md#reports-that-count: failed with a status of success
  test('failed with a status of success is unclear, neither a bounce nor a delivery', async () => {
    expect(await kindOf('Action: failed', 'Status: 2.0.0')).toBe('unclear');
    expect(await kindOf('Action: failed', 'Status: 2.1.5', 'Diagnostic-Code: X-Local; no')).toBe('unclear');
    expect(await kindOf('Action: failed', 'Diagnostic-Code: smtp; 250 2.0.0 Ok')).toBe('unclear');
    expect(await kindOf('Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 250 ok')).toBe('bounced');
  });

  test('failed with a status of success and a reply that refuses is a failure', async () => {
    expect(await kindOf('Action: failed', 'Status: 2.1.5', 'Diagnostic-Code: smtp; 550 5.1.1 no')).toBe('bounced');
    expect(await kindOf('Action: failed', 'Status: 2.0.0', 'Diagnostic-Code: smtp; 451 later')).toBe('expired');
  });

  test('failed without any code is a bounce, since the server has given up', async () => {
    expect(await kindOf('Action: failed', 'Diagnostic-Code: X-Local; mailbox gone')).toBe('bounced');
  });

  test('an unknown action is a fault and no report', async () => {
    const parsed = await parseReport(statusReport(reporter, '', recipient, 'Action: exploded'));
    expect(parsed).toEqual({
      ...nothing,
      fault: 'a delivery status with an unknown action: exploded',
      unread: 'Delivery report\nSee below.',
    });
  });

  test('a status part without recipients is a fault and no report', async () => {
    expect(await parseReport(statusReport(reporter))).toEqual({
      ...nothing,
      fault: 'a delivery status without an action',
      unread: 'Delivery report\nSee below.',
    });
  });
});

describe('the recipient of a report', () => {
  test.each(['"a b"@x.example', '"a\\"b"@x.example', '"a@b; Action: failed"@x.example'])(
    'may have quotes: %s',
    async (address) => {
      const original = `Original-Recipient: rfc822; ${address.replaceAll(' ', '+20')}`;
      const group = [original, `Final-Recipient: rfc822; ${address}`, 'Action: delivered', 'Status: 2.0.0'];
      expect(await parseReport(statusReport(reporter, 'Original-Envelope-Id: E1', '', ...group))).toMatchObject({
        ...nothing,
        reports: [{ kind: 'delivered', text: '2.0.0', envelopeId: 'E1' }],
      });
    },
  );
});

describe('fields and groups', () => {
  test('each group of recipient fields gives a report', async () => {
    const { reports } = await parseReport(
      statusReport(
        reporter,
        'Original-Envelope-Id: E1',
        '',
        'Final-Recipient: rfc822; one@b.example',
        'Action: delivered',
        'Status: 2.1.5',
        '',
        '',
        'Final-Recipient: rfc822; two@b.example',
        'Action: failed',
        'Status: 5.2.2',
        'Diagnostic-Code: smtp; 552 5.2.2 full',
      ),
    );
    expect(reports).toMatchObject([
      { kind: 'delivered', text: '2.1.5', envelopeId: 'E1' },
      { kind: 'bounced', text: '5.2.2 552 5.2.2 full', envelopeId: 'E1' },
    ]);
  });

  test('a single group with all the fields is understood', async () => {
    const parsed = await parseReport(statusReport(reporter, recipient, 'Action: failed', 'Status: 5.0.0'));
    expect(parsed.reports).toMatchObject([{ kind: 'bounced', text: '5.0.0', envelopeId: null, class: 'unknown' }]);
  });

  test('the text is one line of at most 500 characters without control characters', async () => {
    const long = `Diagnostic-Code: smtp; 550 a\u0007b\u2028c ${'😀'.repeat(600)}`;
    const { reports } = await parseReport(
      statusReport(reporter, '', recipient, 'Action: failed', 'Status: 5.0.0', long),
    );
    expect([...(reports[0]?.text ?? '')]).toHaveLength(500);
    expect(reports[0]?.text).toMatch(/^5\.0\.0 550 a b c 😀+$/u);
  });

  test('line ends of a single LF are as good', async () => {
    const unix = Buffer.from(postfixBounce.toString().replaceAll('\r\n', '\n'));
    expect(await parseReport(unix)).toEqual(await parseReport(postfixBounce));
  });
});

describe('complaints (ARF)', () => {
  test.each(['abuse', 'fraud', 'virus', 'other', 'Abuse'])('%s is a complaint', async (type) => {
    expect(await parseReport(feedbackReport(type, 'Original-Envelope-Id: E2'))).toMatchObject({
      ...nothing,
      reports: [{ kind: 'complaint', text: type.toLowerCase(), envelopeId: 'E2' }],
    });
  });

  test.each(['not-spam', 'auth-failure'])('%s is none', async (type) => {
    expect(await parseReport(feedbackReport(type))).toEqual(nothing);
  });

  test('an unknown type is a fault', async () => {
    expect((await parseReport(feedbackReport('praise'))).fault).toBe('a feedback report of an unknown type: praise');
  });
});

describe('mail that is no report', () => {
  test.each([
    ['an out-of-office answer', outOfOffice],
    ['an empty mail', Buffer.alloc(0)],
  ])('%s', async (_name, raw) => {
    expect(await parseReport(raw)).toEqual(nothing);
  });
});

test('a mail that only talks of message/delivery-status is no report, and kept to be looked at', async () => {
  const parsed = await parseReport(Buffer.from('Subject: x\r\n\r\nmessage/delivery-status\r\n'));
  expect(parsed).toEqual({ ...nothing, unread: 'x\nmessage/delivery-status' });
});

test('a bounce in prose, as qmail writes it, is a bounce', async () => {
  expect((await parseReport(qmailBounce, { fromNull: true })).reports).toMatchObject([
    { kind: 'bounced', class: 'address_unknown', hard: true, recipients: ['nobody@example.com'] },
  ]);
});

test('a bounce that somebody forwards as an attachment counts only for the message it names', async () => {
  const parsed = await parseReport(forwardedBounce);
  expect(parsed).toMatchObject({
    nested: true,
    reports: [{ kind: 'bounced', class: 'address_unknown', envelopeId: expect.any(String) }],
  });
});

describe('hostile mail', () => {
  test('a report before a returned message of megabytes is read', async () => {
    const cut = postfixBounce.toString().lastIndexOf('--1D0C02C1');
    const huge = Buffer.concat([postfixBounce.subarray(0, cut), Buffer.alloc(9_000_000, 'x\r\n')]);
    expect((await parseReport(huge)).reports.map(({ kind }) => kind)).toEqual(['bounced']);
  });

  test('a report behind a quarter of a megabyte is not looked for', async () => {
    const late = Buffer.concat([
      Buffer.from('Content-Type: multipart/report; boundary=R\r\n\r\n'),
      Buffer.alloc(300_000, '\n'),
      Buffer.from('--R\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n--R--\r\n'),
    ]);
    expect(await parseReport(late)).toMatchObject({ reports: [], fault: null, nested: false });
  });

  test('parts nested without end are a fault', async () => {
    const deep = Array.from(
      { length: 400 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    const parsed = await parseReport(Buffer.from(`${deep.join('')}Content-Type: message/delivery-status\r\n\r\nA: b`));
    expect(parsed.reports).toEqual([]);
    expect(parsed.fault).toMatch(/^unreadable MIME: /);
  });

  test('random bytes are no report', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
        expect(await parseReport(Buffer.from(bytes))).toMatchObject({ reports: [], fault: null, nested: false });
      }),
    );
  });

  test('a report with any bytes changed, cut or put in never makes the parser reject', async () => {
    const samples = [postfixBounce, exchangeBounce, encodedBounce, feedbackReport('abuse')];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 })), { maxLength: 8 }),
        async (sample, edits) => {
          let raw: Buffer = sample;
          for (const [at, bytes] of edits) {
            const where = at % raw.length;
            raw = Buffer.concat([raw.subarray(0, where), bytes, raw.subarray(where + (at % 3))]);
          }
          const { reports } = await parseReport(raw);
          for (const { text } of reports) {
            expect(text).not.toMatch(/\p{Cc}/u);
            expect([...text].length).toBeLessThanOrEqual(500);
          }
        },
      ),
    );
  });
});
