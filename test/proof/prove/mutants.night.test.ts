import { expect, it } from '@jest/globals';
import { hunt, survivors } from './hunt';

it('the proof shows every safety device that is broken, within 500 seeds that are clean without', async () => {
  const { code, mutants, unclean } = await hunt(null);
  expect(unclean).toEqual([]);
  expect(survivors(mutants)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(30);
  expect(mutants.find(({ name }) => name === 'idempotency-key')?.caught?.rule).toBe('key');
  expect(code).toBe(0);
}, 1_200_000);
