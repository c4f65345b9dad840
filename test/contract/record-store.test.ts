import { describe, expect, it } from '@jest/globals';
import type { AdminKeyBody, ImportBody, MembershipBody, SessionBody } from '../../domain/people/records';
import type { NewRecordEntry } from '../../stores/ports/record-store';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';
import { atOnce, inTurn } from './helpers';

const NOW = TEST_START;
const SITI = 'siti@toko.example';

const aSession = (
  id: string,
  { user = SITI, expiresAt = null }: { user?: string; expiresAt?: number | null } = {},
): NewRecordEntry<'session'> => ({
  ...{ kind: 'session', id, user, workspaceId: null, expiresAt },
  body: { createdAt: NOW, seenAt: NOW, by: 'password', address: '127.0.0.1', agent: 'kurir "tes" 🔑\u0000' },
});

const aMembership = (user: string, workspaceId: number): NewRecordEntry<'membership'> => ({
  ...{ kind: 'membership', id: `${user} ${workspaceId}`, user, workspaceId, expiresAt: null },
  body: { role: 'editor', since: NOW },
});

const page = { after: '', limit: 10, now: NOW };

/** The RecordStore behaviour required of every driver. */
function describeRecordStore(open: OpenEngine): void {
  describe('RecordStore', () => {
    const subject = freshEngine(open);
    const records = () => subject.stores.records;

    it('keeps an entry with every field, in version 1', async () => {
      const entry = aSession('a', { expiresAt: NOW + 1 });
      expect(await records().add(entry, NOW)).toBe(true);
      expect(await records().get('session', 'a', NOW)).toEqual({ ...entry, version: 1 });
      expect(await records().get('user', 'a', NOW)).toBeNull();
      expect(await records().get('session', 'b', NOW)).toBeNull();
    });

    it('gives an id to one of many who want it at once', async () => {
      const added = await atOnce(10, (n) => records().add(aSession('a', { user: `u${n}` }), NOW));
      expect(added.filter(Boolean)).toHaveLength(1);
      const kept = await records().get('session', 'a', NOW);
      expect(kept?.user).toBe(`u${added.indexOf(true)}`);
    });

    it('counts what has expired as gone, and gives its id to the next', async () => {
      await records().add(aSession('a', { expiresAt: NOW + 10 }), NOW);
      expect(await records().add(aSession('a', { user: 'other' }), NOW + 9)).toBe(false);
      expect(await records().get('session', 'a', NOW + 9)).not.toBeNull();
      expect(await records().get('session', 'a', NOW + 10)).toBeNull();
      expect(await records().list('session', {}, { ...page, now: NOW + 10 })).toEqual([]);
      expect(await records().take('session', 'a', NOW + 10)).toBeNull();
      expect(await records().add(aSession('a', { user: 'other' }), NOW + 10)).toBe(true);
    });

    it('lists a kind in the order of ids, by user, by workspace, page by page', async () => {
      await inTurn(3, (n) => records().add(aMembership(`${'cab'.charAt(n)}@toko.example`, n % 2), NOW));
      await records().add(aSession('z'), NOW);
      const ids = async (filter: object, of = page) =>
        (await records().list('membership', filter, of)).map(({ id }) => id);
      const all = ['a@toko.example 1', 'b@toko.example 0', 'c@toko.example 0'];
      expect(await ids({})).toEqual(all);
      expect(await ids({}, { ...page, limit: 2 })).toEqual(all.slice(0, 2));
      expect(await ids({}, { ...page, after: all[1]! })).toEqual(all.slice(2));
      expect(await ids({ workspaceId: 0 })).toEqual(all.slice(1));
      expect(await ids({ user: 'b@toko.example' })).toEqual(all.slice(1, 2));
      expect(await ids({ user: 'b@toko.example', workspaceId: 1 })).toEqual([]);
    });

    it('writes a change that was decided on the version that is there, and no other', async () => {
      await records().add(aSession('a'), NOW);
      const body: SessionBody = { ...aSession('a').body, seenAt: NOW + 5 };
      const change = { kind: 'session', id: 'a', version: 1, expiresAt: NOW + 50, body } as const;
      const changed = await atOnce(5, () => records().change(change));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect(await records().get('session', 'a', NOW)).toMatchObject({ version: 2, expiresAt: NOW + 50, body });
      expect(await records().change({ ...change, id: 'b' })).toBe(false);
      expect(await records().get('session', 'b', NOW)).toBeNull();
    });

    it('keeps how far an import is, and its report, as its process wrote it last', async () => {
      const body: ImportBody = {
        ...{ name: 'kontak "1".csv', audience: null, read: 0, total: 2 ** 31, line: 1, saidAt: NOW, ended: null },
      };
      const entry = { kind: 'import', id: 'a', user: null, workspaceId: 7, expiresAt: NOW + 50 } as const;
      await records().add({ ...entry, body }, NOW);
      const errors = Array.from({ length: 1_000 }, (_, line) => ({ line, reason: 'bukan alamat "é" 🔑' }));
      const bodies: ImportBody[] = [
        { ...body, read: 9, line: 3, saidAt: NOW + 1 },
        { ...body, ended: { ok: true, json: { errors, lines: 1_000, created: 0, existing: 0, refused: 1_000 } } },
      ];
      for (const [n, next] of bodies.entries()) {
        expect(await records().change({ ...entry, version: n + 1, body: next })).toBe(true);
        expect(await records().get('import', 'a', NOW)).toEqual({ ...entry, version: n + 2, body: next });
      }
    });

    it('gives an entry to one of many who take it', async () => {
      await records().add(aSession('a'), NOW);
      const taken = await atOnce(10, () => records().take('session', 'a', NOW));
      expect(taken.filter((entry) => entry !== null)).toEqual([{ ...aSession('a'), version: 1 }]);
      expect(await records().get('session', 'a', NOW)).toBeNull();
    });

    it('removes what belongs to a user, but for one', async () => {
      await inTurn(3, (n) => records().add(aSession(`s${n}`), NOW));
      await records().add(aSession('other', { user: 'budi@toko.example' }), NOW);
      await records().add(aMembership(SITI, 1), NOW);
      expect(await records().removeOf('session', SITI, 's1')).toBe(2);
      expect((await records().list('session', {}, page)).map(({ id }) => id)).toEqual(['other', 's1']);
      expect(await records().removeOf('session', SITI, null)).toBe(1);
      const left: MembershipBody | undefined = (await records().list('membership', {}, page))[0]?.body;
      expect(left).toEqual({ role: 'editor', since: NOW });
    });

    it('trims what has expired, up to the limit', async () => {
      await inTurn(5, (n) => records().add(aSession(`s${n}`, { expiresAt: n < 3 ? NOW + n : null }), NOW - 10));
      expect(await records().trim(NOW + 1, 1)).toBe(1);
      expect(await records().trim(NOW + 1, 10)).toBe(1);
      expect(await records().trim(NOW + 1, 10)).toBe(0);
      expect((await records().list('session', {}, page)).map(({ id }) => id)).toEqual(['s2', 's3', 's4']);
    });

    it('has lost nothing that was acknowledged after a crash', async () => {
      const body: AdminKeyBody = { name: 'ci', role: 'viewer', createdAt: NOW, createdBy: SITI, lastUsedAt: null };
      const entry = { kind: 'admin_key', id: 'h', user: null, workspaceId: 3, expiresAt: null, body } as const;
      await records().add(entry, NOW);
      await records().change({
        kind: 'admin_key',
        id: 'h',
        version: 1,
        expiresAt: null,
        body: { ...body, lastUsedAt: 5 },
      });
      await subject.crash();
      expect(await records().list('admin_key', {}, page)).toEqual([
        { ...entry, version: 2, body: { ...body, lastUsedAt: 5 } },
      ]);
    });
  });
}

onEveryDriver(describeRecordStore);
