import { expect, test } from '@jest/globals';
import { Providers } from '../../../proof/bench/providers';

const LIMITS = { domain: 'satu.test', perMinute: 2, greylistFor: 0, blockAfter: 2, blockFor: 60_000 };
const to = 'ana@satu.test';

test('a provider takes its limit in any minute, and refuses everything after too many refusals', () => {
  const providers = new Providers([LIMITS]);
  const at = (now: number) => providers.refusal(to, now)?.slice(0, 3) ?? 'taken';
  expect([at(0), at(1), at(2)]).toEqual(['taken', 'taken', '450']);
  expect(at(60_000)).toBe('taken');
  expect([at(60_000), at(60_001), at(119_999)]).toEqual(['450', '421', '421']);
  expect(providers.counts).toEqual({ taken: 3, refused: 4, blocks: 1 });
  expect(at(120_001)).toBe('taken');
});

test('a provider defers a stranger, and takes mail to others', () => {
  const providers = new Providers([{ ...LIMITS, greylistFor: 5_000 }]);
  expect(providers.refusal(to, 0)).toMatch(/^451 4.7.1 Greylisted/);
  expect(providers.refusal(to, 5_000)).toBeNull();
  expect(providers.refusal('ana@lain.test', 0)).toBeNull();
});
