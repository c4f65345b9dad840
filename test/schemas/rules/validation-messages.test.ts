import { describe, expect, test } from '@jest/globals';
import { Reason } from '../../../lib/reason';
import { summary } from '../../../schemas/rules/validation-messages';

const [one, two] = [new Reason('one', ['One.', 'Satu.']), new Reason('two', ['Two.', 'Dua.'])];

describe('summary', () => {
  test('a single fault has no suffix', () => {
    expect(summary({ to: [one] })).toBe('One.');
  });

  test('one further message is counted in the singular', () => {
    expect(summary({ to: [one], html: [two] })).toBe('One. (and 1 more error)');
  });

  // spec: docs/contract.md#validation-errors: 422: the suffix that counts further errors
  test('messages are counted, not fields', () => {
    expect(summary({ to: [one, two], html: [two] })).toBe('One. (and 2 more errors)');
  });
});
