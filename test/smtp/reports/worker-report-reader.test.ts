import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createReportListener } from '../../../smtp/reports/report-listener';
import type { ReportJob } from '../../../smtp/reports/report-protocol';
import { inlineReportReader, ReaderBusyError, ReportUnreadError } from '../../../smtp/reports/report-reader';
import { WorkerReportReader, type WorkerReaderOptions } from '../../../smtp/reports/worker-report-reader';
import type { UnreadReport } from '../../../domain/bounces/unread-report';
import { Keyring } from '../../../domain/keyring';
import { verpLocalPart } from '../../../domain/messages/message-tokens';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';
import { complaintWith, postfixBounce, qmailBounce } from './samples';
import { bare, record, report } from './aggregate/senders';
import { sendMail } from './smtp-client';

const PROGRAM = join(__dirname, '../../../dist/report-worker.js');
const ID = '01948f3a-7c00-7abc-8def-000000000001';

const dir = mkdtempSync(join(tmpdir(), 'kurir-reports-'));
const open = new Set<WorkerReportReader>();
afterEach(async () => {
  for (const reader of open) await reader.close();
  open.clear();
});
afterAll(() => rmSync(dir, { recursive: true }));

const gone: string[] = [];
function readerOn(options: Partial<WorkerReaderOptions> = {}): WorkerReportReader {
  const onGone = ({ message }: Error): void => void gone.push(message);
  const reader = new WorkerReportReader({ program: PROGRAM, rules: [], onGone, ...options });
  open.add(reader);
  return reader;
}

/**
 * A thread that never ends with `hang`, ends itself with `crash`, and answers anything else with its text as a fault.
 */
function strangeProgram(): string {
  const file = join(dir, 'strange.js');
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ id, bytes }) => {
       const text = Buffer.from(bytes).toString();
       if (text.includes('hang')) for (;;);
       if (text.includes('crash')) process.exit(3);
       parentPort.postMessage({ id, mail: { reports: [], fault: text, nested: false, prose: null, unread: null }, marks: [] });
     });`,
  );
  return file;
}

const jobOf = (bytes: Buffer): ReportJob => ({
  bytes,
  bounced: [{ id: ID, localPart: 'b-1' }],
  toFeedback: true,
  from: '',
});

describe('Reading reports in a thread', () => {
  test('reads as this thread would, several at once, and leaves the bytes alone', async () => {
    const reader = readerOn();
    const mails = [postfixBounce, qmailBounce, complaintWith([], ['Link: https://x.example/u/AAAA']), Buffer.alloc(0)];
    const there = await Promise.all(mails.map((raw) => reader.read(jobOf(raw))));
    const here = await Promise.all(mails.map((raw) => inlineReportReader().read(jobOf(raw))));
    expect(there).toMatchObject(here);
    expect(there[0]?.mail.reports).toHaveLength(1);
  });

  test('reads aggregate reports after and apart from delivery reports, which never wait for one', async () => {
    const reader = readerOn();
    const rows = record({ ip: '192.0.2.1', count: 1 }).repeat(60_000);
    const bytes = bare(
      'application/gzip',
      'r.xml.gz',
      gzipSync(report('x', '1', `${rows}${'<!--x-->'.repeat(300_000)}`)),
    );
    const ended: string[] = [];
    const job = { bytes, bounced: [], toFeedback: false, from: '', isAggregate: true } as const;
    const first = reader.read(job).then(() => ended.push('aggregate'));
    await pause(200);
    await reader.read(jobOf(postfixBounce)).then(() => ended.push('bounce'));
    await Promise.all([
      reader.read(jobOf(postfixBounce)).then(() => ended.push('bounce')),
      reader.read({ ...job, bytes: Buffer.from('Subject: x\r\n\r\n') }).then(() => ended.push('small')),
      first,
    ]);
    expect(ended).toEqual(['bounce', 'bounce', 'aggregate', 'small']);
  });

  test("knows an operator's rules", async () => {
    const rule = { rule: 'own', class: 'policy', text: ['user unknown in virtual'], sample: 'x' } as const;
    const { mail } = await readerOn({ rules: [rule] }).read(jobOf(postfixBounce));
    expect(mail.reports).toMatchObject([{ class: 'policy', hard: false }]);
  });

  test.each(['hang', 'crash'])(
    'a report that makes it %s ends the thread; those behind it are read in another',
    async (how) => {
      gone.length = 0;
      // A busy machine may hold up an innocent one for a while; only the other needs a short budget.
      const reader = readerOn({ program: strangeProgram(), ...(how === 'hang' && { budgetMs: 3_000 }) });
      const texts = [how, 'one', how, 'two'];
      const read = await Promise.allSettled(texts.map((text) => reader.read(jobOf(Buffer.from(text)))));
      expect(
        read.map((each) => (each.status === 'fulfilled' ? each.value.mail.fault : (each.reason as Error))),
      ).toEqual([expect.any(ReportUnreadError), 'one', expect.any(ReportUnreadError), 'two']);
      expect(gone).toHaveLength(2);
    },
  );

  test('refuses more bytes at once than it may hold, never a single report', async () => {
    const reader = readerOn({ program: strangeProgram(), mostBytes: 10 });
    const first = reader.read(jobOf(Buffer.from('a report of many bytes')));
    await expect(reader.read(jobOf(Buffer.from('x')))).rejects.toBeInstanceOf(ReaderBusyError);
    expect((await first).mail.fault).toBe('a report of many bytes');
    expect((await reader.read(jobOf(Buffer.from('x')))).mail.fault).toBe('x');
  });
});

test('a report that cannot be read in time is kept, and answered 451; the next one is taken', async () => {
  const kept: UnreadReport[] = [];
  const keyring = new Keyring('a master secret of thirty-two characters');
  const listener = createReportListener({
    keyring,
    clock: frozenClock(),
    log: { publish: async () => undefined },
    stores: {
      messages: { get: async () => aMessage({}) },
      bounces: { keepUnread: async (one) => void kept.push(one) },
    },
    reader: readerOn({ program: strangeProgram(), budgetMs: 3_000 }),
    port: 0,
    hostname: 'reports.kurir.test',
    isTrustedPeer: () => true,
  });
  const { port } = await listener.listen();
  const send = (text: string) =>
    sendMail(port, { from: false, to: `${verpLocalPart(keyring, ID)}@bounce.demo.kurir.test` }, text);
  try {
    expect(await send('Subject: hang\r\n\r\nTo ana@toko.example\r\n')).toEqual({
      code: 451,
      text: '4.3.0 Not read in time, try again later',
    });
    expect(kept).toMatchObject([{ text: 'Subject: hang To ***@toko.example' }]);
    expect((await send('Subject: Halo\r\n\r\nHalo\r\n')).code).toBe(250);
  } finally {
    await listener.close();
  }
});
