import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codePointsAtMost } from '../../../schemas/rules/text';
import { anyText } from '../../support/any-text';

describe('codePointsAtMost', () => {
  test('agrees with counting code points, whatever the text', () => {
    fc.assert(
      fc.property(anyText(40), fc.nat(40), (text, max) => {
        expect(codePointsAtMost(text, max)).toBe([...text].length <= max);
      }),
    );
  });

  test('an emoji outside the first plane is one character', () => {
    expect(codePointsAtMost('😀'.repeat(255), 255)).toBe(true);
    expect(codePointsAtMost('😀'.repeat(256), 255)).toBe(false);
  });
});
