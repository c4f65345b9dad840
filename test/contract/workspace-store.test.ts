import { describe, expect, it } from '@jest/globals';
import { aWorkspace } from '../support/builders';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce, present } from './helpers';

const UNKNOWN = 999_999_999;

/** The WorkspaceStore behaviour required of every driver. */
function describeWorkspaceStore(open: OpenEngine): void {
  describe('WorkspaceStore', () => {
    const subject = sharedEngine(open);
    const create = (overrides = {}) => subject.stores.workspaces.create(aWorkspace(overrides));

    // spec: docs/contract.md#language: kept by both engines
    it('answers a created workspace with every field', async () => {
      const given = aWorkspace({
        name: 'Toko "Melati" 🌼',
        suspended: true,
        emailModule: false,
        businessName: '',
        businessAddress: 'Jl. Melati 1\nBandung',
        trackConversions: true,
        language: 'en',
      });
      const created = await subject.stores.workspaces.create(given);
      expect(created).toEqual({ id: created.id, ...given });
      expect(Number.isSafeInteger(created.id) && created.id > 0).toBe(true);
      expect(await subject.stores.workspaces.get(created.id)).toEqual(created);
    });

    it('gives workspaces created at once ids of their own', async () => {
      const created = await atOnce(20, () => create());
      expect(new Set(created.map(({ id }) => id)).size).toBe(20);
    });

    it('lists all of them ordered by id', async () => {
      const created = [await create(), await create()];
      const ids = (await subject.stores.workspaces.list()).map(({ id }) => id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(ids).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
    });

    it('changes only the fields of the patch', async () => {
      const before = await create();
      const after = { ...before, suspended: true, businessName: 'Toko Mawar' };
      const patch = { suspended: true, businessName: 'Toko Mawar' };
      expect(await subject.stores.workspaces.update(before.id, patch)).toEqual(after);
      expect(await subject.stores.workspaces.get(before.id)).toEqual(after);
      expect(await subject.stores.workspaces.update(before.id, {})).toEqual(after);
    });

    it('keeps both of two patches that are written at once', async () => {
      const { id } = await create();
      const { workspaces } = subject.stores;
      await Promise.all([
        workspaces.update(id, { suspended: true }),
        workspaces.update(id, { emailModule: false }),
        workspaces.update(id, { trackConversions: true }),
      ]);
      const stored = await workspaces.get(id);
      expect(stored).toMatchObject({ suspended: true, emailModule: false, trackConversions: true });
    });

    it('keeps the rates that it was given, each with its time, and what a change leaves out', async () => {
      const { workspaces } = subject.stores;
      const created = await create();
      const first = { since: 1_000, perMinute: 5_000, perDay: null };
      expect(await workspaces.setRate(created.id, { perMinute: 5_000 }, 1_000)).toEqual({ ...created, rates: [first] });
      await workspaces.setRate(created.id, { perDay: 'none' }, 2_000);
      const rates = [first, { since: 2_000, perMinute: 5_000, perDay: 'none' }];
      expect(await workspaces.update(created.id, { suspended: true })).toMatchObject({ rates });
      expect(await workspaces.get(created.id)).toEqual({ ...created, suspended: true, rates });
      await atOnce(5, (n) => workspaces.setRate(created.id, { perDay: n + 1 }, 3_000));
      expect((await workspaces.get(created.id))?.rates).toHaveLength(7);
    });

    it('keeps what it chose for mail in doubt', async () => {
      const { id, unconfirmed } = await create();
      expect(unconfirmed).toBe('fail');
      await subject.stores.workspaces.update(id, { unconfirmed: 'resend' });
      await subject.crash();
      expect(await subject.stores.workspaces.get(id)).toMatchObject({ unconfirmed: 'resend' });
    });

    it('answers null for a workspace that does not exist', async () => {
      expect(await subject.stores.workspaces.get(UNKNOWN)).toBeNull();
      expect(await subject.stores.workspaces.update(UNKNOWN, { suspended: true })).toBeNull();
      expect(await subject.stores.workspaces.setRate(UNKNOWN, { perMinute: 1 }, 0)).toBeNull();
      expect(await subject.stores.workspaces.get(UNKNOWN)).toBeNull();
    });

    it('is not changed through what it answered', async () => {
      const created = await create();
      present(await subject.stores.workspaces.get(created.id)).name = 'changed by the caller';
      expect(await subject.stores.workspaces.get(created.id)).toEqual(created);
    });

    it('keeps what it acknowledged through a crash', async () => {
      const created = await create();
      await subject.stores.workspaces.update(created.id, { suspended: true });
      await subject.crash();
      expect(await subject.stores.workspaces.get(created.id)).toEqual({ ...created, suspended: true });
    });
  });
}

onEveryDriver(describeWorkspaceStore);
