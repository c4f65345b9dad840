import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import { HAND_OFF_LIMIT } from '../../domain/messages/retry-schedule';
import { RATE_WINDOW } from '../../domain/queue/send-rate';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import type { Advanced } from '../../operations/time-travel/protocol';
import { frozenClock } from '../support/clock';
import { Running } from '../support/running';
import { makeTenant, sendMany, type Tenant } from '../support/tenant';

// Real time stands still, so every time stamp is exactly that of a step.
let running: Running;
beforeAll(async () => {
  running = await Running.start({}, frozenClock());
});
afterAll(() => running.stop());

const now = (): number => running.clock.now();
const advance = (ms: number): Promise<Advanced> => running.kurir.travel!.advance(ms);
const message = async (id: string) => (await running.stores.messages.get(id))!;
const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await message(id)).status));
const claims = async (of: Tenant): Promise<number[]> =>
  (await running.stores.queue.recentClaims(of.workspaceId, 0, 10_000)).reverse();
const coins = async (id: string): Promise<number> =>
  (await running.stores.coins.ofMessage(1, id)).reduce((sum, { amount }) => sum + amount, 0);

describe('three days of 451', () => {
  it('every attempt happens at its own due time, the last at the end of the three days, then failed and refunded', async () => {
    const sentAt = now();
    const id = await running.send('defer@pelanggan.test');
    const { steps, stopped } = await advance(3 * DAY + HOUR);
    expect(stopped).toBe(false);
    // Moves of the clock: one an attempt, and the rest of the way.
    expect(steps).toBeLessThan(100);
    const waits = [1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE);
    const due = [sentAt];
    for (const wait of waits) due.push(due.at(-1)! + wait);
    while (due.at(-1)! + HOUR < sentAt + 3 * DAY) due.push(due.at(-1)! + HOUR);
    due.push(sentAt + 3 * DAY);
    const attempts = await running.stores.messages.attempts(id);
    expect(attempts.map(({ claimedAt }) => claimedAt)).toEqual(due);
    expect(attempts.map(({ finishedAt }) => finishedAt)).toEqual(due);
    const { status, failedReason } = await message(id);
    expect(status).toBe('failed');
    expect(failedReason).toMatch(/^MTA menolak sementara terus-menerus: 451 /);
    expect(await coins(id)).toBe(0);
    expect(now()).toBe(sentAt + 3 * DAY + HOUR);
  });
});

describe('what is kept up by real time', () => {
  it('has followed when the advance is over: every lease holds at the new time', async () => {
    await advance(DAY);
    const leases = (await running.stores.leases.list()).filter(({ name }) => name.startsWith('throttle/'));
    expect(leases.length).toBeGreaterThan(0);
    expect(leases.filter(({ expiresAt }) => expiresAt <= now())).toEqual([]);
  });
});

describe('several things that fall due', () => {
  it('happen each at its own time and in order, and what is due later has not begun', async () => {
    const start = now();
    const [grey, late, slow, silent] = [
      await running.send('greylist+order@pelanggan.test'),
      await running.send('delayed+order@pelanggan.test'),
      await running.send('slow+order@pelanggan.test'),
      await running.send('norecord+order@pelanggan.test'),
    ];
    await advance(SECOND);
    expect(await statusesOf([grey, late, slow, silent])).toEqual(['queued', 'sent_to_mta', 'sending', 'sent_to_mta']);
    await advance(4 * DAY);
    const ends = [];
    for (const id of [late, slow, grey, silent]) {
      const { status, at } = (await running.stores.messages.history(id)).at(-1)!;
      ends.push([status, at - start]);
    }
    expect(ends).toEqual([
      ['delivered', 3 * SECOND],
      ['delivered', 5 * SECOND],
      ['delivered', MINUTE],
      ['failed', 4 * DAY],
    ]);
    expect(await coins(silent)).toBe(0);
  });

  it('a server that thinks is not mistaken for one that hangs, also when it holds every connection', async () => {
    const ids = await Promise.all(Array.from({ length: 90 }, (_, i) => running.send(`slow+${i}@pelanggan.test`)));
    await advance(2 * HAND_OFF_LIMIT);
    for (const id of ids) {
      expect((await message(id)).status).toBe('delivered');
      expect(running.kurir.sandbox!.countByMessage(id)).toBe(1);
    }
  });
});

describe('the days of WIB', () => {
  const toMidnight = (): Promise<Advanced> => advance(nextWibMidnight(now()) - now());

  it('a free account sends 300 of its 302 in a day, ten in any 60 s, and the rest at midnight', async () => {
    const free = await makeTenant(running, 'bebas', 'free');
    await toMidnight();
    const start = now();
    await sendMany(free, 302);
    await advance(DAY - MINUTE);
    const times = await claims(free);
    expect(times).toEqual(Array.from({ length: 300 }, (_, i) => start + Math.floor(i / 10) * RATE_WINDOW));
    await advance(2 * MINUTE);
    expect((await claims(free)).slice(300)).toEqual([start + DAY, start + DAY]);
  });

  it('what is above the cap of the warm-up goes out when the next day begins', async () => {
    const big = await makeTenant(running, 'hangat', 'premium');
    await toMidnight();
    const start = now();
    expect(await running.stores.queue.claimsOn(wibDay(start), null)).toBe(0);
    await running.stores.settings.set('warmup_cap', 5);
    const ids = await sendMany(big, 12);
    await advance(DAY - 1);
    expect(await claims(big)).toEqual(Array<number>(5).fill(start));
    await advance(3 * DAY);
    expect((await statusesOf(ids)).filter((status) => status !== 'delivered')).toEqual([]);
    const days = (await claims(big)).map((at) => (at - start) / DAY);
    expect(days).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]);
    await running.stores.settings.set('warmup_cap', null);
  });

  it('attachments are gone after four days in the queue: their message fails, one without waits on, and no coin moves', async () => {
    await toMidnight();
    await running.stores.settings.set('warmup_cap', 0);
    const start = now();
    const attachments = [{ filename: 'nota.txt', content: Buffer.from('halo').toString('base64') }];
    const held = await running.send('delivered@lampiran.test', { attachments });
    const plain = await running.send('delivered@polos.test');
    await advance(4 * DAY - 1);
    expect(await statusesOf([held, plain])).toEqual(['queued', 'queued']);
    expect((await running.stores.messages.job(held))!.attachments).toHaveLength(1);
    await advance(5 * DAY);
    expect(await message(held)).toMatchObject({
      status: 'failed',
      failedReason: 'Lampiran kedaluwarsa setelah 4 hari.',
    });
    expect((await running.stores.messages.history(held)).at(-1)!.at).toBe(start + 4 * DAY);
    expect((await running.stores.messages.job(held))!.attachments).toEqual([]);
    expect([await coins(held), (await message(plain)).status]).toEqual([0, 'queued']);
    await running.stores.settings.set('warmup_cap', null);
    await advance(DAY);
    expect((await message(plain)).status).toBe('delivered');
  });
});

describe('the penalty of a forced send', () => {
  it('is taken once in 24 hours for an address and reason, and again after them', async () => {
    const id = await running.send('hardbounce@denda.test');
    await advance(SECOND);
    expect((await message(id)).status).toBe('bounced');
    const balance = async (): Promise<number> => (await running.stores.coins.account(1)).balance;
    const before = await balance();
    const force = async (): Promise<number> => {
      await expect(running.send('hardbounce@denda.test')).rejects.toThrow('422');
      await advance(1);
      return before - (await balance());
    };
    expect([await force(), await force()]).toEqual([4, 4]);
    await advance(DAY - 3);
    expect(await force()).toBe(4);
    expect(await force()).toBe(8);
  });
});

describe('an advance', () => {
  it('may be one of a day or of 24 hours: the same happens at the same times', async () => {
    const times = async (ms: number, often: number): Promise<number[]> => {
      const start = now();
      const id = await running.send('softbounce@langkah.test');
      for (let i = 0; i < often; i += 1) await advance(ms);
      return (await running.stores.messages.history(id)).map(({ at }) => at - start);
    };
    expect(await times(HOUR, 24)).toEqual(await times(DAY, 1));
  });

  it('beside another one is refused, and one that is not longer than zero or longer than ten years', async () => {
    const first = advance(HOUR);
    await expect(advance(HOUR)).rejects.toThrow('The clock is already being advanced');
    await first;
    for (const ms of [0, -1, NaN, 3_654 * DAY]) await expect(advance(ms)).rejects.toThrow('at most 3653d');
  });

  it('that is told to stop ends after its step, and what is left can follow', async () => {
    const id = await running.send('defer@henti.test');
    const stop = new AbortController();
    const start = now();
    const travel = running.kurir.travel!.advance(3 * DAY, stop.signal);
    while ((await message(id)).attempt < 5) await new Promise(setImmediate);
    stop.abort();
    const done = await travel;
    expect(done).toMatchObject({ stopped: true, whole: 3 * DAY, moved: now() - start, at: now() });
    expect(done.moved).toBeLessThan(DAY);
    await advance(done.whole - done.moved);
    expect((await message(id)).status).toBe('failed');
  });
});

describe('a restart', () => {
  it('keeps the time', async () => {
    const own = await Running.start();
    await own.kurir.travel!.advance(2 * DAY);
    const [machine, { offset }] = [own.clock.machineTime(), own.clock];
    expect(offset).toBeGreaterThan(DAY);
    const again = await Running.startOn(await own.rest(), {}, frozenClock(machine));
    expect(again.clock.now()).toBe(machine + offset);
    await again.stop();
  });
});
