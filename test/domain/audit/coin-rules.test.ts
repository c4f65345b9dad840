import { describe, expect, it } from '@jest/globals';
import { checkDayCounters, checkPlatformDay, countDays } from '../../../domain/audit/check-days';
import { checkLedgerRow } from '../../../domain/audit/check-ledger-row';
import { checkPenalties } from '../../../domain/audit/check-penalties';
import { checkReceived } from '../../../domain/audit/check-received';
import { LedgerTally } from '../../../domain/audit/ledger-tally';
import { compareCoins, findUnbooked } from '../../../domain/audit/message-coins';
import { owedCoins } from '../../../domain/audit/owed-coins';
import { SendRateCheck } from '../../../domain/audit/send-rate-check';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { ledgerId } from '../../../domain/ledger/coins';
import type { MessageStatus } from '../../../domain/messages/message';
import { RateWindow } from '../../../domain/queue/rate-window';
import { RATE_WINDOW, sendRate } from '../../../domain/queue/send-rate';
import { TEST_START } from '../../support/clock';
import { aRow, delivered, ID, moves, sentToMta, waiting } from './records';

describe('the coins a message owes', () => {
  const owed = (path: MessageStatus[], facts: Parameters<typeof delivered>[1] = {}): string[] =>
    owedCoins(delivered({ history: moves(...path) }, facts)).map(
      ({ id, amount, at }) =>
        `${id.replace(ID, 'm')} ${amount} ${at.map((time) => (time - TEST_START) / SECOND).join('/')}`,
    );

  it.each<[string, MessageStatus[], string[]]>([
    ['waits', [], []],
    ['refused at its claim', ['failed'], []],
    ['handed over', ['sending', 'sent_to_mta'], ['debit:m:1 -1 1']],
    ['refused for good', ['sending', 'failed'], ['debit:m:1 -1 1', 'refund:m:1 1 2']],
    [
      'delivered at the second attempt',
      ['sending', 'queued', 'sending', 'delivered'],
      ['debit:m:1 -1 1', 'refund:m:1 1 2', 'debit:m:2 -1 3'],
    ],
    ['back in the queue, then refused', ['sending', 'queued', 'failed'], ['debit:m:1 -1 1', 'refund:m:1 1 2']],
    [
      'delivered after it was given up',
      ['sending', 'sent_to_mta', 'failed', 'delivered'],
      ['debit:m:1 -1 1', 'refund:m:1 1 3', 'debit:m:late -1 4'],
    ],
    [
      'bounced after that: taken again once',
      ['sending', 'failed', 'delivered', 'bounced'],
      ['debit:m:1 -1 1', 'refund:m:1 1 2', 'debit:m:late -1 3'],
    ],
  ])('%s', (_, path, rows) => {
    expect(owed(path)).toEqual(rows);
  });

  it('one penalty for a bounce and a complaint, at the time of either', () => {
    const facts = { hardBouncedAt: TEST_START + 2 * SECOND, complainedAt: TEST_START + 9 * SECOND };
    expect(owed(['sending', 'bounced'], facts)).toEqual(['debit:m:1 -1 1', 'penalty:m -4 2/9']);
  });

  it('no penalty for a bounce that is not hard, one for a hard bounce, also when it was found later', () => {
    const late = ['sending', 'failed', 'delivered', 'bounced'] as const;
    const rows = ['debit:m:1 -1 1', 'refund:m:1 1 2', 'debit:m:late -1 3'];
    expect(owed([...late], { refusedClass: 'mailbox_full' })).toEqual(rows);
    expect(owed([...late], { hardBouncedAt: TEST_START + 7 * SECOND })).toEqual([...rows, 'penalty:m -4 7']);
  });

  it('are booked, on their way, or missing', () => {
    const record = delivered({ history: moves('sending', 'failed') });
    const { owed: sum, missing, differences } = compareCoins(record);
    expect({ sum, differences }).toEqual({ sum: 0, differences: [] });
    const id = ledgerId.refund(ID, 1);
    expect(findUnbooked(ID, missing, new Map([[id, { amount: 1 }]]))).toEqual({ onTheirWay: 1, differences: [] });
    for (const pending of [new Map(), new Map([[id, { amount: 2 }]])]) {
      const found = findUnbooked(ID, missing, pending);
      expect(found).toMatchObject({ onTheirWay: 0, differences: [{ rule: 'message-coins', subject: ID }] });
    }
  });
});

describe('a ledger row', () => {
  const at = TEST_START;
  const row = (id: string, amount: number, change: object = {}) => ({
    ...aRow(id, amount, at, { messageId: null, ...change }),
    messageWorkspaceId: null,
  });

  it.each([
    ['a top-up', row('topup:demo', 5), true],
    ['a top-up of nothing', row('topup:demo', 0), false],
    ['a grant', row('grant:x', -5), true],
    ['a grant under the id of a debit', row(`debit:${ID}:1`, 5, { kind: 'grant' }), false],
    ['a penalty for a forced send', row(`penalty:hash:malformed:${at}`, -4), true],
    ['one that names another time', row(`penalty:hash:malformed:${at + 1}`, -4), false],
    ['a refund of nothing', row('refund:x:1', 1), false],
  ])('%s', (_, entry, right) => {
    expect(checkLedgerRow(entry)).toHaveLength(right ? 0 : 1);
  });

  it('of a message has its id', () => {
    const of = (id: string, amount: number) =>
      checkLedgerRow({ ...aRow(id, amount, at), messageWorkspaceId: 1 }).map(({ rule }) => rule);
    expect(of(`debit:${ID}:12`, -1)).toEqual([]);
    expect(of(`debit:${ID}:late`, -1)).toEqual([]);
    expect(of(`refund:${ID}:1`, 1)).toEqual([]);
    expect(of(`penalty:${ID}`, -4)).toEqual([]);
    for (const id of [`debit:${ID}:0`, `debit:${ID}:x`, `debit:${ID}`, `penalty:${ID}:1`, `refund:${ID}:late`]) {
      expect(of(id, id.startsWith('refund') ? 1 : id.startsWith('debit') ? -1 : -4)).toEqual(['ledger-row']);
    }
  });
});

describe('the send rate', () => {
  const check = (times: readonly number[], premium = false) => {
    const rate = new SendRateCheck(3);
    return times.flatMap((time) => rate.note(TEST_START + time, premium));
  };
  const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, n) => n * ms);

  it('lets ten claims be made in a minute and one more after it', () => {
    expect(check([...Array<number>(10).fill(0), MINUTE + 1])).toEqual([]);
    expect(check([...Array<number>(10).fill(0), MINUTE])).toEqual([
      {
        rule: 'send-rate',
        subject: 'workspace 3',
        expected: 'at most 10 claims in 60 s',
        found: '11 from 2026-01-05T03:00:00.000Z to 2026-01-05T03:01:00.000Z',
      },
    ]);
  });

  it('names a run of claims that is too fast once, and the next run again', () => {
    expect(check(every(SECOND, 40))).toHaveLength(1);
    expect(check([...every(SECOND, 20), HOUR, ...every(SECOND, 20).map((time) => time + 2 * HOUR)])).toHaveLength(2);
  });

  it('sees a claim that was booked later than others after it', () => {
    const slow = [...every(6_001, 10), HOUR];
    expect(check([...slow, HOUR + 3])).toEqual([]);
    expect(check([...slow, 3])).toHaveLength(1);
    expect(check([...every(6_001, 9), HOUR, 3, 4])).toHaveLength(1);
  });

  it('is 1,200 for a premium account', () => {
    expect(check(every(50, 1_200), true)).toEqual([]);
    expect(check(every(49, 1_300), true)).toHaveLength(1);
  });

  it('holds for whatever the throttle allows, also when an account becomes premium or ceases to be', () => {
    const window = new RateWindow(RATE_WINDOW);
    const rate = new SendRateCheck(3);
    for (let time = 0; time < 20 * MINUTE; time += 37) {
      const premium = Math.floor(time / (3 * MINUTE)) % 2 === 1;
      const allowed = Math.min(2, window.allowance(sendRate(premium).perMinute, time));
      window.note(allowed, time);
      for (let n = 0; n < allowed; n += 1) {
        const found = rate.note(TEST_START + time, premium).filter((difference) => difference.rule === 'send-rate');
        expect(found).toEqual([]);
      }
    }
  });

  it('is that of an account when it claims, even if a clock that was set back gives an earlier time', () => {
    const rate = new SendRateCheck(3);
    const found = [
      ...every(1_000, 8).flatMap((time) => rate.note(TEST_START + time, false)),
      ...every(1_000, 20).flatMap((time) => rate.note(TEST_START - 30_000 + time, true)),
    ];
    expect(found).toEqual([]);
    expect(rate.note(TEST_START - 5_000, false).map(({ rule }) => rule)).toEqual(['send-rate']);
  });

  it('leaves out what was claimed before the clock was set back by more than the window, and counts it otherwise', () => {
    const claims = (setBack: number): number[] => [
      100 * SECOND,
      100 * SECOND - setBack,
      ...every(SECOND, 9).map((n) => n + 70 * SECOND),
    ];
    expect(check(claims(RATE_WINDOW + 1))).toEqual([]);
    expect(check(claims(RATE_WINDOW - 2 * SECOND))).toHaveLength(1);
    expect(check([...every(SECOND, 11).map((n) => n + 10 * MINUTE), ...every(SECOND, 11)])).toHaveLength(2);
  });

  it('is that which an operator gave, from its time on', () => {
    const rates = [{ since: TEST_START + HOUR, perMinute: 100, perDay: 400 }];
    const checked = (from: number, count: number): string[] => {
      const rate = new SendRateCheck(3, rates);
      return every(601, count).flatMap((time) => rate.note(TEST_START + from + time, false).map(({ rule }) => rule));
    };
    expect(checked(HOUR, 400)).toEqual([]);
    expect(checked(HOUR, 401)).toEqual(['send-day']);
    expect(checked(HOUR - 10 * MINUTE, 20)).toEqual(['send-rate']);
  });

  it('is 300 a WIB day for a free account, named once a day', () => {
    const slow = every(7 * SECOND, 310);
    expect(check(slow.slice(0, 300))).toEqual([]);
    expect(check(slow)).toEqual([
      {
        rule: 'send-day',
        subject: 'workspace 3',
        expected: 'at most 300 claims on 2026-01-05',
        found: 'claim 301 at 2026-01-05T03:35:00.000Z',
      },
    ]);
    expect(check(slow, true)).toEqual([]);
  });
});

describe('the ledger of a workspace', () => {
  const debits = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...aRow(ledgerId.debit(ID, n + 1), -1, TEST_START),
      messageWorkspaceId: 1,
    }));
  const topUp = { ...aRow('topup:demo', 100, TEST_START + HOUR, { messageId: null }), messageWorkspaceId: null };

  it('lets an account be premium from the booking of a top-up on, whatever its time says', () => {
    const account = { workspaceId: 1, balance: 80, purchase: { expiresAt: null } };
    const before = new LedgerTally(account);
    expect([...debits(20), topUp].flatMap((row) => before.add(row))).toMatchObject([{ rule: 'send-rate' }]);
    const after = new LedgerTally(account);
    expect([topUp, ...debits(20)].flatMap((row) => after.add(row))).toEqual([]);
    expect(after.settle(-20)).toEqual([]);
    expect(after.settle(-19).map(({ rule, expected }) => `${rule} ${expected}`)).toEqual([
      'balance-by-messages 81 (100 given or taken, -19 for messages)',
    ]);
  });

  it('ends premium with the purchase', () => {
    const tally = new LedgerTally({ workspaceId: 1, balance: 80, purchase: { expiresAt: TEST_START } });
    expect([topUp, ...debits(20)].flatMap((row) => tally.add(row))).toMatchObject([{ rule: 'send-rate' }]);
  });
});

describe('counters, penalties and the sandbox', () => {
  it('penalties of one address and reason are a day apart', () => {
    const penalties = (booked: number[], gateAt: number | null) =>
      checkPenalties({ workspaceId: 1, key: 'hash:malformed', gateAt, booked }).map(({ rule }) => rule);
    expect(penalties([0, DAY], DAY)).toEqual([]);
    expect(penalties([0, DAY - 1], DAY - 1)).toEqual(['penalty-window']);
    expect(penalties([0, DAY], 0)).toEqual(['penalty-gate']);
    expect(penalties([], null)).toEqual([]);
  });

  it('days are counted in WIB', () => {
    const days = new Map<string, number>();
    countDays(days, [Date.UTC(2026, 0, 5, 16, 59), Date.UTC(2026, 0, 5, 17)]);
    const counters = new Map([
      ['2026-01-05', 1],
      ['2026-01-06', 1],
    ]);
    expect(checkDayCounters(1, days, counters)).toEqual([]);
    expect(checkDayCounters(1, days, new Map([['2026-01-05', 2]]))).toHaveLength(2);
    expect(checkPlatformDay({ day: '2026-01-05', platform: 3, workspaces: 3 })).toEqual([]);
  });

  it('the sandbox received once what was handed over, as far as it was before the message was looked at', () => {
    const found = (record: ReturnType<typeof waiting>, before: number, total: number) =>
      checkReceived(record, { before, total }).map(({ rule }) => rule);
    expect(found(delivered(), 1, 1)).toEqual([]);
    expect(found(sentToMta(), 0, 1)).toEqual([]);
    expect(found(sentToMta(), 0, 0)).toEqual(['received']);
    expect(found(waiting(), 0, 1)).toEqual([]);
    expect(found(waiting(), 1, 1)).toEqual(['received']);
    expect(found(delivered(), 1, 2)).toEqual(['received-once']);
  });
});
