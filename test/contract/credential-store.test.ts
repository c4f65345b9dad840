import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../lib/clock';
import { DuplicateError } from '../../lib/errors';
import { anApiKey, anSmtpLogin, aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { atOnce } from './helpers';

const newWorkspace = async (subject: Subject): Promise<number> =>
  (await subject.stores.workspaces.create(aWorkspace())).id;

function describeKeys(open: OpenEngine): void {
  describe('API keys', () => {
    const subject = sharedEngine(open);

    it('are found by their hash with every field', async () => {
      const given = anApiKey(await newWorkspace(subject), {
        name: 'Kunci "toko" 🔑',
        scopes: ['manage_webhooks', 'send_email', 'manage_contacts'],
      });
      const created = await subject.stores.credentials.createKey(given);
      expect(created).toEqual({ id: created.id, ...given });
      expect(await subject.stores.credentials.findKey(given.hash)).toEqual(created);
    });

    it('keep their own request rate, if they have one', async () => {
      const workspaceId = await newWorkspace(subject);
      const { credentials } = subject.stores;
      const own = await credentials.createKey(anApiKey(workspaceId, { ratePerMinute: 600 }));
      const plain = await credentials.createKey(anApiKey(workspaceId));
      expect((await credentials.findKey(own.hash))?.ratePerMinute).toBe(600);
      expect((await credentials.listKeys(workspaceId)).map(({ ratePerMinute }) => ratePerMinute)).toEqual([600, null]);
      expect((await credentials.findKey(plain.hash))?.ratePerMinute).toBeNull();
    });

    it('are null for a hash nobody has', async () => {
      expect(await subject.stores.credentials.findKey('0'.repeat(64))).toBeNull();
    });

    it('are listed for their workspace only, revoked ones included', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const { credentials } = subject.stores;
      const first = await credentials.createKey(anApiKey(ours));
      const second = await credentials.createKey(anApiKey(ours, { scopes: [] }));
      await credentials.createKey(anApiKey(theirs));
      await credentials.revokeKey(ours, first.id, TEST_START + 1);
      const listed = await credentials.listKeys(ours);
      expect(listed).toHaveLength(2);
      expect(listed).toEqual(expect.arrayContaining([{ ...first, revokedAt: TEST_START + 1 }, second]));
    });

    // spec: docs/contract.md#api-keys: a revoked key is rejected at once
    it('are revoked for every read that begins afterwards', async () => {
      const workspaceId = await newWorkspace(subject);
      const { credentials } = subject.stores;
      const key = await credentials.createKey(anApiKey(workspaceId));
      await credentials.findKey(key.hash);
      expect(await credentials.revokeKey(workspaceId, key.id, TEST_START + 5)).toBe(true);
      const found = await atOnce(10, () => credentials.findKey(key.hash));
      expect(found.map((read) => read?.revokedAt)).toEqual(Array(10).fill(TEST_START + 5));
    });

    it('are revoked once, and keep the first time', async () => {
      const workspaceId = await newWorkspace(subject);
      const { credentials } = subject.stores;
      const key = await credentials.createKey(anApiKey(workspaceId));
      const outcomes = await atOnce(10, () => credentials.revokeKey(workspaceId, key.id, TEST_START + 1));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await credentials.revokeKey(workspaceId, key.id, TEST_START + 9)).toBe(false);
      expect((await credentials.findKey(key.hash))?.revokedAt).toBe(TEST_START + 1);
    });

    it('cannot be revoked by another workspace', async () => {
      const { credentials } = subject.stores;
      const key = await credentials.createKey(anApiKey(await newWorkspace(subject)));
      expect(await credentials.revokeKey(await newWorkspace(subject), key.id, TEST_START)).toBe(false);
      expect((await credentials.findKey(key.hash))?.revokedAt).toBeNull();
    });

    it('stay revoked through a crash', async () => {
      const workspaceId = await newWorkspace(subject);
      const key = await subject.stores.credentials.createKey(anApiKey(workspaceId));
      await subject.stores.credentials.revokeKey(workspaceId, key.id, TEST_START + 1);
      await subject.crash();
      expect(await subject.stores.credentials.findKey(key.hash)).toEqual({ ...key, revokedAt: TEST_START + 1 });
    });
  });
}

function describeLogins(open: OpenEngine): void {
  describe('SMTP logins', () => {
    const subject = sharedEngine(open);

    it('are found by their username with every field', async () => {
      const given = anSmtpLogin(await newWorkspace(subject));
      const created = await subject.stores.credentials.createLogin(given);
      expect(created).toEqual({ id: created.id, ...given });
      expect(await subject.stores.credentials.findLogin(given.username)).toEqual(created);
      expect(await subject.stores.credentials.findLogin('kur999999')).toBeNull();
    });

    it('are listed for their workspace only', async () => {
      const [ours, theirs] = [await newWorkspace(subject), await newWorkspace(subject)];
      const mine = await subject.stores.credentials.createLogin(anSmtpLogin(ours));
      await subject.stores.credentials.createLogin(anSmtpLogin(theirs));
      expect(await subject.stores.credentials.listLogins(ours)).toEqual([mine]);
    });

    it('are refused with DuplicateError when the username is taken, in any workspace', async () => {
      const taken = await subject.stores.credentials.createLogin(anSmtpLogin(await newWorkspace(subject)));
      const other = anSmtpLogin(await newWorkspace(subject), { username: taken.username });
      await expect(subject.stores.credentials.createLogin(other)).rejects.toBeInstanceOf(DuplicateError);
      expect(await subject.stores.credentials.findLogin(taken.username)).toEqual(taken);
    });

    it('have their password replaced for every read that begins afterwards, through a crash too', async () => {
      const { credentials } = subject.stores;
      const login = await credentials.createLogin(anSmtpLogin(await newWorkspace(subject)));
      const other = await credentials.createLogin(anSmtpLogin(login.workspaceId));
      const password = { hash: 'another hash', sealed: 'k1.another' };
      expect(await credentials.setPassword(login.username, password)).toEqual({ ...login, ...password });
      expect(await credentials.findLogin(login.username)).toEqual({ ...login, ...password });
      await subject.crash();
      expect(await subject.stores.credentials.listLogins(login.workspaceId)).toEqual([
        { ...login, ...password },
        other,
      ]);
    });

    it('have no password to replace when nobody has the username', async () => {
      const password = { hash: 'hash', sealed: 'k1.sealed' };
      expect(await subject.stores.credentials.setPassword('kur999998', password)).toBeNull();
    });

    // spec: docs/contract.md#smtp-logins: SMTP username: 3-letter prefix and 6 digits; password 32 characters
    it('go to exactly one of many who want a username at once', async () => {
      const workspaceId = await newWorkspace(subject);
      const { username } = anSmtpLogin(workspaceId);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          subject.stores.credentials.createLogin(anSmtpLogin(workspaceId, { username, hash: `hash ${index}` })),
        ),
      );
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const lost = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(lost.filter((reason) => reason instanceof DuplicateError)).toHaveLength(19);
      expect(await subject.stores.credentials.listLogins(workspaceId)).toEqual(won);
    });
  });
}

function describeNetworks(open: OpenEngine): void {
  describe('networks of an SMTP login', () => {
    const subject = sharedEngine(open);
    const newLogin = async (): Promise<string> =>
      (await subject.stores.credentials.createLogin(anSmtpLogin(await newWorkspace(subject)))).username;

    it('are remembered with the last time, for this login only, through a crash too', async () => {
      const [ours, theirs] = [await newLogin(), await newLogin()];
      const seenAt = (username: string, network: string) => subject.stores.credentials.networkSeenAt(username, network);
      expect(await seenAt(ours, 'one')).toBeNull();
      await subject.stores.credentials.rememberNetwork(ours, 'one', TEST_START);
      await subject.stores.credentials.rememberNetwork(ours, 'one', TEST_START + 2);
      await subject.stores.credentials.rememberNetwork(ours, 'one', TEST_START + 1);
      await subject.crash();
      expect([await seenAt(ours, 'one'), await seenAt(ours, 'two'), await seenAt(theirs, 'one')]).toEqual([
        TEST_START + 2,
        null,
        null,
      ]);
    });

    it('are the latest 50, also when many are written at once', async () => {
      const username = await newLogin();
      const { credentials } = subject.stores;
      await atOnce(60, (n) => credentials.rememberNetwork(username, `network ${n}`, TEST_START + n));
      const seen = await atOnce(60, (n) => credentials.networkSeenAt(username, `network ${n}`));
      expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => (n < 10 ? null : TEST_START + n)));
    });

    it('are forgotten after 30 days, with the next that is remembered', async () => {
      const username = await newLogin();
      const { credentials } = subject.stores;
      await credentials.rememberNetwork(username, 'old', TEST_START);
      await credentials.rememberNetwork(username, 'younger', TEST_START + 1);
      await credentials.rememberNetwork(username, 'new', TEST_START + 30 * DAY);
      const seen = ['old', 'younger', 'new'].map((network) => credentials.networkSeenAt(username, network));
      expect(await Promise.all(seen)).toEqual([null, TEST_START + 1, TEST_START + 30 * DAY]);
    });
  });
}

/** The CredentialStore behaviour required of every driver. */
function describeCredentialStore(open: OpenEngine): void {
  describe('CredentialStore', () => {
    describeKeys(open);
    describeLogins(open);
    describeNetworks(open);
  });
}

onEveryDriver(describeCredentialStore);
