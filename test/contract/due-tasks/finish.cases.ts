import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { atOnce } from '../helpers';
import { claim, claimNew, claimOne, LEASE } from './support';

export function describeFinish(open: OpenEngine): void {
  describe('finish', () => {
    const subject = sharedEngine(open);

    it('ends a task: it is gone, also after a crash', async () => {
      const held = await claimNew(subject);
      expect(await subject.stores.dueTasks.finish(held)).toBe(true);
      await subject.crash();
      expect(await claim(subject, held.kind, { now: NOW + 10 * LEASE })).toEqual([]);
      expect(await subject.stores.dueTasks.nextDue(held.kind)).toBeNull();
    });

    it('makes it due again at a later time, with its attempts and payload', async () => {
      const held = await claimNew(subject);
      expect(await subject.stores.dueTasks.finish(held, { dueAt: NOW + 30 })).toBe(true);
      await subject.crash();
      expect(await claim(subject, held.kind, { now: NOW + 29 })).toEqual([]);
      const again = await claimOne(subject, held.kind, NOW + 30);
      expect(again).toMatchObject({ dueAt: NOW + 30, attempt: 2, payload: held.payload });
      expect(again.token).not.toBe(held.token);
    });

    it('makes it due again for the next step: another payload, and attempts counted from 1', async () => {
      const held = await claimNew(subject, { payload: { step: 1 } });
      await subject.stores.dueTasks.finish(held, { dueAt: NOW + 1, payload: { after: 2, again: true }, attempt: 0 });
      expect(await claimOne(subject, held.kind, NOW + 1)).toMatchObject({
        payload: { after: 2, again: true },
        attempt: 1,
      });
    });

    it('changes nothing once the task went to another: neither ends it, nor makes it due, nor gives it up', async () => {
      const old = await claimNew(subject);
      const { dueTasks } = subject.stores;
      const held = await claimOne(subject, old.kind, NOW + LEASE);
      expect(await dueTasks.finish(old)).toBe(false);
      expect(await dueTasks.finish(old, { dueAt: NOW })).toBe(false);
      expect(await dueTasks.giveUp(old, 'no', NOW)).toBe(false);
      expect(await claim(subject, old.kind, { now: NOW + LEASE })).toEqual([]);
      expect(await dueTasks.finish(held)).toBe(true);
    });

    it('holds after the end of the lease while nobody else has claimed the task', async () => {
      const held = await claimNew(subject);
      subject.clock.advance(2 * LEASE);
      expect(await subject.stores.dueTasks.finish(held)).toBe(true);
    });

    it('is done by one of several that finish the same claim at once; a repeat answers false', async () => {
      const held = await claimNew(subject);
      const { dueTasks } = subject.stores;
      const ended = await atOnce(10, (n) => dueTasks.finish(held, n % 2 === 0 ? undefined : { dueAt: NOW + 5 }));
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await dueTasks.finish(held)).toBe(false);
      expect(await dueTasks.finish({ ...held, id: 'unknown' })).toBe(false);
    });
  });
}
