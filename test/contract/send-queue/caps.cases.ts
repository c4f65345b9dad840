import { describe, expect, it } from '@jest/globals';
import type { ClaimResult } from '../../../domain/queue/claim';
import { createSender } from '../../support/builders';
import { acceptMany, claim, claimRequest, holdShard, idsOf, newDay } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';

const taken = (results: readonly ClaimResult[]): number =>
  results.reduce((sum, result) => sum + (result.kind === 'claimed' ? result.claimed.length : 0), 0);

function describeWorkspaceCap(open: OpenEngine): void {
  describe("a workspace's day cap", () => {
    const subject = sharedEngine(open);

    it('ends the claim exactly there and leaves the rest queued', async () => {
      const sender = await createSender(subject.stores);
      const accepted = await acceptMany(subject, sender, 4);
      const day = newDay();
      const first = await claim(subject, sender, { day, workspaceDayCap: 3 });
      expect([idsOf(first.claimed), first.stop]).toEqual([idsOf(accepted.slice(0, 3)), 'workspace_day_cap']);
      const again = await claim(subject, sender, { day, workspaceDayCap: 3 });
      expect([again.claimed, again.stop]).toEqual([[], 'workspace_day_cap']);
      expect(await subject.stores.messages.get(at(accepted, 3).id)).toEqual(accepted[3]);
    });

    it('begins anew on another day', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 5);
      const [day, next] = [newDay(), newDay()];
      await claim(subject, sender, { day, workspaceDayCap: 2 });
      expect((await claim(subject, sender, { day: next, workspaceDayCap: 2 })).claimed).toHaveLength(2);
      expect(await subject.stores.queue.claimsOn(day, sender.workspace.id)).toBe(2);
      expect(await subject.stores.queue.claimsOn(next, sender.workspace.id)).toBe(2);
    });

    it('counts what was claimed before it was set, in whatever lane', async () => {
      const sender = await createSender(subject.stores);
      const day = newDay();
      await acceptMany(subject, sender, 2, { facts: { lane: 'campaign' } });
      await claim(subject, sender, { day, lane: 'campaign' });
      await acceptMany(subject, sender, 2);
      const { claimed, stop } = await claim(subject, sender, { day, workspaceDayCap: 3 });
      expect([claimed.length, stop]).toEqual([1, 'workspace_day_cap']);
    });

    it('is not used up by what is refused', async () => {
      const sender = await createSender(subject.stores);
      const day = newDay();
      await acceptMany(subject, sender, 3);
      await subject.stores.workspaces.update(sender.workspace.id, { suspended: true });
      await claim(subject, sender, { day, workspaceDayCap: 5 });
      expect(await subject.stores.queue.claimsOn(day, sender.workspace.id)).toBe(0);
      expect(await subject.stores.queue.claimsOn(day, null)).toBe(0);
    });

    it('holds for claims at once', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 30);
      const lease = await holdShard(subject);
      const request = claimRequest(lease, sender, { day: newDay(), limit: 5, workspaceDayCap: 17 });
      expect(taken(await atOnce(10, () => subject.stores.queue.claim(request)))).toBe(17);
      expect(await subject.stores.queue.claimsOn(request.day, sender.workspace.id)).toBe(17);
    });

    it('holds after a crash', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 3);
      const day = newDay();
      await claim(subject, sender, { day, workspaceDayCap: 2 });
      await subject.crash();
      const again = await claim(subject, sender, { day, workspaceDayCap: 2 });
      expect([again.claimed, again.stop]).toEqual([[], 'workspace_day_cap']);
    });
  });
}

function describePlatformCap(open: OpenEngine): void {
  describe("the platform's day cap", () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#platform-cap: platform-wide daily cap; the excess goes out the next day (00:00 WIB)
    it('counts the claims of all workspaces', async () => {
      const [one, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      await acceptMany(subject, one, 2);
      await acceptMany(subject, other, 3);
      const day = newDay();
      expect(await claim(subject, one, { day, platformDayCap: 4, limit: 2 })).toMatchObject({ stop: 'limit' });
      const { claimed, stop } = await claim(subject, other, { day, platformDayCap: 4 });
      expect([claimed.length, stop]).toEqual([2, 'platform_day_cap']);
      expect(await subject.stores.queue.claimsOn(day, null)).toBe(4);
      expect(await subject.stores.queue.claimsOn(day, other.workspace.id)).toBe(2);
    });

    it('begins anew on another day', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 4);
      await claim(subject, sender, { day: newDay(), platformDayCap: 2 });
      expect((await claim(subject, sender, { day: newDay(), platformDayCap: 1 })).claimed).toHaveLength(1);
    });

    it('of zero stops everything', async () => {
      const sender = await createSender(subject.stores);
      await acceptMany(subject, sender, 1);
      const { claimed, stop } = await claim(subject, sender, { day: newDay(), platformDayCap: 0 });
      expect([claimed, stop]).toEqual([[], 'platform_day_cap']);
    });

    it('holds for claims of many workspaces at once', async () => {
      const senders = await atOnce(4, () => createSender(subject.stores));
      for (const sender of senders) await acceptMany(subject, sender, 12);
      const day = newDay();
      const leases = await atOnce(4, () => holdShard(subject));
      const results = await atOnce(12, (index) =>
        subject.stores.queue.claim(
          claimRequest(at(leases, index % 4), at(senders, index % 4), { day, limit: 4, platformDayCap: 23 }),
        ),
      );
      expect(taken(results)).toBe(23);
      expect(await subject.stores.queue.claimsOn(day, null)).toBe(23);
      const own = await Promise.all(senders.map(({ workspace }) => subject.stores.queue.claimsOn(day, workspace.id)));
      expect(own.reduce((sum, count) => sum + count, 0)).toBe(23);
    });
  });
}

/** Claims a WIB day (I8); the day is handed in. */
export function describeCaps(open: OpenEngine): void {
  describeWorkspaceCap(open);
  describePlatformCap(open);
}
