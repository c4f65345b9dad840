import { describe, expect, it, test } from '@jest/globals';
import { storedIdempotencyKey } from '../../../domain/messages/stored-idempotency-key';
import { TEST_KEYRING } from '../../support/builders';

const kept = (key: string): string => storedIdempotencyKey(TEST_KEYRING, key);

describe('a key of a caller', () => {
  it.each(['order-7', 'Pesanan "7" 🌸', '100%', '%25', 'a=4', ''])('without an address is kept as it is: %j', (key) => {
    expect(kept(key)).toBe(key);
  });

  // spec: docs/contract.md#delete-a-contact: an Idempotency-Key or order_id that holds an address is kept as a hash,
  //   and a repeat stays a repeat
  it.each([
    'budi@contoh.id',
    'order-7-BUDI@contoh.id',
    'budi＠contoh.id',
    'budi%40contoh.id',
    'budi%252540contoh.id',
    'budi=40contoh.id',
    'budi&#64;contoh.id',
    'budi&#X40;contoh.id',
    'budi&commat;contoh.id',
    String.raw`budi\u0040contoh.id`,
  ])('that may hold one is kept as a hash: %s', (key) => {
    expect(kept(key)).toMatch(/^hash:[\w-]{43}$/);
    expect(kept(key)).toBe(kept(key));
  });

  test('two keys that differ in case stay two, and another installation hashes otherwise', () => {
    expect(kept('a@b.id')).not.toBe(kept('A@b.id'));
    expect(kept('a@b.id')).not.toContain(Buffer.from('a@b.id').toString('base64url'));
  });
});
