import { describe, expect, test } from '@jest/globals';
import { parseReport } from '../../../smtp/reports/parse-report';
import { ReportIntake } from '../../../operations/reports/report-intake';
import type { UnreadReport } from '../../../domain/bounces/unread-report';
import type { Message } from '../../../domain/messages/message';
import { silentLogger } from '../../../lib/logger';
import type { FeedbackRecord } from '../../../streams/record-values';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';
import { forwardedBounce, statusReport } from '../../smtp/reports/samples';
import { untidyMail } from '../../smtp/reports/untidy-mails';

const ID = '01948f3a-7c00-7abc-8def-000000000001';

/** Takes a mail for the message to `to`; returns what was published, and what was kept. */
async function take(raw: Buffer, to = 'ana@toko.example', messageId = ID) {
  const records: OutgoingRecord[] = [];
  const kept: UnreadReport[] = [];
  const message: Message = { ...aMessage({}), id: messageId, to };
  const intake = new ReportIntake({
    log: { publish: async (some) => void records.push(...some) },
    clock: frozenClock(),
    logger: silentLogger,
    stores: { messages: { get: async () => message }, bounces: { keepUnread: async (one) => void kept.push(one) } },
  });
  await intake.take(await parseReport(raw), { messageIds: [messageId], trusted: true, peer: '127.0.0.1' });
  return { heard: records.map(({ value }) => (value as FeedbackRecord).feedback), kept };
}

const group = (address: string, status: string): string[] => [
  '',
  `Final-Recipient: rfc822; ${address}`,
  'Action: failed',
  `Status: ${status}`,
];

describe('a report about several recipients', () => {
  const report = statusReport(
    'Reporting-MTA: dns; mx.toko.example',
    ...group('other@toko.example', '5.1.1'),
    ...group('Ana@toko.example', '5.2.2'),
  );

  // spec: docs/contract.md#classes-of-bounces: the group that names ours decides
  test('the group that names our recipient decides', async () => {
    expect((await take(report)).heard).toMatchObject([{ kind: 'bounced', class: 'mailbox_full', hard: false }]);
  });

  test('the strongest of all decides when none names ours', async () => {
    expect((await take(report, 'budi@toko.example')).heard).toMatchObject([{ class: 'address_unknown', hard: true }]);
  });
});

describe('a report in a forwarded mail', () => {
  test('counts for the message it names', async () => {
    expect((await take(forwardedBounce)).heard).toMatchObject([{ kind: 'bounced', hard: true }]);
    expect((await take(forwardedBounce, 'nobody@example.com')).heard).toHaveLength(1);
  });

  test('counts for no other', async () => {
    const other = '01948f3a-7c00-7abc-8def-000000000002';
    expect((await take(forwardedBounce, 'ana@toko.example', other)).heard).toEqual([]);
  });
});

test('what is not understood is kept without addresses, and changes nothing', async () => {
  const mail = { server: '', from: 'ana@toko.example', subject: 'Re: Promo', is: 'nothing' as const };
  const { heard, kept } = await take(untidyMail({ ...mail, text: 'Write to budi@toko.example instead.' }));
  expect(heard).toEqual([]);
  expect(kept).toMatchObject([{ text: 'Re: Promo Write to ***@toko.example instead.', count: 1 }]);
});

test('a refusal that no rule knows is a soft bounce, and kept', async () => {
  const status = statusReport('Reporting-MTA: dns; mx', ...group('ana@toko.example', '5.0.0'));
  const { heard, kept } = await take(status);
  expect(heard).toMatchObject([{ kind: 'bounced', class: 'unknown', hard: false }]);
  expect(kept).toHaveLength(1);
});
