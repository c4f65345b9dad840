import { describe, expect, it } from '@jest/globals';
import { Backoff } from '../../lib/backoff';

const take = (backoff: Backoff, count: number): number[] => Array.from({ length: count }, () => backoff.next());

describe('Backoff', () => {
  it('doubles from one second to ten unless it is asked otherwise', () => {
    expect(take(new Backoff(), 6)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('grows from the first wait by the factor to the longest', () => {
    expect(take(new Backoff({ first: 5, longest: 100, factor: 3 }), 5)).toEqual([5, 15, 45, 100, 100]);
  });

  it('begins again after a reset', () => {
    const backoff = new Backoff({ first: 1 });
    expect(take(backoff, 3)).toEqual([1, 2, 4]);
    backoff.reset();
    expect(take(backoff, 2)).toEqual([1, 2]);
  });

  it('multiplies each wait by the jitter, which does not slow its growth', () => {
    const jitters = [0.5, 0, 1, 0.25];
    const backoff = new Backoff({ first: 8, longest: 32, jitter: () => jitters.shift()! });
    expect(take(backoff, 4)).toEqual([4, 0, 32, 8]);
  });
});
