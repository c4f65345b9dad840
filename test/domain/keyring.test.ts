import { describe, expect, test } from '@jest/globals';
import { Keyring } from '../../domain/keyring';

const MASTER = 'a master secret of more than 32 characters';
const keyring = new Keyring(MASTER);
const other = new Keyring(`${MASTER}!`);
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('hashes', () => {
  test('of a credential are the same for the same secret, and 256 bits of hex', () => {
    const hash = keyring.hashCredential('kurir_sk_abc');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(new Keyring(MASTER).hashCredential('kurir_sk_abc')).toBe(hash);
  });

  test('of an address are the same for the same secret, and 128 bits of base64url', () => {
    const hash = keyring.hashAddress('a@example.com');
    expect(hash).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Keyring(MASTER).hashAddress('a@example.com')).toBe(hash);
  });

  test('tell nothing without the master secret: another secret gives another hash', () => {
    expect(other.hashCredential('kurir_sk_abc')).not.toBe(keyring.hashCredential('kurir_sk_abc'));
    expect(other.hashAddress('a@example.com')).not.toBe(keyring.hashAddress('a@example.com'));
  });

  test('for different uses have different keys', () => {
    const hex = (bytes: Buffer): string => bytes.toString('hex');
    const address = hex(Buffer.from(keyring.hashAddress(ID), 'base64url'));
    const all = [keyring.hashCredential(ID), hex(keyring.linkDigest(ID)), hex(keyring.returnPathDigest(ID)), address];
    expect(new Set(all.map((hash) => hash.slice(0, 32))).size).toBe(all.length);
  });

  test('of messages are 32 bytes and differ between messages', () => {
    const next = ID.replace('7', '8');
    expect(keyring.linkDigest(ID)).toHaveLength(32);
    expect(keyring.returnPathDigest(ID)).toHaveLength(32);
    expect(keyring.linkDigest(next)).not.toEqual(keyring.linkDigest(ID));
    expect(keyring.returnPathDigest(next)).not.toEqual(keyring.returnPathDigest(ID));
  });
});

describe('sealed secrets', () => {
  // spec: docs/contract.md#api-keys: keys can be viewed again
  test.each(['kurir_sk_abc', '', 'kunci — 🔑', 'x'.repeat(10_000)])('open again to what was sealed', (plain) => {
    expect(new Keyring(MASTER).open(keyring.seal(plain, 'key:1'), 'key:1')).toBe(plain);
  });

  test('name their key, and never look alike nor show the text', () => {
    const [first, second] = [keyring.seal('kurir_sk_abc', 'key:1'), keyring.seal('kurir_sk_abc', 'key:1')];
    expect(first).toMatch(/^k1\.[A-Za-z0-9_-]+$/);
    expect(second).not.toBe(first);
    expect(Buffer.from(first.slice(3), 'base64url').includes('kurir_sk_abc')).toBe(false);
  });

  test('do not open in another context or under another master secret', () => {
    const sealed = keyring.seal('kurir_sk_abc', 'key:1');
    expect(() => keyring.open(sealed, 'key:2')).toThrow();
    expect(() => other.open(sealed, 'key:1')).toThrow();
  });

  test('do not open when any bit was changed', () => {
    const bytes = Buffer.from(keyring.seal('kurir', 'key:1').slice(3), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
      expect(() => keyring.open(`k1.${changed.toString('base64url')}`, 'key:1')).toThrow();
    }
  });

  test.each(['', 'kurir'])('do not open when cut short anywhere, nor with a shortened tag ("%s")', (plain) => {
    const bytes = Buffer.from(keyring.seal(plain, 'key:1').slice(3), 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(() => keyring.open(`k1.${cut}`, 'key:1')).toThrow();
    }
  });

  test.each(['', 'k1', 'k1.', 'k2.AAAA', '.AAAA'])('"%s" is refused as sealed under an unknown key', (sealed) => {
    expect(() => keyring.open(sealed, 'key:1')).toThrow('sealed under an unknown key');
  });
});
