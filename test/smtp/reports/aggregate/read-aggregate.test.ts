import { describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readAggregate } from '../../../../smtp/reports/aggregate/read-aggregate';
import { WorkerReportReader } from '../../../../smtp/reports/worker-report-reader';
import { bare, BEGIN, DOMAIN, record, report, SENDERS, withText, zipOf } from './senders';

const packed = (xml: string): Buffer => bare('application/gzip', 'r.xml.gz', gzipSync(xml));
const ROW = record({ ip: '192.0.2.1', count: 1 });

describe('a DMARC aggregate report', () => {
  it.each(SENDERS)('of %s is read', async (org, mail) => {
    const { reports, fault } = await readAggregate(mail);
    expect(fault).toBeNull();
    expect(reports).toMatchObject([
      {
        about: DOMAIN,
        report: { kind: 'dmarc', org, begin: BEGIN * 1000, end: (BEGIN + 86_399) * 1000, passed: 123, failed: 11 },
      },
    ]);
    expect(reports[0]!.report.sources).toEqual([
      { ip: '198.51.100.7', from: DOMAIN, passed: 0, failed: 9, quarantined: 9, rejected: 0 },
      { ip: '2001:db8::25', from: DOMAIN, passed: 0, failed: 2, quarantined: 0, rejected: 2 },
      { ip: '192.0.2.10', from: DOMAIN, passed: 123, failed: 0, quarantined: 0, rejected: 0 },
    ]);
  });

  // The thread has 128 MB of heap, and ends when it needs more.
  it('of 100,000 rows is read in the thread for reports, in bounded time and memory', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) =>
      record({
        ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
        count: 1 + (n % 3),
        ...(n === 7 && { dkim: 'fail', spf: 'fail' }),
      }),
    );
    const bytes = packed(report('google.com', 'large', rows.join('\n')));
    const onGone = jest.fn();
    const program = join(__dirname, '../../../../dist/report-worker.js');
    const reader = new WorkerReportReader({ program, rules: [], onGone, budgetMs: 30_000 });
    const job = { bytes, bounced: [], toFeedback: false, from: '', isAggregate: true } as const;
    const { reports, fault } = (await reader.read(job)).aggregate!;
    await reader.close();
    expect(fault).toBeNull();
    expect(reports[0]!.report).toMatchObject({ passed: 199_997, failed: 2 });
    expect(reports[0]!.report.sources).toHaveLength(100);
    expect(reports[0]!.report.sources[0]).toMatchObject({ ip: '10.0.0.7', failed: 2 });
    expect(onGone).not.toHaveBeenCalled();
  });

  const deep = `<feedback>${'<a>'.repeat(50)}`;
  it.each<[string, Buffer, RegExp]>([
    [
      'a bomb in gzip',
      packed(' '.repeat(1024 * 1024) + '<feedback>' + 'x'.repeat(120 * 1024 * 1024)),
      /more than \d+ bytes/,
    ],
    [
      'a bomb in a zip archive',
      bare('application/zip', 'r.zip', zipOf('r.xml', `<feedback><a>${'x'.repeat(100 * 1024 * 1024)}`)),
      /more than \d+ bytes/,
    ],
    [
      'a document type',
      packed(report('x', '1', ROW).replace('?>', '?><!DOCTYPE feedback SYSTEM "file:///etc/passwd">')),
      /a document type/,
    ],
    [
      'entities of its own',
      packed(`<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${report('&b;', '1', ROW)}`),
      /a document type/,
    ],
    [
      'more rows than are allowed',
      packed(
        report(
          'x',
          '1',
          '<record><row><source_ip>192.0.2.1</source_ip><count>1</count></row></record>'.repeat(250_001),
        ),
      ),
      /more than 250000 rows/,
    ],
    ['a nesting without end', packed(deep), /nested too deep/],
    ['a tag without an end', packed(`<feedback><a b="${'x'.repeat(500_000)}`), /a tag without an end/],
    ['no end', packed(report('x', '1', ROW).replace('</feedback>', '')), /no whole DMARC report/],
    ['a row without anything', packed(report('x', '1', '<record/>'.repeat(2))), /a row without its source_ip/],
    ['a source that is no address', packed(report('x', '1', ROW.replace('192.0.2.1', 'localhost'))), /a row without/],
    ['a count below zero', packed(report('x', '1', ROW.replace('<count>1', '<count>-1'))), /a row without/],
    ['another XML', packed('<rss><channel/></rss>'), /no DMARC report/],
    [
      'an archive cut in its middle',
      bare('application/zip', 'r.zip', zipOf('r.xml', report('x', '1', ROW)).subarray(0, 90)),
      /zip archive/,
    ],
    ['an encrypted archive', bare('application/zip', 'r.zip', zipOf('r.xml', 'x', { encrypted: true })), /encrypted/],
    ['gzip that is broken', bare('application/gzip', 'r.gz', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0])), /unpacked/],
    ['no attachment', Buffer.from('Subject: hello\r\n\r\nhello'), /no report in it/],
  ])('with %s is refused', async (_what, mail, fault) => {
    expect(await readAggregate(mail)).toMatchObject({ reports: [], fault: expect.stringMatching(fault) });
  });

  const MB = 1024 * 1024;
  const full = (unit: string): string => unit.repeat(Math.floor((88 * MB) / unit.length));
  const row = '<row><source_ip>192.0.2.1</source_ip><count>1</count></row>';
  const part = (content: Buffer): string =>
    `--b\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
  const many = (header: string, unit: string): Buffer =>
    Buffer.from(`${header}\r\n\r\n${unit.repeat((5 * MB) / unit.length)}`);
  it.each<[string, () => Buffer]>([
    ['22 million empty tags', () => packed(`<feedback>${full('<a/>')}`)],
    ['nothing but comments', () => packed(`<feedback>${full('<!---->')}`)],
    ['nothing but entities', () => packed(`<feedback>${full('&amp;')}`)],
    ['nothing but attributes', () => packed(`<feedback>${full(`<a ${'b '.repeat(60_000)}/>`)}`)],
    ['nothing but CDATA', () => packed(`<feedback>${full('<![CDATA[]]>')}`)],
    ['nothing but processing instructions', () => packed(`<feedback>${full('<?a?>')}`)],
    ['nothing but ends of tags', () => packed(`<feedback>${full('</b>')}`)],
    ['nothing but spaces', () => packed(`<feedback>${full(' ')}`)],
    [
      'rows with much beside them',
      () => packed(report('x', '1', full(`<record>${row}${'<a/>'.repeat(300)}</record>`))),
    ],
    [
      'five reports, together too large',
      () => {
        const one = gzipSync(report('x', '1', `<record>${row}</record>`.repeat(90_000)));
        return Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${part(one).repeat(5)}--b--\r\n`);
      },
    ],
    ['JSON of a million values', () => packed(`{"policies":[${'1,'.repeat(1_000_000)}1]}`)],
    ['JSON that is nested without end', () => packed('['.repeat(3 * MB))],
    ['millions of empty lines', () => many('Subject: x', '\n')],
    ['half a million parts', () => many('Content-Type: multipart/mixed; boundary=b', '--b\r\n\r\n')],
  ])('of %s is no more read than what it takes to see that', async (_what, make) => {
    const mail = make();
    const before = process.cpuUsage();
    expect(await readAggregate(mail)).toMatchObject({ reports: [], overrun: true });
    const { user, system } = process.cpuUsage(before);
    // µs; rows that look like some take longest, a quarter of what they could before.
    expect(user + system).toBeLessThan(5_000_000);
  });

  it('knows the entities of XML, and no others', async () => {
    const { reports } = await readAggregate(packed(report('A &amp; B &#66; &unknown;', '1', ROW)));
    expect(reports[0]!.report.org).toBe('A & B B &unknown;');
  });
});

describe('a TLS report', () => {
  const json = {
    'organization-name': 'Company-X',
    'date-range': { 'start-datetime': '2026-01-04T00:00:00Z', 'end-datetime': '2026-01-04T23:59:59Z' },
    'contact-info': 'sts-reporting@company-x.example',
    'report-id': '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': `bounce.${DOMAIN}` },
        summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 303 },
        'failure-details': [
          { 'result-type': 'certificate-expired', 'sending-mta-ip': '2001:db8::1', 'failed-session-count': 100 },
          { 'result-type': 'starttls-not-supported', 'failed-session-count': 200 },
          { 'result-type': 'certificate-expired', 'failed-session-count': 3, 'failure-reason-code': 'x' },
        ],
      },
    ],
  };
  const mail = (of: object) =>
    withText('application/tlsrpt+gzip', 'r.json.gz', gzipSync(JSON.stringify({ ...json, ...of })));

  it('of RFC 8460 appendix B is read', async () => {
    const { reports, fault } = await readAggregate(mail({}));
    expect(fault).toBeNull();
    expect(reports).toEqual([
      {
        about: `bounce.${DOMAIN}`,
        report: {
          kind: 'tls',
          org: 'Company-X',
          reportId: '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
          begin: Date.UTC(2026, 0, 4),
          end: Date.UTC(2026, 0, 4, 23, 59, 59),
          passed: 5326,
          failed: 303,
          sources: [],
          failures: [
            { reason: 'certificate-expired', count: 103 },
            { reason: 'starttls-not-supported', count: 200 },
          ],
        },
      },
    ]);
  });

  it.each([{ policies: 'all' }, { 'report-id': undefined }, { policies: [{ summary: {} }] }])(
    'that is not of its form is refused: %j',
    async (of) => expect((await readAggregate(mail(of))).fault).toMatch(/^no TLS report: /),
  );
});
