import type { Lane } from '../../../domain/messages/message';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Pacer } from '../../../consumers/throttle/pacer';
import { Shards } from '../../../consumers/throttle/shards';
import { SECOND } from '../../../lib/clock';
import { UnavailableError } from '../../../lib/errors';
import { faultyEngine } from '../../../stores/wrappers/faulty-engine';
import { Faults } from '../../../stores/wrappers/faults';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, aGrant, createSender } from '../../support/builders';
import { ONE_PARTITION } from '../../../stores/embedded/log/read-rows';

/** As many as the throttle has for a turn. */
const PLACES = { transactional: 50, bulk: 50 };

let opened: OpenedEngine;
afterAll(() => opened.destroy());

describe('a claim whose answer is lost', () => {
  it('counts: a free account gets no second ten in the same minute', async () => {
    opened = await openTemporary();
    const { clock, engine } = opened;
    const faults = new Faults([{ operation: 'queue.claim', nth: 1, fault: { kind: 'error', when: 'after' } }], {
      crash: () => undefined,
      error: (operation) => new UnavailableError(operation),
      pause: async () => undefined,
    });
    const { stores } = faultyEngine(engine, faults);
    const sender = await createSender(engine.stores);
    for (let n = 0; n < 25; n++) await acceptMessage(engine.stores, sender, { facts: { createdAt: clock.now() } });
    const shards = new Shards({ leases: stores.leases, owner: 'embedded', clock, partitions: () => ONE_PARTITION });
    shards.want([0]);
    await shards.maintain();
    const pacer = new Pacer(stores, shards, clock);
    const { id } = sender.workspace;
    const before = shards.leaseOf(id)!;
    await expect(pacer.turn(id, PLACES)).rejects.toThrow(UnavailableError);
    // The next claim is made under a lease that was taken after this one was settled, whatever became of it.
    expect(shards.leaseOf(id)).toBeNull();
    await shards.maintain();
    expect(shards.leaseOf(id)!.epoch).toBeGreaterThan(before.epoch);
    for (let turns = 0; turns < 3; turns++) await pacer.turn(id, PLACES);
    const { items } = await engine.stores.messages.list(id, { status: 'sending', offset: 0, limit: 100 });
    expect(items).toHaveLength(10);
  });
});

describe('a campaign in an account of 1,200 mails a minute', () => {
  let opened: OpenedEngine;
  afterEach(() => opened.destroy());

  /** A premium account with as many mails of a campaign waiting. */
  async function setUp(campaignMails: number) {
    opened = await openTemporary();
    const { clock, engine } = opened;
    const { stores } = engine;
    const sender = await createSender(stores);
    const { id } = sender.workspace;
    await stores.coins.post(aGrant(id, 2_000, { kind: 'topup', purchase: { expiresAt: null } }));
    const shards = new Shards({ leases: stores.leases, owner: 'embedded', clock, partitions: () => ONE_PARTITION });
    shards.want([0]);
    await shards.maintain();
    const pacer = new Pacer(stores, shards, clock);
    const accept = (lane: Lane) => acceptMessage(stores, sender, { facts: { lane, createdAt: clock.now() } });
    for (let n = 0; n < campaignMails; n++) await accept('campaign');
    return { clock, stores, id, shards, pacer, accept };
  }

  it('uses all of the rate, spread over the minute, and transactional mail is claimed at once meanwhile', async () => {
    const { clock, stores, id, shards, pacer, accept } = await setUp(300);
    /** Claims as long as the pacer lets it; when it wants to look again. */
    const claimAll = async (): Promise<{ claimed: number; next: unknown }> => {
      for (let claimed = 0; ;) {
        const turn = await pacer.turn(id, PLACES);
        claimed += turn.claimed;
        if (turn.nextCheck !== 'now') return { claimed, next: turn.nextCheck };
      }
    };
    const start = clock.now();
    const next = { at: start + 3 * SECOND, kind: 'turn' };
    expect(await claimAll()).toEqual({ claimed: 60, next });
    await accept('transactional');
    const { claimed } = await pacer.turn(id, PLACES);
    expect(claimed).toBeGreaterThanOrEqual(1);
    const { items } = await stores.messages.list(id, { status: 'sending', offset: 0, limit: 100 });
    expect(items.filter(({ lane }) => lane === 'transactional')).toHaveLength(1);
    let all = 60 + claimed;
    for (let second = 0; second < 12 && all < 301; second += 3) {
      clock.advance(3 * SECOND);
      await shards.maintain();
      const more = (await claimAll()).claimed;
      expect(more).toBeLessThanOrEqual(60);
      all += more;
    }
    expect(all).toBe(301);
  });

  it('leaves the minute to transactional mail that comes one by one', async () => {
    const { clock, stores, id, shards, pacer, accept } = await setUp(1_200);
    const waiting = async (lane: Lane): Promise<number> => {
      const { items } = await stores.messages.list(id, { status: 'queued', offset: 0, limit: 2_000 });
      return items.filter((message) => message.lane === lane).length;
    };
    for (let tick = 0; tick < 150; tick++) {
      clock.advance(SECOND / 2);
      if (tick % 20 === 0) await shards.maintain();
      await accept('transactional');
      for (let turn = await pacer.turn(id, PLACES); turn.claimed > 0;) turn = await pacer.turn(id, PLACES);
      expect([tick, await waiting('transactional')]).toEqual([tick, 0]);
    }
    // Of the rate of 75 s, which is 1,500, one in ten was transactional.
    const left = await waiting('campaign');
    expect(left).toBeLessThan(50);
  });

  it('has a tenth beside a backlog of transactional mail', async () => {
    const { id, stores, pacer, accept } = await setUp(100);
    for (let n = 0; n < 200; n++) await accept('transactional');
    for (let turns = 0; turns < 4; turns++) expect(await pacer.turn(id, PLACES)).toMatchObject({ claimed: 50 });
    const { items } = await stores.messages.list(id, { status: 'sending', offset: 0, limit: 300 });
    expect(items.filter(({ lane }) => lane === 'campaign').length).toBeGreaterThanOrEqual(20);
    expect(items.filter(({ lane }) => lane === 'campaign').length).toBeLessThanOrEqual(25);
  });
});
