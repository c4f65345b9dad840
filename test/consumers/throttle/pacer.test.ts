import { PREMIUM_PER_MINUTE } from '../../../domain/send-rate';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Pacer } from '../../../consumers/throttle/pacer';
import { Shards } from '../../../consumers/throttle/shards';
import { UnavailableError } from '../../../lib/errors';
import { faultyEngine } from '../../../stores/wrappers/faulty-engine';
import { Faults } from '../../../stores/wrappers/faults';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender } from '../../support/builders';

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
    const shards = new Shards({ leases: stores.leases, owner: 'embedded', clock, shardOf: () => 0 });
    shards.want([0]);
    await shards.maintain();
    const pacer = new Pacer(stores, shards, clock, PREMIUM_PER_MINUTE);
    const { id } = sender.workspace;
    const before = shards.leaseOf(id)!;
    await expect(pacer.turn(id, 50)).rejects.toThrow(UnavailableError);
    // The next claim is made under a lease that was taken after this one was settled, whatever became of it.
    expect(shards.leaseOf(id)).toBeNull();
    await shards.maintain();
    expect(shards.leaseOf(id)!.epoch).toBeGreaterThan(before.epoch);
    for (let turns = 0; turns < 3; turns++) await pacer.turn(id, 50);
    const { items } = await engine.stores.messages.list(id, { status: 'sending', offset: 0, limit: 100 });
    expect(items).toHaveLength(10);
  });
});
