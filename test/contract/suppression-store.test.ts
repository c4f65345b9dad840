import { describe, expect, it } from '@jest/globals';
import { SUPPRESSION_REASONS, strongestReason, type SuppressionEntry } from '../../domain/contacts/suppression';
import type { SuppressionQuery } from '../../stores/ports/suppression-store';
import { aSuppression, aWorkspace, messageId } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { atOnce } from './helpers';

const newWorkspace = async (subject: Subject): Promise<number> =>
  (await subject.stores.workspaces.create(aWorkspace())).id;

const ownedBy = (workspaceId: number, reason: SuppressionEntry['reason']): number | null =>
  reason === 'global' ? null : workspaceId;

/** Every page of a list, each checked against its limit. */
async function pages(subject: Subject, workspaceId: number | null, limit: number): Promise<SuppressionEntry[]> {
  const entries: SuppressionEntry[] = [];
  let after: SuppressionEntry | undefined;
  do {
    const page: SuppressionEntry[] = await subject.stores.suppressions.list(workspaceId, limit, after);
    expect(page.length).toBeLessThanOrEqual(limit);
    entries.push(...page);
    after = page.at(-1);
  } while (after);
  return entries;
}

function describeReason(open: OpenEngine): void {
  describe('reason', () => {
    const subject = sharedEngine(open);
    const sets = [
      ['manual', 'hard_bounce', 'complaint', 'global'],
      ['manual', 'hard_bounce', 'complaint'],
      ['hard_bounce', 'manual'],
      ['global', 'manual'],
      ['manual'],
    ] as const;

    it.each(sets.map((reasons) => [reasons.join(', '), reasons] as const))(
      'of %s is the strongest',
      async (_, reasons) => {
        const workspaceId = await newWorkspace(subject);
        const { addressHash } = aSuppression();
        for (const reason of reasons) {
          await subject.stores.suppressions.add(
            aSuppression({ workspaceId: ownedBy(workspaceId, reason), addressHash, reason }),
          );
        }
        expect(await subject.stores.suppressions.reason(workspaceId, addressHash)).toBe(strongestReason(reasons));
      },
    );

    it('is null for an address on no list', async () => {
      expect(
        await subject.stores.suppressions.reason(await newWorkspace(subject), aSuppression().addressHash),
      ).toBeNull();
    });

    it('does not come from the list of another workspace', async () => {
      const entry = aSuppression({ workspaceId: await newWorkspace(subject) });
      await subject.stores.suppressions.add(entry);
      expect(await subject.stores.suppressions.reason(await newWorkspace(subject), entry.addressHash)).toBeNull();
    });

    it('tells hashes apart by case, as base64url needs', async () => {
      const workspaceId = await newWorkspace(subject);
      await subject.stores.suppressions.add(aSuppression({ workspaceId, addressHash: 'aBcDeFgHiJkLmNoPqRsTuV' }));
      expect(await subject.stores.suppressions.reason(workspaceId, 'AbCdEfGhIjKlMnOpQrStUv')).toBeNull();
    });
  });
}

function describeEntries(open: OpenEngine): void {
  describe('entries', () => {
    const subject = sharedEngine(open);

    it('keep the first cause when the same one is added again, also at once', async () => {
      const workspaceId = await newWorkspace(subject);
      const first = aSuppression({ workspaceId, reason: 'hard_bounce', messageId: messageId() });
      await subject.stores.suppressions.add(first);
      const again = (index: number) => ({ ...first, messageId: messageId(), createdAt: TEST_START + 1 + index });
      await atOnce(20, (index) => subject.stores.suppressions.add(again(index)));
      expect(await subject.stores.suppressions.list(workspaceId, 10)).toEqual([first]);
    });

    it('of the global list are one too, however often they are added', async () => {
      const entry = aSuppression({ reason: 'global' });
      await atOnce(5, () => subject.stores.suppressions.add(entry));
      const listed = (await pages(subject, null, 50)).filter(({ addressHash }) => addressHash === entry.addressHash);
      expect(listed).toEqual([entry]);
    });

    it('are listed page by page, each once, and only those of the list asked for', async () => {
      const workspaceId = await newWorkspace(subject);
      const addresses = Array.from({ length: 5 }, () => aSuppression().addressHash);
      const reasons = SUPPRESSION_REASONS.filter((reason) => reason !== 'global');
      const given = addresses.flatMap((addressHash) =>
        reasons.map((reason) => aSuppression({ workspaceId, addressHash, reason })),
      );
      for (const entry of given) await subject.stores.suppressions.add(entry);
      await subject.stores.suppressions.add(aSuppression({ workspaceId: await newWorkspace(subject) }));
      await subject.stores.suppressions.add(aSuppression({ reason: 'global' }));
      const listed = await pages(subject, workspaceId, 4);
      expect(listed).toHaveLength(given.length);
      expect(listed).toEqual(expect.arrayContaining(given));
    });

    it('survive a crash', async () => {
      const entry = aSuppression({ workspaceId: await newWorkspace(subject), reason: 'complaint' });
      await subject.stores.suppressions.add(entry);
      await subject.crash();
      expect(await subject.stores.suppressions.reason(entry.workspaceId ?? 0, entry.addressHash)).toBe('complaint');
    });
  });
}

function describePage(open: OpenEngine): void {
  describe('a page', () => {
    const subject = sharedEngine(open);
    const page = async (workspaceId: number, query: SuppressionQuery) => {
      const { total, items } = await subject.stores.suppressions.page(workspaceId, query);
      return [total, items.map(({ addressHash, reason }) => `${addressHash} ${reason}`)] as const;
    };
    const filled = async (): Promise<{ workspaceId: number; newest: SuppressionEntry[] }> => {
      const workspaceId = await newWorkspace(subject);
      const reasons = ['manual', 'hard_bounce', 'manual', 'complaint', 'hard_bounce'] as const;
      const entries = reasons.map((reason, n) => aSuppression({ workspaceId, reason, createdAt: TEST_START + n }));
      for (const entry of entries) await subject.stores.suppressions.add(entry);
      await subject.stores.suppressions.add(aSuppression({ workspaceId: await newWorkspace(subject) }));
      await subject.stores.suppressions.add(aSuppression({ reason: 'global' }));
      return { workspaceId, newest: entries.reverse() };
    };

    // spec: docs/contract.md#list-of-suppressions: on both engines
    it('is newest first, with the total, and only of the workspace', async () => {
      const { workspaceId, newest } = await filled();
      const named = newest.map(({ addressHash, reason }) => `${addressHash} ${reason}`);
      expect(await page(workspaceId, { offset: 0, limit: 2 })).toEqual([5, named.slice(0, 2)]);
      expect(await page(workspaceId, { offset: 2, limit: 9 })).toEqual([5, named.slice(2)]);
      expect(await page(workspaceId, { offset: 5, limit: 9 })).toEqual([5, []]);
      const whole = await subject.stores.suppressions.page(workspaceId, { offset: 0, limit: 9 });
      expect(whole.items).toEqual(newest);
    });

    it('of one reason has its own total', async () => {
      const { workspaceId, newest } = await filled();
      const hard = newest.filter(({ reason }) => reason === 'hard_bounce').map(({ addressHash }) => addressHash);
      expect(await page(workspaceId, { reason: 'hard_bounce', offset: 1, limit: 9 })).toEqual([
        2,
        [`${hard[1]} hard_bounce`],
      ]);
      expect(await page(workspaceId, { reason: 'complaint', offset: Number.MAX_SAFE_INTEGER, limit: 9 })).toEqual([
        1,
        [],
      ]);
    });
  });
}

function describeRemove(open: OpenEngine): void {
  describe('remove', () => {
    const subject = sharedEngine(open);
    /** An address on every list there is. */
    const everywhere = async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const { addressHash } = aSuppression();
      for (const reason of SUPPRESSION_REASONS) {
        await subject.stores.suppressions.add(
          aSuppression({ workspaceId: ownedBy(ours, reason), addressHash, reason }),
        );
      }
      await subject.stores.suppressions.add(aSuppression({ workspaceId: theirs, addressHash }));
      return { ours, theirs, addressHash };
    };

    it('takes the given reason only', async () => {
      const { ours, addressHash } = await everywhere();
      expect(await subject.stores.suppressions.remove(ours, addressHash, 'complaint')).toBe(1);
      expect(await subject.stores.suppressions.remove(ours, addressHash, 'complaint')).toBe(0);
      const left = (await subject.stores.suppressions.list(ours, 10)).map(({ reason }) => reason);
      expect(left.sort()).toEqual(['hard_bounce', 'manual']);
    });

    it('takes every reason of the workspace, but no global entry and none of others', async () => {
      const { ours, theirs, addressHash } = await everywhere();
      expect(await subject.stores.suppressions.remove(ours, addressHash)).toBe(3);
      expect(await subject.stores.suppressions.list(ours, 10)).toEqual([]);
      expect(await subject.stores.suppressions.reason(ours, addressHash)).toBe('global');
      expect(await subject.stores.suppressions.list(theirs, 10)).toHaveLength(1);
    });

    it('takes a global entry and leaves those of the workspaces', async () => {
      const { ours, addressHash } = await everywhere();
      expect(await subject.stores.suppressions.remove(null, addressHash)).toBe(1);
      expect(await subject.stores.suppressions.reason(ours, addressHash)).toBe('complaint');
    });
  });
}

/** The SuppressionStore behaviour required of every driver. */
function describeSuppressionStore(open: OpenEngine): void {
  describe('SuppressionStore', () => {
    describeReason(open);
    describeEntries(open);
    describePage(open);
    describeRemove(open);
  });
}

onEveryDriver(describeSuppressionStore);
