import { describe, expect, it } from '@jest/globals';
import { hintOf } from '../../../domain/addresses/address-hint';

describe('hintOf', () => {
  it.each([
    ['budi@contoh.test', 'b•••@contoh.test'],
    ['bu@contoh.test', 'b•••@contoh.test'],
    ['b@contoh.test', '•••@contoh.test'],
    ['"a@b"@contoh.test', '"•••@contoh.test'],
    ['😀lia@contoh.test', '😀•••@contoh.test'],
  ])('shows of %s only %s', (address, masked) => {
    expect(hintOf(address)).toBe(masked);
  });
});
