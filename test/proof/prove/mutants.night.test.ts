import { expect, it } from '@jest/globals';
import { hunt, survivors } from './hunt';

it('the proof shows every safety device that is broken, within 200 seeds', async () => {
  const { code, mutants } = await hunt(null);
  expect(survivors(mutants)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(30);
  expect(mutants.find(({ name }) => name === 'idempotency-key')?.caught?.rule).toBe('key');
  expect(code).toBe(0);
}, 1_200_000);
