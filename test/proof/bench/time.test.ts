import { expect, test } from '@jest/globals';
import { median, percentile } from '../../../proof/bench/time';

test('the median of an odd and of an even number of values', () => {
  expect(median([5, 1, 9])).toBe(5);
  expect(median([5, 1, 9, 7])).toBe(6);
  expect(median([])).toBeNaN();
});

test('a percentile is the value that so many do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile([7], 0)).toBe(7);
});
