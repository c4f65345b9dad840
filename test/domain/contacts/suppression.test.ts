import { expect, test } from '@jest/globals';
import { strongestReason } from '../../../domain/contacts/suppression';

test('of several reasons the strongest counts: global, complaint, hard_bounce, manual', () => {
  expect(strongestReason(['manual', 'hard_bounce', 'complaint', 'global'])).toBe('global');
  expect(strongestReason(['manual', 'hard_bounce', 'complaint'])).toBe('complaint');
  expect(strongestReason(['manual', 'hard_bounce'])).toBe('hard_bounce');
  expect(strongestReason(['manual'])).toBe('manual');
});

test('no reason: none', () => {
  expect(strongestReason([])).toBeNull();
});
