import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { aTask, claim, claimNew, claimOne, idsOf, LEASE, newKind } from './support';

/** Tasks of one kind with these ids, all given up. */
async function giveUp(subject: Subject, kind: string, ids: readonly string[]): Promise<void> {
  const { dueTasks } = subject.stores;
  await dueTasks.schedule(ids.map((id) => aTask(kind, { id })));
  for (const held of await claim(subject, kind)) await dueTasks.giveUp(held, `${held.id} refused`, NOW + 3);
}

export function describeGivenUp(open: OpenEngine): void {
  describe('giveUp', () => {
    const subject = sharedEngine(open);

    it('keeps the task with its reason, for good: nobody claims it, and it is due no more', async () => {
      const held = await claimNew(subject, { lane: 'l' });
      const { kind, id, workspaceId, lane, dueAt, payload } = held;
      expect(await subject.stores.dueTasks.giveUp(held, '410 Gone\0', NOW + 3)).toBe(true);
      await subject.crash();
      const { dueTasks } = subject.stores;
      expect(await claim(subject, kind, { now: NOW + 100 * LEASE })).toEqual([]);
      expect(await dueTasks.nextDue(kind)).toBeNull();
      expect(await dueTasks.lanesDue(kind, NOW + 100 * LEASE, null, 10)).toEqual([]);
      expect(await dueTasks.givenUp(kind, null, 10)).toEqual([
        { kind, id, workspaceId, lane, dueAt, payload, attempt: 1, reason: '410 Gone\0', givenUpAt: NOW + 3 },
      ]);
      expect(await dueTasks.finish(held)).toBe(false);
    });

    it('lists what was given up by id, in pages', async () => {
      const kind = newKind();
      await giveUp(subject, kind, ['c', 'a', 'b']);
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([aTask(kind, { id: 'aa' })]);
      expect(idsOf(await dueTasks.givenUp(kind, null, 2))).toEqual(['a', 'b']);
      expect(idsOf(await dueTasks.givenUp(kind, 'b', 2))).toEqual(['c']);
      expect(await dueTasks.givenUp(kind, 'c', 2)).toEqual([]);
      expect(await dueTasks.givenUp(newKind(), null, 2)).toEqual([]);
    });

    it('is driven again: due at the time given, with the attempts made or as many as are said to count', async () => {
      const kind = newKind();
      await giveUp(subject, kind, ['a', 'b']);
      const { dueTasks } = subject.stores;
      expect(await dueTasks.redrive({ kind, id: 'a' }, { dueAt: NOW + 10 })).toBe(true);
      expect(
        await dueTasks.redrive({ kind, id: 'b' }, { dueAt: NOW + 11, attempt: 0, payload: { after: 2, again: true } }),
      ).toBe(true);
      await subject.crash();
      expect(await subject.stores.dueTasks.givenUp(kind, null, 10)).toEqual([]);
      expect(await claim(subject, kind, { now: NOW + 9 })).toEqual([]);
      expect(await claimOne(subject, kind, NOW + 10)).toMatchObject({ id: 'a', attempt: 2, dueAt: NOW + 10 });
      expect(await claimOne(subject, kind, NOW + 11)).toMatchObject({
        id: 'b',
        attempt: 1,
        payload: { after: 2, again: true },
      });
    });

    it('does not drive again what waits, is claimed, or is unknown', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      await dueTasks.schedule([aTask(kind, { id: 'held' })]);
      const held = await claimOne(subject, kind);
      await dueTasks.schedule([aTask(kind, { id: 'waiting' })]);
      for (const id of ['held', 'waiting', 'unknown']) {
        expect(await dueTasks.redrive({ kind, id }, { dueAt: NOW, attempt: 9 })).toBe(false);
      }
      expect(await dueTasks.finish(held)).toBe(true);
      expect(await claim(subject, kind)).toMatchObject([{ id: 'waiting', attempt: 1 }]);
    });
  });
}
