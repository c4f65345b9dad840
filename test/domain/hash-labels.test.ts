import { describe, expect, it, test } from '@jest/globals';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { USERS, changeUser, NEW_USER } from '../../operations/people/people';
import { consumeSecondFactor, newSecret, renewRecovery } from '../../operations/people/second-factor';
import { HASH_LABELS, type HashLabel, type OlderLabel } from '../../domain/hash-labels';
import { imageId, olderImageId } from '../../domain/images/image';
import { storedIdempotencyKey } from '../../domain/messages/stored-idempotency-key';
import { KnownNetworks } from '../../operations/workspaces/known-networks';
import { HOUR } from '../../lib/clock';
import { onEveryDriver } from '../contract/drivers';
import { sharedEngine, type OpenEngine } from '../contract/harness';
import { present } from '../contract/helpers';
import { anSmtpLogin, createSender, TEST_KEYRING } from '../support/builders';
import { SAMPLE_PNG } from '../support/images';

const MASTER = 'a master secret for tests only, 32+';
/** What releases hashed with, whatever it was for. */
const before = (text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', MASTER, 'kurir', 'callers-keys', 32)))
    .update(text)
    .digest('base64url');

const LABELS = Object.keys(HASH_LABELS) as HashLabel[];

describe('hashes', () => {
  test.each(['a', '', 'csrf 1', 'recovery a@b.test x'])('of %j are another for each label', (text) => {
    const hex = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex');
    const all = LABELS.map((label) => hex(TEST_KEYRING.hash(label, text)));
    const others = [
      ...[TEST_KEYRING.linkDigest(text), TEST_KEYRING.returnPathDigest(text)].map((digest) => digest.toString('hex')),
      ...[TEST_KEYRING.hashAddress(text), TEST_KEYRING.sealBrowser(text)].map(hex),
      ...[TEST_KEYRING.hashCredential(text), TEST_KEYRING.hashMail([text])],
    ];
    expect(new Set([...all, ...others].map((hash) => hash.slice(0, 32))).size).toBe(LABELS.length + others.length);
  });

  test('need a label of the table: with any text for one this does not compile', () => {
    const label: Exclude<'anything', HashLabel> = 'anything';
    const fresh: Exclude<'csrf-tokens', OlderLabel> = 'csrf-tokens';
    expect(LABELS).not.toContain(label);
    expect(HASH_LABELS[fresh].older).toBe(false);
  });

  // spec: docs/contract.md#idempotency-key: kept for ever
  test('of keys of callers and of the relay are those of every release', () => {
    expect(storedIdempotencyKey(TEST_KEYRING, 'order a@b.test')).toBe(`hash:${before('order a@b.test')}`);
    const key = Buffer.from(hkdfSync('sha256', MASTER, 'kurir', 'callers-keys', 32));
    const mail = createHmac('sha512', key).update('["mail",1]').digest('hex');
    expect(TEST_KEYRING.hashMail(['mail', 1])).toBe(mail);
  });

  test('of images of before have the id that they had', () => {
    const digest = createHash('sha256').update(SAMPLE_PNG).digest('hex');
    const old = Buffer.from(before(`image 7 ${digest}`), 'base64url')
      .toString('hex')
      .slice(0, 32);
    expect(olderImageId(TEST_KEYRING, 7, SAMPLE_PNG)).toBe(old);
    expect(imageId(TEST_KEYRING, 7, SAMPLE_PNG)).not.toBe(old);
  });
});

function describeOlder(open: OpenEngine): void {
  describe('hashes that were stored by releases before', () => {
    const subject = sharedEngine(open);
    const deps = () => ({ records: subject.stores.records, clock: subject.clock, keyring: TEST_KEYRING });

    it('recovery codes work on, once each, and new ones end them', async () => {
      const email = 'siti@toko.example';
      const now = subject.clock.now();
      const codes = ['abcde-fghjk', 'mnpqr-stuvw', 'xyz23-45678'];
      const body = {
        ...NEW_USER,
        createdAt: now,
        totp: { sealed: TEST_KEYRING.seal(newSecret(), `totp ${email}`), last: 0 },
        recovery: codes.map((code) => before(`recovery ${email} ${code.replace('-', '')}`)),
      };
      expect(await subject.stores.records.add(USERS, { id: email, user: email, body }, now)).not.toBeNull();
      const uses = (code: string, of = email) => consumeSecondFactor(deps(), of, code, now);
      const at = await Promise.all(Array.from({ length: 4 }, () => uses('ABCDE FGHJK')));
      expect(at.filter(Boolean)).toEqual([{ by: 'recovery code', left: 2 }]);
      expect(await uses(codes[0]!)).toBeNull();
      expect(await uses('abcde-fghjm')).toBeNull();
      expect(await uses(codes[1]!)).toEqual({ by: 'recovery code', left: 1 });
      // A hash of another use, or of another person, is no code.
      await changeUser(deps(), email, (of) => ({ ...of, recovery: [before(`csrf ${codes[0]}`), ...of.recovery] }));
      expect(await uses(codes[0]!)).toBeNull();
      const [renewed] = present(await renewRecovery(deps(), email));
      expect(await uses(codes[2]!)).toBeNull();
      expect(await uses(renewed!)).toEqual({ by: 'recovery code', left: 9 });
    });

    // spec: docs/contract.md#relay-logins: who logged in from the network is let in
    it('networks of an SMTP login are known on, and are written anew in time', async () => {
      const { stores, clock } = subject;
      const { workspace } = await createSender(stores);
      const { username } = await stores.credentials.createLogin(anSmtpLogin(workspace.id));
      const network = '192.0.2.7';
      const old = before(JSON.stringify(['smtp-network', username, network]));
      await stores.credentials.rememberNetwork(username, old, clock.now());
      const networks = () =>
        new KnownNetworks({
          stores,
          clock,
          keyring: TEST_KEYRING,
          mayAct: () => true,
          logger: { error: () => undefined },
        });
      expect(await networks().isKnown(username, network)).toBe(true);
      expect(await networks().isKnown(username, '192.0.2.8')).toBe(false);
      clock.advance(7 * HOUR);
      await networks().remember(username, network);
      const hash = TEST_KEYRING.hash('smtp-networks', JSON.stringify([username, network]));
      expect(await stores.credentials.networkSeenAt(username, hash)).toBe(clock.now());
    });
  });
}

onEveryDriver(describeOlder);
