import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import type { ShardLease } from '../../../stores/ports/send-queue';
import { acceptMessage, createSender, nextSerial } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { claimRequest, holdShard } from '../claiming';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { atOnce, present } from '../helpers';

/** Leases that are invalid, each in its own way. */
const ZOMBIES: [string, (subject: Subject) => Promise<ShardLease>][] = [
  ['that nobody ever held', async () => ({ name: `shard-${nextSerial()}`, owner: 'owner', epoch: 1 })],
  ['that another owner holds', async (subject) => ({ ...(await holdShard(subject)), owner: 'somebody else' })],
  [
    'of an epoch that is still to come',
    async (subject) => {
      const lease = await holdShard(subject);
      return { ...lease, epoch: lease.epoch + 1 };
    },
  ],
  [
    'that an earlier life of the owner held',
    async (subject) => {
      const lease = await holdShard(subject);
      await subject.stores.leases.acquire(lease.name, lease.owner, NOW, DAY);
      return lease;
    },
  ],
  [
    'that was stolen after it expired',
    async (subject) => {
      const lease = await holdShard(subject);
      present(await subject.stores.leases.acquire(lease.name, 'thief', NOW + 400 * DAY, DAY));
      return lease;
    },
  ],
  [
    'that was released',
    async (subject) => {
      const lease = await holdShard(subject);
      await subject.stores.leases.release(lease.name, lease.owner, lease.epoch);
      return lease;
    },
  ],
];

/** A stale owner can change nothing (docs/architecture.md#pacing-and-claim). */
export function describeFencing(open: OpenEngine): void {
  describe('a claim under a lease', () => {
    const subject = sharedEngine(open);

    it.each(ZOMBIES)('%s is fenced and changes nothing', async (_, zombie) => {
      const sender = await createSender(subject.stores, { coins: 5 });
      const sendable = await acceptMessage(subject.stores, sender);
      const request = claimRequest(await zombie(subject), sender);
      expect(await subject.stores.queue.claim(request)).toEqual({ kind: 'fenced' });
      expect(await subject.stores.messages.get(sendable.id)).toEqual(sendable);
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(5);
    });

    it('that does not hold fails no message that may no longer be sent', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      await subject.stores.workspaces.update(sender.workspace.id, { suspended: true });
      const lease = { ...(await holdShard(subject)), owner: 'somebody else' };
      expect(await subject.stores.queue.claim(claimRequest(lease, sender))).toEqual({ kind: 'fenced' });
      expect(await subject.stores.messages.get(message.id)).toEqual(message);
    });

    it('holds after it was renewed, and the new owner may claim once it was taken over', async () => {
      const sender = await createSender(subject.stores);
      const lease = await holdShard(subject);
      await subject.stores.leases.renew(lease.name, lease.owner, lease.epoch, NOW, 365 * DAY);
      await acceptMessage(subject.stores, sender);
      expect(await subject.stores.queue.claim(claimRequest(lease, sender))).toMatchObject({
        claimed: [expect.any(String)],
      });
      await acceptMessage(subject.stores, sender);
      const now = NOW + 400 * DAY;
      const epoch = present(await subject.stores.leases.acquire(lease.name, 'next', now, DAY));
      const next = claimRequest({ name: lease.name, owner: 'next', epoch }, sender, { now });
      expect(await subject.stores.queue.claim(next)).toMatchObject({ claimed: [expect.any(String)] });
    });

    it('taken over while many claims are under way lets none of the old owner through afterwards', async () => {
      const sender = await createSender(subject.stores);
      await atOnce(20, () => acceptMessage(subject.stores, sender));
      const lease = await holdShard(subject);
      const one = claimRequest(lease, sender, { limit: 1 });
      const underWay = atOnce(10, () => subject.stores.queue.claim(one));
      await subject.stores.leases.acquire(lease.name, lease.owner, NOW, DAY);
      expect(await subject.stores.queue.claim(one)).toEqual({ kind: 'fenced' });
      const claimed = (await underWay).flatMap((result) => (result.kind === 'claimed' ? result.claimed : []));
      expect(new Set(claimed).size).toBe(claimed.length);
      const { total } = await subject.stores.messages.list(sender.workspace.id, {
        status: 'sending',
        offset: 0,
        limit: 1,
      });
      expect(total).toBe(claimed.length);
    });
  });
}
