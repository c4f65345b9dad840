import { expect, test } from '@jest/globals';
import { distance } from '../../lib/edit-distance';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['HTP', 'HTTP', 1],
])('the distance of %j and %j is %d', (from, to, expected) => {
  expect(distance(from, to)).toBe(expected);
});
