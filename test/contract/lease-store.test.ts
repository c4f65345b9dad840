import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../lib/clock';
import { nextSerial } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce, present } from './helpers';

const TTL = MINUTE;

/** The LeaseStore behaviour required of every driver. */
function describeLeaseStore(open: OpenEngine): void {
  describe('LeaseStore', () => {
    const subject = sharedEngine(open);
    const newName = () => `shard-${nextSerial()}`;
    const acquire = (name: string, owner: string, now = NOW) => subject.stores.leases.acquire(name, owner, now, TTL);
    const renew = (name: string, owner: string, epoch: number, now = NOW) =>
      subject.stores.leases.renew(name, owner, epoch, now, TTL);

    it('is held by one owner until it expires', async () => {
      const name = newName();
      const first = present(await acquire(name, 'a'));
      expect(await acquire(name, 'b', NOW + TTL - 1)).toBeNull();
      const second = present(await acquire(name, 'b', NOW + TTL + 1));
      expect(second).toBeGreaterThan(first);
      expect(await acquire(name, 'a', NOW + TTL + 2)).toBeNull();
    });

    it('has an epoch larger than the one that is given, and goes on from there', async () => {
      const [name, above] = [newName(), 2 ** 32];
      const { leases } = subject.stores;
      const first = present(await acquire(name, 'a'));
      const second = present(await leases.acquire(name, 'a', NOW, TTL, above));
      expect([first, second]).toEqual([1, above + 1]);
      expect([await renew(name, 'a', first), await renew(name, 'a', second)]).toEqual([false, true]);
      expect(await acquire(name, 'b', NOW + TTL + 1)).toBe(above + 2);
      expect(await leases.acquire(newName(), '$b', NOW, TTL, above)).toBe(above + 1);
      expect(await leases.acquire(name, 'b', NOW, TTL, 5)).toBe(above + 3);
    });

    it('is listed by name with its owner, epoch and end, also when it expired or was released', async () => {
      const names = [newName(), newName()].sort();
      const [first = '', second = ''] = names;
      const epoch = present(await acquire(second, 'b', NOW));
      const gone = present(await acquire(first, 'a'));
      await subject.stores.leases.release(first, 'a', gone);
      const listed = (await subject.stores.leases.list()).filter(({ name }) => names.includes(name));
      expect(listed).toEqual([
        { name: first, owner: null, epoch: gone, expiresAt: expect.any(Number) as unknown },
        { name: second, owner: 'b', epoch, expiresAt: NOW + TTL },
      ]);
    });

    it('is gone once its owner removed it, and nobody else can', async () => {
      const name = newName();
      const epoch = present(await acquire(name, 'a'));
      const isListed = async () => (await subject.stores.leases.list()).some((lease) => lease.name === name);
      await subject.stores.leases.remove(name, 'b', epoch);
      await subject.stores.leases.remove(name, 'a', epoch + 1);
      expect(await isListed()).toBe(true);
      await subject.stores.leases.remove(name, 'a', epoch);
      expect(await isListed()).toBe(false);
      expect(await renew(name, 'a', epoch)).toBe(false);
    });

    it('is over once it was retired, also one that nobody took yet: no owner, no renewal, not listed', async () => {
      const { leases } = subject.stores;
      const [held, free] = [newName(), newName()];
      const epoch = present(await acquire(held, 'a'));
      for (const name of [held, free, held]) await leases.retire(name);
      expect(await renew(held, 'a', epoch)).toBe(false);
      const late = NOW + 1_000 * TTL;
      for (const name of [held, free]) {
        expect([await acquire(name, 'a', late), await acquire(name, 'b', late)]).toEqual([null, null]);
      }
      expect((await leases.list()).filter(({ name }) => [held, free].includes(name))).toEqual([]);
    });

    it('goes to exactly one of 50 who want it at once, free or expired', async () => {
      const name = newName();
      const early = await atOnce(50, (index) => acquire(name, `early ${index}`));
      expect(early.filter((epoch) => epoch !== null)).toHaveLength(1);
      const late = await atOnce(50, (index) => acquire(name, `late ${index}`, NOW + TTL + 1));
      expect(late.filter((epoch) => epoch !== null)).toHaveLength(1);
    });

    it('gives an earlier life of the same owner a new epoch at once, and the old one nothing', async () => {
      const name = newName();
      const first = present(await acquire(name, 'a'));
      const second = present(await acquire(name, 'a', NOW + 1));
      expect(second).toBeGreaterThan(first);
      expect(await renew(name, 'a', first, NOW + 2)).toBe(false);
      expect(await renew(name, 'a', second, NOW + 2)).toBe(true);
    });

    it('is prolonged by renewing', async () => {
      const name = newName();
      const epoch = present(await acquire(name, 'a'));
      expect(await renew(name, 'a', epoch, NOW + TTL - 1)).toBe(true);
      expect(await acquire(name, 'b', NOW + TTL + 1)).toBeNull();
      expect(await acquire(name, 'b', NOW + 2 * TTL + 1)).not.toBeNull();
    });

    it('is renewed with others in one call, each for itself', async () => {
      const { leases } = subject.stores;
      const names = [newName(), newName(), newName()];
      const held = await Promise.all(names.map(async (name) => ({ name, epoch: present(await acquire(name, 'a')) })));
      expect(await leases.renewAll(held, 'a', NOW + 1, TTL)).toBe(true);
      expect(await leases.renewAll(held, 'b', NOW + 2, TTL)).toBe(false);
      const stolen = present(await acquire(names[1]!, 'b', NOW + TTL + 1));
      expect(await leases.renewAll(held, 'a', NOW + TTL + 2, TTL)).toBe(false);
      expect(await renew(names[1]!, 'b', stolen, NOW + TTL + 2)).toBe(true);
      for (const name of names) expect(await acquire(name, 'c', NOW + 2 * TTL + 1)).toBeNull();
    });

    it('is not renewed by others, nor by the owner once it was stolen', async () => {
      const name = newName();
      const epoch = present(await acquire(name, 'a'));
      expect(await renew(name, 'b', epoch)).toBe(false);
      const stolen = present(await acquire(name, 'b', NOW + TTL + 1));
      expect(await renew(name, 'a', epoch, NOW + TTL + 2)).toBe(false);
      expect(await renew(name, 'a', stolen, NOW + TTL + 2)).toBe(false);
      expect(await renew(name, 'b', stolen, NOW + TTL + 2)).toBe(true);
      expect(await renew(newName(), 'a', 1)).toBe(false);
    });

    it('is free once released, and never gives an epoch twice', async () => {
      const name = newName();
      const first = present(await acquire(name, 'a'));
      await subject.stores.leases.release(name, 'a', first);
      expect(await renew(name, 'a', first, NOW + 1)).toBe(false);
      const second = present(await acquire(name, 'b', NOW + 1));
      expect(second).toBeGreaterThan(first);
      await subject.stores.leases.release(name, 'b', second);
      expect(present(await acquire(name, 'a', NOW + 2))).toBeGreaterThan(second);
    });

    it('is not released by another owner or under an old epoch', async () => {
      const name = newName();
      const old = present(await acquire(name, 'a'));
      const epoch = present(await acquire(name, 'a'));
      await subject.stores.leases.release(name, 'a', old);
      await subject.stores.leases.release(name, 'b', epoch);
      await subject.stores.leases.release(newName(), 'a', epoch);
      expect(await acquire(name, 'b')).toBeNull();
      expect(await renew(name, 'a', epoch)).toBe(true);
    });

    it('is apart from the leases of other names', async () => {
      const [one, other] = [newName(), newName()];
      await acquire(one, 'a');
      expect(await acquire(other, 'b')).not.toBeNull();
      expect(await acquire(one, 'b')).toBeNull();
    });

    it('is still held after a crash, and its epochs go on growing', async () => {
      const name = newName();
      const epoch = present(await acquire(name, 'a'));
      await subject.crash();
      expect(await acquire(name, 'b', NOW + 1)).toBeNull();
      expect(present(await acquire(name, 'b', NOW + TTL + 1))).toBeGreaterThan(epoch);
    });
  });
}

onEveryDriver(describeLeaseStore);
