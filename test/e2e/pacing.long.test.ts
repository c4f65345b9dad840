import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts } from '../../operations/installation/accounts';
import { HOUR, MINUTE, SECOND } from '../../lib/clock';
import { nextWibMidnight } from '../../domain/wib';
import { giveUpAt } from '../support/limits';
import { Running } from '../support/running';
import { describeOnEngines } from '../support/engines';
import { makeTenant, sendMany, type Tenant } from '../support/tenant';
import { frozenClock } from '../support/clock';

describeOnEngines('the send rate', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install(), {}, frozenClock());
  });
  afterAll(() => running.stop());

  const tenant = (name: string, coins: 'free' | 'premium'): Promise<Tenant> => makeTenant(running, name, coins);

  /** Not a jump: hand-offs under way end first, however slow the machine is. */
  const advance = (ms: number): Promise<void> => running.advance(ms);

  // spec: docs/contract.md#send-rate: free account: 10 emails/minute, max 300/day
  it('I8: two free accounts never pass 10 in any 60 s beside a premium one that flows unhindered', async () => {
    const [one, two, premium] = [
      await tenant('satu', 'free'),
      await tenant('dua', 'free'),
      await tenant('besar', 'premium'),
    ];
    const [, , ids] = await Promise.all([sendMany(one, 25), sendMany(two, 25), sendMany(premium, 150)]);
    await Promise.all(ids.map((id) => running.untilStatus(id, 'delivered')));
    expect(await claims(running, premium)).toHaveLength(150);
    for (const free of [one, two]) await untilClaimed(running, free, 10);
    await advance(59 * SECOND);
    for (const free of [one, two]) await untilClaimed(running, free, 10);
    await advance(3 * SECOND);
    for (const free of [one, two]) await untilClaimed(running, free, 20);
    await advance(MINUTE + 2 * SECOND);
    for (const free of [one, two]) await untilClaimed(running, free, 25);
    for (const free of [one, two]) {
      const times = await claims(running, free);
      for (const start of times) {
        expect(times.filter((at) => at >= start && at <= start + MINUTE).length).toBeLessThanOrEqual(10);
      }
    }
  });

  // spec: docs/contract.md#statuses: queued: waiting its turn, also for the send-rate limit
  // spec: docs/contract.md#send-rate: send rate: when full, email waits in the queue
  it('waiting for it leaves a message queued, not rejected', async () => {
    const free = await tenant('tiga', 'free');
    const ids = await sendMany(free, 12);
    await untilClaimed(running, free, 10);
    const statuses = await Promise.all(ids.map(async (id) => (await running.stores.messages.get(id))!.status));
    expect(statuses.filter((status) => status === 'queued')).toHaveLength(2);
    await advance(2 * MINUTE);
    await Promise.all(ids.map((id) => running.untilStatus(id, 'delivered')));
  });

  // spec: docs/contract.md#send-rate: premium: holds valid purchased coins
  it('becomes that of a premium account with a top-up, without a restart', async () => {
    const free = await tenant('lima', 'free');
    const ids = await sendMany(free, 30);
    await untilClaimed(running, free, 10);
    const { engine, keyring, clock } = running.kurir.services;
    await new Accounts({ stores: engine.stores, keyring, clock }).topUp(free.workspaceId, 500, 'lima', null);
    await advance(6 * SECOND);
    await Promise.all(ids.map((id) => running.untilStatus(id, 'delivered')));
  });

  it('becomes that which an operator gives, without a restart, also for a day that was used up', async () => {
    const free = await tenant('tujuh', 'free');
    const ids = await sendMany(free, 30);
    await untilClaimed(running, free, 10);
    const set = (change: { perMinute?: number; perDay?: number }): Promise<unknown> =>
      running.stores.workspaces.setRate(free.workspaceId, change, running.clock.now());
    await set({ perMinute: 5_000, perDay: 20 });
    await advance(6 * SECOND);
    await untilClaimed(running, free, 20);
    await set({ perDay: 300 });
    await advance(6 * SECOND);
    await Promise.all(ids.map((id) => running.untilStatus(id, 'delivered')));
  });

  // spec: docs/contract.md#platform-cap: platform-wide daily cap; the excess goes out the next day (00:00 WIB)
  it('of the platform during warm-up is a cap a WIB day; the excess goes out the next day', async () => {
    const big = await tenant('enam', 'premium');
    const day = new Date(running.clock.now() + 7 * HOUR).toISOString().slice(0, 10);
    const sent = await running.stores.queue.claimsOn(day, null);
    await running.stores.settings.set('warmup_cap', sent + 5);
    await sendMany(big, 8);
    await untilClaimed(running, big, 5);
    await advance(nextWibMidnight(running.clock.now()) - running.clock.now());
    await untilClaimed(running, big, 8);
    await running.stores.settings.set('warmup_cap', null);
  });
});

const claims = (running: Running, of: Tenant): Promise<number[]> =>
  running.stores.queue.recentClaims(of.workspaceId, 0, 10_000);

/** Waits until the workspace has made so many claims, and some time longer for any that should not be. */
async function untilClaimed(running: Running, of: Tenant, count: number): Promise<void> {
  const end = giveUpAt();
  while ((await claims(running, of)).length < count) {
    if (performance.now() > end) throw new Error(`${(await claims(running, of)).length} claims instead of ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await claims(running, of)).toHaveLength(count);
}
