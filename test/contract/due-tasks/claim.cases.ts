import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { atOnce } from '../helpers';
import { aTask, claim, claimNew, claimOne, idsOf, LEASE, newKind } from './support';

export function describeClaim(open: OpenEngine): void {
  describe('claim', () => {
    const subject = sharedEngine(open);

    it('takes what is due and nothing that is not, in due order, then by id, at most `limit`', async () => {
      const kind = newKind();
      const early = [aTask(kind, { id: 'c', dueAt: NOW - 2 }), aTask(kind, { id: 'b', dueAt: NOW - 1 })];
      const later = [aTask(kind, { id: 'z', dueAt: NOW }), aTask(kind, { id: 'a', dueAt: NOW })];
      await subject.stores.dueTasks.schedule([...later, aTask(kind, { dueAt: NOW + 1 }), ...early]);
      expect(await claim(subject, kind, { limit: 0 })).toEqual([]);
      expect(idsOf(await claim(subject, kind, { limit: 2 }))).toEqual(['c', 'b']);
      expect(idsOf(await claim(subject, kind))).toEqual(['a', 'z']);
      expect(await claim(subject, kind)).toEqual([]);
      expect(await claim(subject, newKind())).toEqual([]);
    });

    it('leases: nobody else has it until the lease ends, then it is another attempt with another token', async () => {
      const first = await claimNew(subject);
      expect(first.attempt).toBe(1);
      expect(await claim(subject, first.kind, { now: NOW + LEASE - 1 })).toEqual([]);
      const second = await claimOne(subject, first.kind, NOW + LEASE);
      expect(second).toMatchObject({ id: first.id, attempt: 2, dueAt: NOW });
      expect(second.token).not.toBe(first.token);
    });

    it('counts the attempt at the claim: a worker that died over it has used it up', async () => {
      const { kind } = await claimNew(subject);
      await subject.crash();
      expect(await claim(subject, kind, { now: NOW + 1 })).toEqual([]);
      expect(await claimOne(subject, kind, NOW + LEASE)).toMatchObject({ attempt: 2 });
      await subject.crash();
      expect(await claimOne(subject, kind, NOW + 2 * LEASE)).toMatchObject({ attempt: 3 });
    });

    it('gives each of 40 tasks to one of 20 workers that want them at once', async () => {
      const kind = newKind();
      await subject.stores.dueTasks.schedule(Array.from({ length: 40 }, () => aTask(kind)));
      const claims = await atOnce(20, () => claim(subject, kind, { limit: 5 }));
      const rest = await claim(subject, kind, { limit: 50 });
      const claimed = [...claims.flat(), ...rest];
      expect(claimed).toHaveLength(40);
      expect(new Set(idsOf(claimed)).size).toBe(40);
      expect(claimed.filter(({ attempt }) => attempt !== 1)).toEqual([]);
    });

    it('answers when the next can be claimed: a due time, or the end of a lease', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      expect(await dueTasks.nextDue(kind)).toBeNull();
      await dueTasks.schedule([aTask(kind, { dueAt: NOW + 2 * LEASE }), aTask(kind, { dueAt: NOW - 5 })]);
      expect(await dueTasks.nextDue(kind)).toBe(NOW - 5);
      const held = await claimOne(subject, kind);
      expect(await dueTasks.nextDue(kind)).toBe(NOW + LEASE);
      await dueTasks.finish(held);
      expect(await dueTasks.nextDue(kind)).toBe(NOW + 2 * LEASE);
    });
  });
}
