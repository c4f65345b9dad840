import { describe, expect, it } from '@jest/globals';
import { Shards } from '../../consumers/throttle/shards';
import { shardLease, SHARD_TOPIC } from '../../domain/queue/shards';
import type { Clock } from '../../lib/clock';
import { evenCounts, Partitions } from '../../streams/partitions';
import { AT_ONCE, type WakeupChange } from '../../stores/ports/wakeup-store';
import { aGrant, createSender } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';

const START = { at: -1, workspaceId: 0 };
const END = Number.MAX_SAFE_INTEGER;

/** The WakeupStore behaviour required of every driver. */
function describeLookStore(open: OpenEngine): void {
  describe('WakeupStore', () => {
    const subject = freshEngine(open);
    const note = (workspaceId: number, at: number, more: Partial<WakeupChange> = {}): Promise<void> =>
      subject.stores.wakeups.write([{ workspaceId, shard: 1, epoch: 1, wakeup: { at, kind: 'turn' }, ...more }]);
    const listed = async (shards: readonly number[], after = START, upTo = END, limit = 10) =>
      (await subject.stores.wakeups.list(shards, after, upTo, limit)).map(({ workspaceId, at }) => [workspaceId, at]);

    it('lists the rows of the shards in order of time, then of workspace, and page by page', async () => {
      await subject.stores.wakeups.write(
        [5, 3, 4, 6].map((workspaceId) => ({
          workspaceId,
          shard: workspaceId % 3,
          epoch: 1,
          wakeup: { at: workspaceId === 6 ? NOW - 1 : NOW, kind: 'rate' },
        })),
      );
      expect(await subject.stores.wakeups.list([0, 1, 2], START, END, 2)).toEqual([
        { workspaceId: 6, at: NOW - 1, kind: 'rate' },
        { workspaceId: 3, at: NOW, kind: 'rate' },
      ]);
      const rest = [
        [4, NOW],
        [5, NOW],
      ];
      expect(await listed([0, 1, 2], { at: NOW, workspaceId: 3 })).toEqual(rest);
      expect(await listed([2, 1])).toEqual(rest);
      expect(await listed([0, 1, 2], START, NOW - 1)).toEqual([[6, NOW - 1]]);
      expect([await listed([]), await listed([7]), await listed([0], START, END, 0)]).toEqual([[], [], []]);
    });

    it('has one row a workspace, which each look replaces and its end deletes, also after a crash', async () => {
      await note(3, NOW);
      await note(3, NOW + 5, { wakeup: { at: NOW + 5, kind: 'day' } });
      await note(4, NOW);
      await subject.crash();
      expect(await subject.stores.wakeups.list([1], START, END, 10)).toEqual([
        { workspaceId: 4, at: NOW, kind: 'turn' },
        { workspaceId: 3, at: NOW + 5, kind: 'day' },
      ]);
      await note(4, 0, { wakeup: null });
      await note(9, 0, { wakeup: null });
      expect(await listed([1])).toEqual([[3, NOW + 5]]);
    });

    it('keeps what a later owner of the shard has written, and lets another shard take a row over', async () => {
      await note(3, NOW, { epoch: 2 });
      await subject.stores.wakeups.write([
        { workspaceId: 3, shard: 1, epoch: 1, wakeup: { at: NOW + 9, kind: 'turn' } },
        { workspaceId: 4, shard: 1, epoch: 1, wakeup: { at: NOW + 1, kind: 'turn' } },
        { workspaceId: 3, shard: 1, epoch: 1, wakeup: null },
      ]);
      expect(await listed([1])).toEqual([
        [3, NOW],
        [4, NOW + 1],
      ]);
      await note(3, NOW + 2, { shard: 5 });
      expect([await listed([1]), await listed([5])]).toEqual([[[4, NOW + 1]], [[3, NOW + 2]]]);
    });

    it('takes the rows of an owner whose shard kept its number when the shards became more', async () => {
      const { leases, wakeups } = subject.stores;
      const [before, counts] = [new Partitions(evenCounts(12)), { ...evenCounts(12), [SHARD_TOPIC]: [12, 16] }];
      const partitions = new Partitions(evenCounts(12));
      const shards = new Shards({
        leases,
        owner: 'a',
        clock: { now: () => NOW } as Clock,
        partitions: () => partitions,
      });
      const workspaceId = 2;
      const shard = shards.of(workspaceId);
      const write = (at: number): Promise<void> =>
        wakeups.write([
          { workspaceId, shard, epoch: shards.leaseOf(workspaceId)!.epoch, wakeup: { at, kind: 'turn' } },
        ]);
      for (let owners = 0; owners < 3; owners += 1) {
        await shards.release(shards.yield([shard]));
        shards.want([shard]);
        await shards.maintain();
      }
      await write(NOW);
      partitions.use(counts);
      expect([shards.of(workspaceId), before.of(SHARD_TOPIC, String(workspaceId))]).toEqual([shard, shard]);
      await leases.retire(shardLease(12, shard));
      await shards.maintain(true);
      await write(NOW + 5);
      expect(await listed([shard])).toEqual([[workspaceId, NOW + 5]]);
    });

    it('finds the rows of those that have one', async () => {
      await note(3, NOW);
      await note(4, NOW, { shard: 2 });
      const found = await subject.stores.wakeups.find([2, 3, 4]);
      expect(found.sort((a, b) => a.workspaceId - b.workspaceId)).toEqual([
        { workspaceId: 3, shard: 1, at: NOW },
        { workspaceId: 4, shard: 2, at: NOW },
      ]);
      expect(await subject.stores.wakeups.find([])).toEqual([]);
    });

    it('is asked for a look at once by another rate, where there is a row', async () => {
      const [{ workspace }, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      await note(workspace.id, NOW);
      for (const { id } of [workspace, other.workspace]) {
        await subject.stores.workspaces.setRate(id, { perDay: 1_000 }, NOW);
      }
      expect(await listed([1], START, AT_ONCE)).toEqual([[workspace.id, AT_ONCE]]);
    });

    it('is asked for a look at once by a purchase, where there is a row, and by no other entry', async () => {
      const [{ workspace }, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      await note(workspace.id, NOW);
      await subject.stores.coins.post(aGrant(workspace.id, 5));
      expect(await listed([1])).toEqual([[workspace.id, NOW]]);
      for (const id of [workspace.id, other.workspace.id]) {
        await subject.stores.coins.post(aGrant(id, 5, { kind: 'topup', purchase: { expiresAt: null } }));
      }
      expect(await listed([1], START, AT_ONCE)).toEqual([[workspace.id, AT_ONCE]]);
    });
  });
}

onEveryDriver(describeLookStore);
