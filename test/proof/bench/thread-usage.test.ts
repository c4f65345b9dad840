import { describe, expect, test } from '@jest/globals';
import { readThreads, usedBetween } from '../../../proof/bench/thread-usage';

describe('the processor time of threads', () => {
  test('is told of the main thread, the busiest other and all of them', () => {
    const before = new Map([
      [7, 100],
      [8, 10],
      [9, 20],
    ]);
    const after = new Map([
      [7, 150],
      [8, 40],
      [9, 30],
      [10, 5],
    ]);
    expect(usedBetween(before, after, 7)).toEqual({ all: 95, main: 50, next: 30 });
  });

  test('is unknown without /proc', () => {
    expect(readThreads(-1)).toBeNull();
    expect(usedBetween(null, new Map([[7, 1]]), 7).all).toBeNaN();
  });

  (process.platform === 'linux' ? test : test.skip)('is read of a running process', () => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    expect(readThreads(process.pid)?.get(process.pid)).toBeGreaterThan(0);
  });
});
