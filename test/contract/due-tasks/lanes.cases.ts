import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { aTask, claim, idsOf, LEASE, newKind } from './support';

export function describeLanes(open: OpenEngine): void {
  describe('lanes', () => {
    const subject = sharedEngine(open);

    it('are claimed apart: one with a thousand tasks holds up no other', async () => {
      const kind = newKind();
      const slow = Array.from({ length: 30 }, (_, n) => aTask(kind, { lane: 'slow', dueAt: NOW - 100 + n }));
      await subject.stores.dueTasks.schedule([...slow, aTask(kind, { id: 'good', lane: 'good' })]);
      expect(idsOf(await claim(subject, kind, { lane: 'good' }))).toEqual(['good']);
      expect(idsOf(await claim(subject, kind, { lane: 'slow', limit: 3 }))).toEqual(idsOf(slow.slice(0, 3)));
      expect(await claim(subject, kind, { lane: 'unknown' })).toEqual([]);
    });

    it('with something to claim are listed in order, in pages; others are not', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      const lanes = ['', 'a', 'a', 'b', 'c', 'c'];
      await dueTasks.schedule(lanes.map((lane) => aTask(kind, { lane })));
      await dueTasks.schedule([aTask(kind, { lane: 'aa', dueAt: NOW + 5 })]);
      expect(await dueTasks.lanesDue(kind, NOW, null, 10)).toEqual(['', 'a', 'b', 'c']);
      expect(await dueTasks.lanesDue(kind, NOW, null, 2)).toEqual(['', 'a']);
      expect(await dueTasks.lanesDue(kind, NOW, 'a', 2)).toEqual(['b', 'c']);
      expect(await dueTasks.lanesDue(kind, NOW, '', 1)).toEqual(['a']);
      expect(await dueTasks.lanesDue(kind, NOW, 'c', 2)).toEqual([]);
      expect(await dueTasks.lanesDue(kind, NOW + 5, 'a', 1)).toEqual(['aa']);
      expect(await dueTasks.lanesDue(newKind(), NOW, null, 10)).toEqual([]);
    });

    it('leave the list while all of theirs is claimed, until the leases end', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([aTask(kind, { lane: 'a' }), aTask(kind, { lane: 'b' })]);
      await claim(subject, kind, { lane: 'a' });
      expect(await dueTasks.lanesDue(kind, NOW, null, 10)).toEqual(['b']);
      expect(await dueTasks.lanesDue(kind, NOW + LEASE, null, 10)).toEqual(['a', 'b']);
    });
  });
}
