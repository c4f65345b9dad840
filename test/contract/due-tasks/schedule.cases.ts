import { describe, expect, it } from '@jest/globals';
import { TEST_START as NOW } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { atOnce } from '../helpers';
import { aTask, claim, claimOne, idsOf, newKind } from './support';

export function describeSchedule(open: OpenEngine): void {
  describe('schedule', () => {
    const subject = sharedEngine(open);

    it('keeps every field, also over a crash', async () => {
      const kind = newKind();
      const task = aTask(kind, {
        id: 'evt:1/ép 7',
        workspaceId: 7,
        lane: 'endpoint:3',
        payload: { endpoint: 3, message: 'm', last: true, '$set.a': null },
      });
      await subject.stores.dueTasks.schedule([task]);
      await subject.crash();
      expect(await claimOne(subject, kind)).toEqual({ ...task, attempt: 1, token: expect.any(String) as unknown });
    });

    it('names the kinds of which there are tasks, also of those given up, ascending', async () => {
      const [one, other] = [newKind(), newKind()];
      const { dueTasks } = subject.stores;
      const known = async (): Promise<string[]> => (await dueTasks.kinds()).filter((k) => k === one || k === other);
      expect(await known()).toEqual([]);
      await dueTasks.schedule([aTask(other), aTask(one), aTask(one)]);
      for (const task of await claim(subject, one)) await dueTasks.giveUp(task, 'no', NOW);
      expect(await known()).toEqual([one, other].sort());
      expect(await dueTasks.kinds()).toEqual((await dueTasks.kinds()).sort());
      await dueTasks.cancel(other, { lane: '' });
      expect(await known()).toEqual([one]);
    });

    it('makes one task of a kind and id, however often and at once it is asked for; the first one stays', async () => {
      const kind = newKind();
      const first = aTask(kind, { payload: { n: 0 } });
      await subject.stores.dueTasks.schedule([first]);
      await atOnce(20, (n) =>
        subject.stores.dueTasks.schedule([aTask(kind, { id: first.id, dueAt: NOW - 5, payload: { n } })]),
      );
      await atOnce(20, () => subject.stores.dueTasks.schedule([aTask(kind, { id: 'another' })]));
      const claimed = await claim(subject, kind);
      expect(idsOf(claimed).sort()).toEqual(['another', first.id]);
      expect(claimed.find(({ id }) => id === first.id)).toMatchObject({ dueAt: NOW, payload: { n: 0 } });
    });

    it('takes many at once, with some that are there already, and none', async () => {
      const kind = newKind();
      const tasks = Array.from({ length: 40 }, (_, n) => aTask(kind, { id: `n${String(n).padStart(2, '0')}` }));
      await subject.stores.dueTasks.schedule(tasks.slice(10, 20));
      await subject.stores.dueTasks.schedule(tasks);
      await subject.stores.dueTasks.schedule([]);
      expect(idsOf(await claim(subject, kind, { limit: 50 }))).toEqual(idsOf(tasks));
    });

    it('leaves alone what is claimed or given up, and makes a new one of what was finished', async () => {
      const kind = newKind();
      const { dueTasks } = subject.stores;
      const [held, parked, done] = [aTask(kind, { id: 'a' }), aTask(kind, { id: 'b' }), aTask(kind, { id: 'c' })];
      await dueTasks.schedule([held, parked, done]);
      const [, second, third] = await claim(subject, kind);
      await dueTasks.giveUp(second!, 'no', NOW);
      await dueTasks.finish(third!);
      await dueTasks.schedule([held, parked, done]);
      expect(await claim(subject, kind)).toMatchObject([{ id: 'c', attempt: 1 }]);
      expect(idsOf(await dueTasks.givenUp(kind, null, 10))).toEqual(['b']);
    });

    it('keeps kinds apart, also one whose name begins like another', async () => {
      const kind = newKind();
      const other = `${kind}.b`;
      await subject.stores.dueTasks.schedule([aTask(kind, { id: 'x' }), aTask(other, { id: 'x' })]);
      expect(await claim(subject, kind)).toMatchObject([{ kind, id: 'x' }]);
      expect(await claim(subject, other)).toMatchObject([{ kind: other, id: 'x' }]);
    });
  });
}
