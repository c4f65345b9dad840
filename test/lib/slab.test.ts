import { describe, expect, it } from '@jest/globals';
import { Slab } from '../../lib/slab';

describe('Slab', () => {
  it('keeps each value under a number of its own, until it is taken out', () => {
    const slab = new Slab<string>();
    const [a, b, c] = ['a', 'b', 'c'].map((value) => slab.insert(value)) as [number, number, number];
    expect(new Set([a, b, c]).size).toBe(3);
    expect([slab.get(a), slab.remove(b), slab.get(b), slab.get(c)]).toEqual(['a', 'b', undefined, 'c']);
    expect(slab.size).toBe(2);
    expect(slab.values()).toEqual(['a', 'c']);
    expect(slab.entries()).toEqual([
      [a, 'a'],
      [c, 'c'],
    ]);
  });

  it('gives a number again once its value is gone, and only once', () => {
    const slab = new Slab<string>();
    const first = slab.insert('a');
    slab.insert('b');
    expect(slab.remove(first)).toBe('a');
    expect(slab.remove(first)).toBeUndefined();
    expect(slab.remove(99)).toBeUndefined();
    const [again, next] = [slab.insert('c'), slab.insert('d')];
    expect(again).toBe(first);
    expect(next).not.toBe(first);
    expect([slab.size, slab.values().sort()]).toEqual([3, ['b', 'c', 'd']]);
  });

  it('stays as large as what it held at once', () => {
    const slab = new Slab<object>();
    const numbers = Array.from({ length: 1_000 }, () => {
      const number = slab.insert({});
      slab.remove(number);
      return number;
    });
    expect(new Set(numbers)).toEqual(new Set([0]));
    expect(slab.size).toBe(0);
  });
});
