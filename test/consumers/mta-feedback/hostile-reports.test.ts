import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseReport } from '../../../smtp/reports/parse-report';
import { ReportIntake } from '../../../operations/reports/report-intake';
import { feedbackPipeline } from '../../../consumers/mta-feedback/pipeline';
import { DAY } from '../../../lib/clock';
import { silentLogger } from '../../../lib/logger';
import type { Engine } from '../../../stores/ports/engine';
import type { FeedbackRecord } from '../../../streams/record-values';
import type { OutgoingRecord } from '../../../streams/records';
import { statusReport } from '../../smtp/reports/samples';
import { acceptAndClaim } from '../../contract/claiming';
import { createSender, type Sender } from '../../support/builders';
import { frozenClock } from '../../support/clock';
import { openStores } from '../postfix-log/scene';

let engine: Engine;
let sender: Sender;
let id: string;
beforeEach(async () => {
  engine = await openStores();
  sender = await createSender(engine.stores);
  ({ id } = await acceptAndClaim(engine, sender));
  const at = frozenClock().now();
  const set = { status: 'sent_to_mta', fence: 'f', fencedAt: at, dispatchedAt: at, dueAt: at + 4 * DAY } as const;
  await engine.stores.messages.change(id, () => ({ set, at, records: [] }));
});
afterEach(() => engine.close());

/** A mail to the return path of the message, from a sending server or a stranger, through intake and application. */
async function hear(raw: Buffer, trusted: boolean): Promise<number> {
  const { stores } = engine;
  const records: OutgoingRecord[] = [];
  const log = { publish: async (some: readonly OutgoingRecord[]): Promise<void> => void records.push(...some) };
  const intake = new ReportIntake({ log, clock: frozenClock(), logger: silentLogger, stores });
  await intake.take(await parseReport(raw), { messageIds: [id], trusted, peer: '127.0.0.1' });
  const apply = feedbackPipeline({ stores, evidenceWait: 4 * DAY, flagsAtDelivery: false, logger: silentLogger });
  for (const { value } of records) await apply(value as FeedbackRecord);
  return records.length;
}

/** Everything that a report may change. */
async function state(): Promise<object> {
  const { messages, coins, contacts, suppressions, bounces } = engine.stores;
  const message = await messages.get(id);
  const hash = (await contacts.recipientHash(id)) ?? '';
  return {
    message,
    ledger: await coins.ofMessage(sender.workspace.id, id),
    suppressed: await suppressions.reason(sender.workspace.id, hash),
    history: await messages.history(id),
    unread: (await bounces.unread(2_000)).length,
  };
}

const report = (action: string, status: string, envid: string | null = null): Buffer =>
  statusReport(
    'Reporting-MTA: dns; mx.toko.example',
    ...(envid === null ? [] : [`Original-Envelope-Id: ${envid}`]),
    '',
    'Final-Recipient: rfc822; someone@toko.example',
    `Action: ${action}`,
    `Status: ${status}`,
  );

const OTHER = '01948f3a-7c00-7abc-8def-000000000002';
const STATUS = 'Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n';
const nested = (depth: number): Buffer =>
  Buffer.from(
    `${Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')}${STATUS}`,
  );
const giant = (): Buffer =>
  Buffer.concat([
    Buffer.from('Content-Type: multipart/report; boundary=R\r\n\r\n'),
    Buffer.alloc(9_000_000, 'x\r\n'),
    Buffer.from(`--R\r\n${STATUS}\r\n--R--\r\n`),
  ]);

describe('nothing changes and nothing grows', () => {
  test.each([
    ['forged: a stranger says delivered', () => report('delivered', '2.0.0'), false],
    ['forged: a stranger says delayed', () => report('delayed', '4.4.1'), false],
    ['forged: a stranger says given up', () => report('failed', '4.4.7'), false],
    ['forged: it names another message', () => report('failed', '5.1.1', OTHER), true],
    ['giant: the report behind nine megabytes', giant, true],
    ['nested 400 deep', () => nested(400), true],
    ['nested 5,000 deep', () => nested(5_000), true],
    ['cut before its fields', () => report('failed', '5.1.1').subarray(0, 60), true],
  ] as const)('%s', async (_what, raw, trusted) => {
    const before = await state();
    for (let n = 0; n < 3; n++) await hear(raw(), trusted);
    expect(await state()).toEqual(before);
  });

  test('a contradiction is kept once, to be looked at', async () => {
    const before = await state();
    for (let n = 0; n < 3; n++) await hear(report('failed', '2.0.0'), true);
    expect(await state()).toEqual({ ...before, unread: 1 });
  });

  test('a bounce that comes a hundred times counts once', async () => {
    const bounce = report('failed', '5.1.1', id);
    await hear(bounce, true);
    const once = await state();
    expect(once).toMatchObject({ message: { status: 'bounced' }, suppressed: 'hard_bounce' });
    for (let n = 0; n < 100; n++) await hear(bounce, n % 2 === 0);
    expect(await state()).toEqual(once);
  });

  test('a bounce that was cut anywhere changes nothing more than the whole one', async () => {
    const bounce = report('failed', '5.1.1', id);
    await hear(bounce, true);
    const { unread: _unread, ...once } = (await state()) as { unread: number };
    for (let end = 0; end < bounce.length; end += 17) await hear(bounce.subarray(0, end), true);
    const { unread, ...after } = (await state()) as { unread: number };
    expect(after).toEqual(once);
    expect(unread).toBeLessThan(20);
  });

  test('a report about a thousand recipients is one record of each kind', async () => {
    const groups = Array.from({ length: 1_000 }, (_, n) => [
      '',
      `Final-Recipient: rfc822; u${n}@toko.example`,
      'Action: failed',
      'Status: 5.2.2',
    ]);
    expect(await hear(statusReport('Reporting-MTA: dns; mx.toko.example', ...groups.flat()), true)).toBe(1);
  });
});
