import { describe, expect, test } from '@jest/globals';
import { parseReport } from '../../../smtp/reports/parse-report';
import type { ParsedMail } from '../../../operations/reports/report';
import { untidyMail, UNTIDY_MAILS } from './untidy-mails';

const ID = '01948f3a-7c00-7abc-8def-000000000001';
const SIGNED = { bounced: [{ id: ID, localPart: 'b-1' }], fromNull: true };

function outcomeOf({ reports }: ParsedMail): string {
  const [report] = reports;
  if (!report) return 'nothing';
  if (report.kind === 'bounced') return report.hard ? 'hard' : 'soft';
  return report.kind;
}

describe('reports in the words of a server', () => {
  // spec: docs/contract.md#classes-of-bounces: other forms are read by their wording; answers and challenges change
  //   nothing
  test.each(UNTIDY_MAILS.map((mail) => [mail.server, mail.is, mail] as const))(
    '%s is %s',
    async (_server, is, mail) => {
      expect(outcomeOf(await parseReport(untidyMail(mail), SIGNED))).toBe(is);
    },
  );

  test.each(['', 'us-ascii', 'x-no-such-charset'])('are read though they name the charset %p', async (charset) => {
    for (const mail of UNTIDY_MAILS.filter(({ text }) => /^[\x20-\x7e\s]*$/.test(text)))
      expect([mail.server, outcomeOf(await parseReport(untidyMail(mail, charset), SIGNED))]).toEqual([
        mail.server,
        mail.is,
      ]);
  });

  test('name the recipients, each with what is said of it', async () => {
    const text =
      'Hi. This is the qmail-send program.\n\n<one@toko.example>:\nuser is over quota\n\n<two@toko.example>:\nSorry, no mailbox here by that name. (#5.1.1)';
    const { reports } = await parseReport(
      untidyMail({ server: 'qmail', from: 'MAILER-DAEMON@toko.example', subject: 'failure notice', text, is: 'hard' }),
      SIGNED,
    );
    expect(reports.map(({ recipients, class: found }) => [...recipients, found])).toEqual([
      ['one@toko.example', 'mailbox_full'],
      ['two@toko.example', 'address_unknown'],
    ]);
  });

  test('that say nothing known are unknown, and kept to be looked at', async () => {
    const text = 'The parcel went astray in the tube.';
    const parsed = await parseReport(
      untidyMail({ server: '', from: 'MAILER-DAEMON@toko.example', subject: 'failure notice', text, is: 'soft' }),
      SIGNED,
    );
    expect(parsed.reports).toMatchObject([{ kind: 'bounced', class: 'unknown', hard: false }]);
    expect(parsed.unread).toContain('astray');
  });

  test('answers are not kept, and mail of people is', async () => {
    const unread = async (server: string): Promise<string | null> =>
      (await parseReport(untidyMail(UNTIDY_MAILS.find((mail) => mail.server === server)!))).unread;
    expect(await unread('Outlook, away')).toBeNull();
    expect(await unread('a person')).toContain('Saturday');
  });
});

describe('hostile prose', () => {
  test.each([
    ['blank lines', '\n'.repeat(200_000)],
    ['spaces', ' '.repeat(200_000)],
    ['addresses', 'a@b.example '.repeat(20_000)],
    ['lines of recipients', '<a@b.example>:\n'.repeat(20_000)],
    ['no end of an address', 'a'.repeat(200_000)],
    ['brackets', '<'.repeat(200_000)],
    ['the words of reports', 'user unknown mailbox full '.repeat(8_000)],
  ])('of %s is read at once', async (_title, text) => {
    const from = 'MAILER-DAEMON@toko.example';
    for (const kind of ['text/plain', 'text/html']) {
      const raw = Buffer.from(`From: ${from}\r\nSubject: failure notice\r\nContent-Type: ${kind}\r\n\r\n${text}`);
      const before = process.cpuUsage();
      const { reports } = await parseReport(raw, SIGNED);
      // Its own time, µs: a busy machine is no failure.
      expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
      expect(reports.length).toBeLessThanOrEqual(20);
    }
  });
});
