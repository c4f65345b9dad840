import { describe, expect, it } from '@jest/globals';
import { bodySetBack, record } from '../../domain/records/record';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';
import { atOnce, inTurn } from './helpers';

const NOW = TEST_START;
const SITI = 'siti@toko.example';

interface Visit {
  seenAt: number;
  agent: string;
}
const VISIT = record<Visit, 'user'>('visit');
const MEMBER = record<{ role: string }, 'user' | 'workspaceId'>('member');
/** Kept for ten milliseconds after it was counted last. */
const COUNT = record<{ count: number; at: number }>('count', {
  expiresAt: ({ at }) => at + 10,
  setBack: bodySetBack((body, now) => (body.at > now ? { ...body, at: now } : null)),
});

const aVisit = (id: string, { user = SITI, expiresAt = null }: { user?: string; expiresAt?: number | null } = {}) => ({
  id,
  user,
  expiresAt,
  body: { seenAt: NOW, agent: 'kurir "tes" 🔑\u0000' },
});
const aMember = (user: string, workspaceId: number) => ({
  id: `${user} ${workspaceId}`,
  user,
  workspaceId,
  body: { role: 'editor' },
});
const more = (by: number, at: number) => (held: { count: number } | null) => ({ count: (held?.count ?? 0) + by, at });
const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);

/** The RecordStore behaviour required of every driver. */
function describeRecordStore(open: OpenEngine): void {
  describe('RecordStore', () => {
    const subject = freshEngine(open);
    const records = () => subject.stores.records;

    it('keeps a record with every field, in version 1', async () => {
      const entry = aVisit('a', { expiresAt: NOW + 1 });
      const kept = { ...entry, kind: 'visit', workspaceId: null, version: 1 };
      expect(await records().add(VISIT, entry, NOW)).toEqual(kept);
      expect(await records().get(VISIT, 'a', NOW)).toEqual(kept);
      expect(await records().get(MEMBER, 'a', NOW)).toBeNull();
      expect(await records().get(VISIT, 'b', NOW)).toBeNull();
    });

    it('gives an id to one of many who want it at once', async () => {
      const added = await atOnce(10, (n) => records().add(VISIT, aVisit('a', { user: `u${n}` }), NOW));
      const [won, ...others] = added.filter((one) => one !== null);
      expect(others).toEqual([]);
      expect(await records().get(VISIT, 'a', NOW)).toEqual(won);
    });

    it('counts what has expired as gone, and gives its id to the next', async () => {
      await records().add(VISIT, aVisit('a', { expiresAt: NOW + 10 }), NOW);
      expect(await records().add(VISIT, aVisit('a', { user: 'other' }), NOW + 9)).toBeNull();
      expect(await records().get(VISIT, 'a', NOW + 9)).not.toBeNull();
      expect(await records().get(VISIT, 'a', NOW + 10)).toBeNull();
      expect(await records().list(VISIT, {}, NOW + 10)).toEqual([]);
      expect(await records().take(VISIT, 'a', NOW + 10)).toBeNull();
      expect(await records().add(VISIT, aVisit('a', { user: 'other' }), NOW + 10)).toMatchObject({ version: 1 });
    });

    it('lists a kind in the order of ids, by user, by workspace, behind an id', async () => {
      await inTurn(3, (n) => records().add(MEMBER, aMember(`${'cab'.charAt(n)}@toko.example`, n % 2), NOW));
      await records().add(VISIT, aVisit('z'), NOW);
      const ids = async (filter: object) => idsOf(await records().list(MEMBER, filter, NOW));
      const all = ['a@toko.example 1', 'b@toko.example 0', 'c@toko.example 0'];
      expect(await ids({})).toEqual(all);
      expect(await ids({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await ids({ after: all[1]! })).toEqual(all.slice(2));
      expect(await ids({ workspaceId: 0 })).toEqual(all.slice(1));
      expect(await ids({ workspaceId: 0, after: all[1]! })).toEqual(all.slice(2));
      expect(await ids({ user: 'b@toko.example' })).toEqual(all.slice(1, 2));
      expect(await ids({ user: 'b@toko.example', workspaceId: 1 })).toEqual([]);
    });

    it('lists what belongs to no workspace, or to no user', async () => {
      const entry = { user: SITI, workspaceId: 0, body: { role: 'editor' } };
      await records().add(MEMBER, { ...entry, id: 'of both' }, NOW);
      await records().add(MEMBER, { ...entry, id: 'of a user', workspaceId: null }, NOW);
      await records().add(MEMBER, { ...entry, id: 'of a workspace', user: null }, NOW);
      await records().add(MEMBER, { ...entry, id: 'of none', user: null, workspaceId: null }, NOW);
      const ids = async (filter: object) => idsOf(await records().list(MEMBER, filter, NOW));
      expect(await ids({ workspaceId: null })).toEqual(['of a user', 'of none']);
      expect(await ids({ user: null })).toEqual(['of a workspace', 'of none']);
      expect(await ids({ user: SITI, workspaceId: null })).toEqual(['of a user']);
      expect(await ids({ user: null, workspaceId: null })).toEqual(['of none']);
    });

    it('lists what begins with a prefix, itself included, and nothing beside it', async () => {
      const all = ['a', 'a ', 'a %', 'a _', 'a a', 'a é', 'a 🔑', 'a\u{10ffff}', 'a!', 'ab', 'b a', 'A a'];
      for (const id of all) await records().add(VISIT, aVisit(id), NOW);
      const ids = async (filter: object) => idsOf(await records().list(VISIT, filter, NOW));
      const within = ['a ', 'a %', 'a _', 'a a', 'a é', 'a 🔑'];
      expect(await ids({ prefix: 'a ' })).toEqual(within);
      expect(await ids({ prefix: 'a ', limit: 2 })).toEqual(within.slice(0, 2));
      expect(await ids({ prefix: 'a ', after: 'a _' })).toEqual(within.slice(3));
      expect(await ids({ prefix: 'a ', after: 'b' })).toEqual([]);
      expect(await ids({ prefix: '' })).toHaveLength(all.length);
    });

    it('lists all of more records than are read at a time', async () => {
      const ids = Array.from({ length: 1_001 }, (_, n) => String(n).padStart(5, '0'));
      await atOnce(ids.length, (n) => records().add(VISIT, aVisit(ids[n]!), NOW));
      expect(idsOf(await records().list(VISIT, {}, NOW))).toEqual(ids);
      expect(idsOf(await records().list(VISIT, { limit: 1_000, after: ids[0]! }, NOW))).toEqual(ids.slice(1));
      expect(idsOf(await records().list(VISIT, { limit: 501 }, NOW))).toEqual(ids.slice(0, 501));
    });

    it('replaces the version that a change was decided on, and no other', async () => {
      const held = (await records().add(VISIT, aVisit('a'), NOW))!;
      const written = { body: { ...held.body, seenAt: NOW + 5 }, expiresAt: NOW + 50 };
      const replaced = await atOnce(5, () => records().replace(VISIT, held, written, NOW));
      expect(replaced.filter((one) => one !== null)).toEqual([{ ...held, ...written, version: 2 }]);
      expect(await records().get(VISIT, 'a', NOW)).toEqual({ ...held, ...written, version: 2 });
      expect(await records().replace(VISIT, { ...held, id: 'b' }, written, NOW)).toBeNull();
      expect(await records().get(VISIT, 'b', NOW)).toBeNull();
      // Its end stays, where none is given and its kind has no rule.
      const next = await records().replace(VISIT, { ...held, ...written, version: 2 }, { body: held.body }, NOW);
      expect(next).toMatchObject({ version: 3, expiresAt: NOW + 50 });
    });

    it('keeps a long body as it was written last', async () => {
      const BODY = record<object, 'workspaceId'>('import');
      const errors = Array.from({ length: 1_000 }, (_, line) => ({
        line,
        reason: 'bukan alamat "é" 🔑',
        $a: { 'b.c': 2 },
      }));
      const entry = { id: 'a', workspaceId: 7, expiresAt: NOW + 50 };
      let held = (await records().add(BODY, { ...entry, body: { total: 2 ** 31 } }, NOW))!;
      for (const body of [{ read: 9, ended: null }, { ended: { ok: true, json: { errors, lines: 1_000 } } }]) {
        held = (await records().replace(BODY, held, { body }, NOW))!;
        expect(await records().get(BODY, 'a', NOW)).toEqual({ ...held, ...entry, body });
      }
    });

    it('counts each of many changes at once, from the first on', async () => {
      await atOnce(12, () => records().change(COUNT, 'a', more(1, NOW), { now: NOW }));
      const kept = await records().get(COUNT, 'a', NOW);
      expect(kept).toMatchObject({ version: 12, user: null, workspaceId: null, body: { count: 12 } });
    });

    it('ends a record by the rule of its kind, at each write', async () => {
      expect(await records().add(COUNT, { id: 'a', body: { count: 1, at: NOW } }, NOW)).toMatchObject({
        expiresAt: NOW + 10,
      });
      const changed = await records().change(COUNT, 'a', more(1, NOW + 9), { now: NOW + 9 });
      expect(changed).toMatchObject({ expiresAt: NOW + 19, version: 2, body: { count: 2 } });
      // What has ended begins again.
      const again = await records().change(COUNT, 'a', more(1, NOW + 19), { now: NOW + 19 });
      expect(again).toMatchObject({ version: 1, body: { count: 1 } });
      const kept = await records().replace(COUNT, again!, { body: again!.body, expiresAt: null }, NOW + 19);
      expect(kept).toMatchObject({ expiresAt: null });
    });

    it('changes nothing when the rule says so, and decides again on what is there', async () => {
      expect(await records().change(COUNT, 'a', () => null, { now: NOW })).toBeNull();
      expect(await records().get(COUNT, 'a', NOW)).toBeNull();
      const known = (await records().add(COUNT, { id: 'a', body: { count: 1, at: NOW } }, NOW))!;
      await records().change(COUNT, 'a', more(5, NOW), { now: NOW, known });
      const seen: (number | null)[] = [];
      const rule = (held: { count: number } | null) => {
        seen.push(held?.count ?? null);
        return more(1, NOW)(held);
      };
      expect(await records().change(COUNT, 'a', rule, { now: NOW, known })).toMatchObject({ body: { count: 7 } });
      expect(seen).toEqual([1, 6]);
    });

    it('writes nothing when the rule returns what it got, and answers with the record that is there', async () => {
      const how = { now: NOW + 5, expiresAt: NOW + 50 };
      const same = <B>(held: B): B => held;
      expect(await records().change(COUNT, 'a', same, how)).toBeNull();
      const first = (await records().add(COUNT, { id: 'a', body: { count: 1, at: NOW } }, NOW))!;
      expect(await records().change(COUNT, 'a', same, how)).toEqual(first);
      expect(await records().change(COUNT, 'a', same, { ...how, known: first })).toEqual(first);
      expect(await records().get(COUNT, 'a', NOW)).toEqual(first);
      // An equal one is written: only the rule knows that nothing has changed.
      const second = await records().change(COUNT, 'a', (held) => held && { ...held }, { now: NOW });
      expect(second).toEqual({ ...first, version: 2 });
      // One that was overtaken decides on what is there.
      const third = (await records().change(COUNT, 'a', more(4, NOW), { now: NOW }))!;
      const atLeast = (held: { count: number; at: number } | null) =>
        held && held.count >= 5 ? held : { count: 5, at: NOW };
      expect(await records().change(COUNT, 'a', atLeast, { now: NOW, known: first })).toEqual(third);
      expect(await records().get(COUNT, 'a', NOW)).toEqual({ ...third, version: 3 });
    });

    it('keeps to whom a record belongs when it is changed', async () => {
      await records().add(MEMBER, aMember(SITI, 1), NOW);
      const more = { user: 'other', workspaceId: 2, now: NOW };
      const changed = await records().change(MEMBER, `${SITI} 1`, () => ({ role: 'owner' }), more);
      expect(changed).toMatchObject({ user: SITI, workspaceId: 1, body: { role: 'owner' } });
      expect(await records().list(MEMBER, { user: SITI }, NOW)).toEqual([changed]);
    });

    it('gives a record to one of many who take it', async () => {
      const kept = await records().add(VISIT, aVisit('a'), NOW);
      const taken = await atOnce(10, () => records().take(VISIT, 'a', NOW));
      expect(taken.filter((entry) => entry !== null)).toEqual([kept]);
      expect(await records().get(VISIT, 'a', NOW)).toBeNull();
    });

    it('removes what belongs to a user, but for one', async () => {
      await inTurn(3, (n) => records().add(VISIT, aVisit(`s${n}`), NOW));
      await records().add(VISIT, aVisit('other', { user: 'budi@toko.example' }), NOW);
      await records().add(MEMBER, aMember(SITI, 1), NOW);
      expect(await records().removeOf(VISIT, SITI, 's1')).toBe(2);
      expect(idsOf(await records().list(VISIT, {}, NOW))).toEqual(['other', 's1']);
      expect(await records().removeOf(VISIT, SITI, null)).toBe(1);
      expect(await records().list(MEMBER, {}, NOW)).toHaveLength(1);
    });

    it('trims what has expired, up to the limit', async () => {
      await inTurn(5, (n) => records().add(VISIT, aVisit(`s${n}`, { expiresAt: n < 3 ? NOW + n : null }), NOW - 10));
      expect(await records().trim(NOW + 1, 1)).toBe(1);
      expect(await records().trim(NOW + 1, 10)).toBe(1);
      expect(await records().trim(NOW + 1, 10)).toBe(0);
      expect(idsOf(await records().list(VISIT, {}, NOW))).toEqual(['s2', 's3', 's4']);
    });

    it('has lost nothing that was acknowledged after a crash', async () => {
      const held = (await records().add(MEMBER, aMember(SITI, 3), NOW))!;
      const changed = await records().replace(MEMBER, held, { body: { role: 'viewer' } }, NOW);
      await subject.crash();
      expect(await records().list(MEMBER, {}, NOW)).toEqual([changed]);
    });
  });
}

onEveryDriver(describeRecordStore);
