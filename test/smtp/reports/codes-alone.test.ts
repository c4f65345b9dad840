import { describe, expect, it, test } from '@jest/globals';
import { ReportIntake } from '../../../operations/reports/report-intake';
import type { ParsedMail } from '../../../operations/reports/report';
import { parseReport } from '../../../smtp/reports/parse-report';
import { LONG_FORM_MAILS } from './long-form-mails';
import { statusReport } from './samples';
import { untidyMail } from './untidy-mails';

const reporter = 'Reporting-MTA: dns; mx.example.net';
const recipient = 'Final-Recipient: rfc822; ana@toko.example';
const general = 'Your mail could not be delivered.';

const outcomeOf = ({ reports: [report] }: ParsedMail): string => {
  if (!report) return 'nothing';
  if (report.kind !== 'bounced') return report.kind;
  return report.hard ? 'hard' : 'soft';
};

/** A delivery status with what its human part says. */
const saying = (prose: string, ...fields: string[]): Buffer =>
  Buffer.from(
    statusReport(reporter, '', ...fields)
      .toString()
      .replace('See below.', prose.replaceAll('\n', '\r\n')),
  );
const read = async (raw: Buffer): Promise<string> => outcomeOf(await parseReport(raw));
const withStatus = (status: string, prose = general): Promise<string> =>
  read(saying(prose, recipient, 'Action: failed', status));

describe('a delivery status without a diagnostic', () => {
  // spec: docs/contract.md#classes-of-bounces: the code alone is hard, whatever general things are said beside it
  it.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])('is hard by its code alone: %s', async (code) => {
    expect(await withStatus(`Status: ${code}`)).toBe('hard');
  });

  it.each([
    ['4.1.1', 'expired'],
    ['5.0.0', 'soft'],
    ['5.1.0', 'soft'],
    ['5.1.4', 'soft'],
    ['5.1.7', 'soft'],
    ['5.1.8', 'soft'],
    ['5.2.2', 'soft'],
    ['5.4.4', 'soft'],
    ['5.7.1', 'soft'],
  ])('of another code is not: %s is %s', async (code, is) => {
    expect(await withStatus(`Status: ${code}`)).toBe(is);
  });

  it.each([
    'This is an automatically generated Delivery Status Notification.\n\nDelivery to the following recipients failed.\n\n       ana@toko.example',
    "I'm sorry to have to inform you that your message could not be delivered to one or more recipients. For further assistance, please send mail to postmaster. If you do so, please include this problem report.",
    'Your message was rejected by the server. Contact your administrator.',
    'We could not deliver your mail at this time. Please try again later.',
    'Die Nachricht konnte nicht zugestellt werden.',
    'Pesan Anda tidak dapat dikirim. Silakan hubungi administrator Anda.',
    'Le message n’a pas pu être remis. Ceci est un message automatique.',
    'This message is generated automatically; a temporary copy is attached.',
    'The delivery of your message expired, and the server gave up.',
  ])('is hard beside general words: %s', async (prose) => {
    expect(await withStatus('Status: 5.1.1', prose)).toBe('hard');
  });

  it.each([
    'Mailbox full.',
    'It was rejected as spam.',
    'Your IP address is listed at zen.spamhaus.org.',
    'SPF check failed.',
    'The message is too large.',
  ])('stays soft beside words of another subject: %s', async (prose) => {
    expect(await withStatus('Status: 5.1.1', prose)).toBe('soft');
  });

  it.each([
    'status:5.1.1',
    'STATUS : 5.1.1',
    'Status: 5.1.1 (bad destination mailbox address)',
    'Status: (bad destination) 5.1.1',
    'Status: 5.1.1 (4.2.2 is not meant)',
    'Status: 5.1.1;',
    'Status: "5.1.1"',
    'Status: 550 5.1.1',
    'Status:\r\n 5.1.1',
    'Status: 5.1.1 - Bad destination mailbox address',
    'Status: 5.01.001',
  ])('is read however its code is written: %j', async (status) => {
    expect(await withStatus(status)).toBe('hard');
  });

  it.each([
    'Action: FAILED',
    'action:failed',
    'Action : failed (gave up)',
    'Action: (in the end) failed',
    'Action: "failed"',
    'Action:\r\n\tfailed',
  ])('is read however its action is written: %j', async (action) => {
    expect(await read(saying(general, recipient, action, 'Status: 5.1.1'))).toBe('hard');
  });

  it.each([
    ['Diagnostic-Code:'],
    ['Diagnostic-Code: smtp;'],
    ['Diagnostic-Code: x-unix; 67'],
    ['Diagnostic-Code: smtp; 550'],
  ])('is hard with a diagnostic that says nothing: %s', async (diagnostic) => {
    expect(await read(saying(general, recipient, 'Action: failed', 'Status: 5.1.1', diagnostic))).toBe('hard');
  });

  it('is read with fields in another order, and with blank lines between them', async () => {
    expect(await read(saying(general, 'Status: 5.1.1', 'Action: failed', recipient))).toBe('hard');
    expect(await read(saying(general, recipient, '', 'Action: failed', '', 'Status: 5.1.1'))).toBe('hard');
    const doubled = saying(general, recipient, 'Action: failed', 'Status: 5.1.1').toString().replaceAll('\n', '\r\n');
    expect(await read(Buffer.from(doubled))).toBe('hard');
  });
});

/** What a report about these recipients, in this form, says of ours. */
async function heardOf(to: string, ...fields: string[]): Promise<unknown> {
  const records: unknown[] = [];
  const intake = new ReportIntake({
    log: { publish: async (some) => void records.push(...some.map(({ value }) => value)) },
    clock: { now: () => 0 } as never,
    logger: { info: () => undefined, warn: () => undefined },
    stores: { messages: { get: async () => ({ to }) as never }, bounces: { keepUnread: async () => undefined } },
  });
  await intake.take(await parseReport(saying(general, ...fields)), { messageIds: ['m'], trusted: true, peer: '' });
  return (records[0] as { feedback: { hard: boolean } } | undefined)?.feedback.hard;
}

describe('the recipients of a delivery status', () => {
  const other = ['Final-Recipient: rfc822; other@toko.example', 'Action: failed', 'Status: 5.1.1'];
  const full = ['Action: failed', 'Status: 5.2.2'];

  it.each([
    'Final-Recipient: RFC822;Ana@Toko.example',
    'Final-Recipient: rfc822 ; <ana@toko.example>',
    'Final-Recipient: ana@toko.example',
    'Final-Recipient: rfc822; ana@toko.example (Ana)',
    'Final-Recipient: rfc822; "ana@toko.example"',
    'Final-Recipient: rfc822; Ana <ana@toko.example>',
    'Final-Recipient: rfc822;ana@toko.example;',
    'Final-Recipient: utf-8; ana@toko.example',
    'Original-Recipient: rfc822;ana@toko.example',
    'Original-Recipient: rfc822;ana+40toko.example',
    'Final-Recipient:\r\n rfc822; ana@toko.example',
  ])('are found however they are written: %j', async (field) => {
    expect(await heardOf('ana@toko.example', ...other, '', field, ...full)).toBe(false);
  });

  it('are found with a tag in xtext, beyond ASCII, and in both forms of a domain', async () => {
    const of = (to: string, field: string): Promise<unknown> => heardOf(to, ...other, '', field, ...full);
    expect(await of('ana+x@toko.example', 'Original-Recipient: rfc822;ana+2Bx@toko.example')).toBe(false);
    expect(await of('用户@例子.example', 'Final-Recipient: utf-8; 用户@例子.example')).toBe(false);
    expect(await of('ana@bücher.example', 'Final-Recipient: rfc822; ana@xn--bcher-kva.example')).toBe(false);
  });

  it('are told apart without a blank line between them', async () => {
    const first = ['Final-Recipient: rfc822; ana@toko.example', ...full];
    expect(await heardOf('ana@toko.example', ...first, ...other)).toBe(false);
    expect(await heardOf('other@toko.example', ...first, ...other)).toBe(true);
  });
});

describe('a report in prose', () => {
  const signed = { bounced: [{ id: '01948f3a-7c00-7abc-8def-000000000001', localPart: 'b-1' }], fromNull: true };

  // spec: docs/contract.md#classes-of-bounces: prose around a code of a dead address is read by the code
  test.each(LONG_FORM_MAILS.map((mail) => [mail.server, mail.is, mail] as const))(
    '%s is %s',
    async (_server, is, mail) => {
      expect(outcomeOf(await parseReport(untidyMail(mail), signed))).toBe(is);
    },
  );

  test('of a person stays what a person says', async () => {
    const [mail] = LONG_FORM_MAILS;
    const raw = untidyMail({ ...mail!, from: 'Ana <ana@contoso.example>', subject: 'Fwd: Promo' });
    expect((await parseReport(raw)).reports).toEqual([]);
  });
});
