import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { aTask, claim, claimNew, claimOne, idsOf, LEASE, newKind } from './support';

export function describeCancel(open: OpenEngine): void {
  describe('cancel', () => {
    const subject = sharedEngine(open);

    it('ends one task by its id, and answers how many', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([aTask(kind, { id: 'a' }), aTask(kind, { id: 'b' })]);
      expect(await dueTasks.cancel(kind, { id: 'a' })).toBe(1);
      expect(await dueTasks.cancel(kind, { id: 'a' })).toBe(0);
      await subject.crash();
      expect(idsOf(await claim(subject, kind))).toEqual(['b']);
    });

    it('ends a claimed one too: its worker can neither finish it nor make it due again', async () => {
      const held = await claimNew(subject);
      const { dueTasks } = subject.stores;
      expect(await dueTasks.cancel(held.kind, { id: held.id })).toBe(1);
      expect(await dueTasks.finish(held, { dueAt: NOW })).toBe(false);
      expect(await claim(subject, held.kind, { now: NOW + 10 * LEASE })).toEqual([]);
    });

    it('ends a whole lane, of any length, and leaves the others', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      const many = Array.from({ length: 1_100 }, (_, n) => aTask(kind, { lane: 'slow', dueAt: NOW + n }));
      await dueTasks.schedule([...many, aTask(kind, { id: 'other', lane: 'slower' })]);
      await claim(subject, kind, { lane: 'slow' });
      expect(await dueTasks.cancel(kind, { lane: 'slow' })).toBe(1_100);
      expect(await dueTasks.cancel(kind, { lane: 'slow' })).toBe(0);
      expect(idsOf(await claim(subject, kind, { now: NOW + 10 * LEASE }))).toEqual(['other']);
    });

    it('leaves what was given up, which is never deleted', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([aTask(kind, { id: 'a', lane: 'l' })]);
      await dueTasks.giveUp(await claimOne(subject, kind), 'no', NOW);
      expect(await dueTasks.cancel(kind, { id: 'a' })).toBe(0);
      expect(await dueTasks.cancel(kind, { lane: 'l' })).toBe(0);
      expect(idsOf(await dueTasks.givenUp(kind, null, 10))).toEqual(['a']);
    });
  });
}
