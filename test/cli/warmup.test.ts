import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WARMUPS } from '../../operations/warmup/warmups';
import { WarmupGate } from '../../consumers/throttle/warmup-gate';
import { outcomeOfRefusal, outcomeOfReport } from '../../domain/warmup/delivery-outcome';
import { nextVolume, verdictOf, volumesTo } from '../../domain/warmup/warmup-plan';
import { counted, stateNow } from '../../domain/warmup/warmup-state';
import { DAY } from '../../lib/clock';
import { TEST_START } from '../support/clock';
import { TestOperator } from '../support/test-operator';

let operator: TestOperator;
beforeAll(async () => {
  const KURIR_MTA_URL = 'main=smtp://127.0.0.1:9 new=smtp://127.0.0.2:9';
  const KURIR_MTA_ROUTES = 'domain:b.example=new';
  const env = { KURIR_MTA_URL, KURIR_MTA_ROUTES, KURIR_PUBLIC_URL: 'https://a.example' };
  operator = await TestOperator.open({ env });
  await operator.ask('workspace', 'create', 'Toko');
  for (const name of ['a.example', 'b.example']) await operator.ask('domain', 'add', 'Toko', name);
});
afterAll(() => operator.remove());

describe('kurir warmup of a domain', () => {
  const server = ['--server', 'new', '--goal', '1000'];

  it('begins once, shows the plan beside what happened with the day it will end, and is ended', async () => {
    expect(await operator.ask('warmup', 'start', '--domain', 'a.example', ...server)).toEqual({
      domain: 'a.example',
      server: 'new',
      volumes: [50, 100, 500, 1_000],
    });
    await operator.ask('warmup', 'start', '--domain', 'a.example', ...server);
    expect((await operator.run(['warmup', 'start', '--domain', 'a.example'])).err).toContain('with other settings');
    const taken = await operator.with(async ({ stores: { records } }) => {
      const warmup = (await records.get(WARMUPS, 'a.example', TEST_START))!;
      return new WarmupGate(records).take({ warmup, destination: 'google', mails: 'bulk', now: TEST_START }, 60, 0);
    });
    expect(taken).toEqual({ count: 40, turns: [] });
    const plan = await operator.ask('warmup', 'plan', '--domain', 'a.example');
    const none = { deferred: 0, bounced: 0, complained: 0, refused: 0 };
    expect(plan).toMatchObject({
      server: 'new',
      goal: 1_000,
      ends_on: '2026-01-08',
      destinations: [{ destination: 'google', waiting: 0, ends_on: '2026-01-08' }],
    });
    const { rows } = (plan['destinations'] as { rows: object[] }[])[0]!;
    expect(rows).toHaveLength(4);
    expect(rows[0]).toEqual({
      destination: 'google',
      day: '2026-01-05',
      volume: 50,
      sent: 40,
      ...none,
      verdict: 'today',
    });
    expect(rows[3]).toMatchObject({ day: '2026-01-08', volume: 1_000, sent: null, verdict: 'planned' });
    expect((await operator.run(['warmup', 'plan', '--domain', 'a.example'])).out).toContain('ends on 2026-01-08');
    expect(await operator.ask('warmup', 'stop', '--domain', 'a.example')).toEqual({ domain: 'a.example', released: 0 });
    expect(await operator.ask('warmup', 'plan', '--domain', 'a.example')).toMatchObject({ started_at: null });
  });

  it('names a server that is there and that its mail does not go over anyway', async () => {
    const failed = async (name: string, over: string): Promise<string> =>
      (await operator.run(['warmup', 'start', '--domain', name, '--server', over])).err;
    expect(await failed('a.example', 'old')).toContain('KURIR_MTA_URL does not name a server "old" here');
    expect(await failed('a.example', 'main')).toContain('Email from a.example already goes through main');
    expect(await failed('b.example', 'new')).toContain('Email from b.example already goes through new');
  });
});

describe('a day of a warm-up', () => {
  const day = { day: '2026-01-05', volume: 1_000, sent: 1_000, unsent: 0 };
  const none = { deferred: 0, bounced: 0, complained: 0, refused: 0 };

  it.each([
    [{}, 'clean', 5_000],
    [{ sent: 749 }, 'little', 1_000],
    [{ unsent: 251 }, 'little', 1_000],
    [{ unsent: 250 }, 'clean', 5_000],
    [{ deferred: 50 }, 'not clean', 1_000],
    [{ bounced: 20 }, 'not clean', 1_000],
    [{ complained: 1 }, 'not clean', 1_000],
    [{ refused: 10 }, 'bad', 500],
    [{ refused: 10, sent: 300 }, 'bad', 150],
    [{ refused: 10, unsent: 800 }, 'bad', 100],
    [{ refused: 9, deferred: 49, bounced: 19 }, 'clean', 5_000],
  ] as const)('with %j is %s, and %i come next', (change, verdict, next) => {
    const over = { ...day, ...none, ...change };
    expect(verdictOf(over)).toBe(verdict);
    expect(nextVolume(volumesTo(40_000), over, verdict)).toBe(next);
  });

  it('that was clean at the goal ends it; a bad one never goes below the first volume', () => {
    expect(nextVolume(volumesTo(1_000), day, 'clean')).toBeNull();
    expect(nextVolume(volumesTo(1_000), { volume: 50, sent: 50, unsent: 0 }, 'bad')).toBe(50);
    expect(volumesTo(300)).toEqual([50, 100, 300]);
  });

  it('ends at midnight WIB, and what is left of an earlier warm-up counts as nothing', () => {
    const warmup = { domainId: 1, server: null, volumes: [50, 100], startedAt: TEST_START };
    const first = counted(stateNow(warmup, null, TEST_START), { deferred: 3 });
    expect(stateNow(warmup, first, TEST_START + DAY).past).toMatchObject([{ deferred: 3, verdict: 'not clean' }]);
    expect(stateNow({ ...warmup, startedAt: TEST_START + 1 }, first, TEST_START + DAY).past).toEqual([]);
  });

  it('counts a refusal that blames the sender apart, and of a delayed mail the first report', () => {
    expect(outcomeOfRefusal('sender_blocked', false)).toBe('refused');
    expect(outcomeOfRefusal('address_unknown', true)).toBe('bounced');
    expect(outcomeOfRefusal('rate_limited', false)).toBe('deferred');
    const report = { trusted: true, text: '', class: null, hard: false, at: 1 };
    expect(outcomeOfReport({ ...report, kind: 'delayed' }, true)).toBe('deferred');
    expect(outcomeOfReport({ ...report, kind: 'delayed' }, false)).toBeNull();
    expect(outcomeOfReport({ ...report, kind: 'complaint' }, false)).toBe('complained');
    expect(outcomeOfReport({ ...report, kind: 'delivered' }, true)).toBeNull();
  });
});
