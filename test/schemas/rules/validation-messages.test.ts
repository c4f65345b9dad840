import { describe, expect, test } from '@jest/globals';
import { summary } from '../../../schemas/rules/validation-messages';

describe('summary', () => {
  test('a single fault has no suffix', () => {
    expect(summary({ to: ['One.'] })).toBe('One.');
  });

  test('one further message is counted in the singular', () => {
    expect(summary({ to: ['One.'], html: ['Two.'] })).toBe('One. (and 1 more error)');
  });

  // spec: docs/contract.md#validation-errors: 422: the suffix that counts further errors
  test('messages are counted, not fields', () => {
    expect(summary({ to: ['One.', 'Two.'], html: ['Three.'] })).toBe('One. (and 2 more errors)');
  });
});
