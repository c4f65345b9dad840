import { expect, test } from '@jest/globals';
import { checkStore } from '../../../operations/doctor/check-store';
import { openTemporary } from '../../contract/embedded/open';
import { TEST_START } from '../../support/clock';

test('the doctor tells a store that takes writes from one that refuses them', async () => {
  const { engine, destroy } = await openTemporary();
  const { leases } = engine.stores;
  expect(await checkStore(leases, TEST_START)).toEqual({ check: 'store', status: 'ok', detail: 'writable' });
  expect((await leases.list()).map(({ owner }) => owner)).toEqual([null]);
  await engine.close();
  expect(await checkStore(leases, TEST_START)).toEqual({
    check: 'store',
    status: 'wrong',
    detail: 'not writable: The data file is closed.',
  });
  await destroy();
});
