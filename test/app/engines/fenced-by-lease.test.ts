import { expect, it } from '@jest/globals';
import { fencedByLease } from '../../../app/engines/fenced-by-lease';
import { UnavailableError } from '../../../lib/errors';
import type { Engine } from '../../../stores/ports/engine';

/** An engine whose one method answers, behind a lease that is current again after so many renewals. */
function fenced(renewalsNeeded: number) {
  let renewals = 0;
  const lease = {
    isCurrent: () => renewals >= renewalsNeeded,
    renewNow: async () => void (renewals += 1),
  };
  const stores = { settings: { get: async () => 'answer' } } as unknown as Engine['stores'];
  const engine = fencedByLease({ stores, close: async () => undefined } as unknown as Engine, lease);
  return { ask: () => engine.stores.settings.get('switches'), renewals: () => renewals };
}

it('costs no renewal while the lease is held', async () => {
  const { ask, renewals } = fenced(0);
  expect([await ask(), renewals()]).toEqual(['answer', 0]);
});

it('renews an expired lease first, again when a renewal from before the freeze came too early', async () => {
  expect(await fenced(1).ask()).toBe('answer');
  expect(await fenced(2).ask()).toBe('answer');
});

it('refuses while the lease cannot be renewed', async () => {
  await expect(fenced(3).ask()).rejects.toThrow(UnavailableError);
});
