import { describe, expect, it } from '@jest/globals';
import { prove } from './run-prove';

describe('the simulated world', () => {
  it('kills and power losses are part of it, and nothing is lost, doubled or mischarged', async () => {
    const { code, stdout } = await prove('--seed', '100', '--seeds', '6', '--operations', '15', '--json');
    const result = JSON.parse(stdout) as Record<string, never> & { found: unknown[]; broken: unknown[] };
    expect(result.found).toEqual([]);
    expect(result.broken).toEqual([]);
    expect(result['kills']).toBeGreaterThan(3);
    expect(result['simulated_days']).toBeGreaterThan(10);
    expect(code).toBe(0);
  });

  it('shows every safety device that is broken, within 200 seeds', async () => {
    const { code, stdout } = await prove('--mutants', '--seed', '1', '--seeds', '200', '--json');
    const { mutants } = JSON.parse(stdout) as { mutants: { name: string; caught: { rule: string } | null }[] };
    expect(mutants.filter(({ caught }) => caught === null).map(({ name }) => name)).toEqual([]);
    expect(mutants.length).toBeGreaterThan(30);
    expect(mutants.find(({ name }) => name === 'idempotency-key')?.caught?.rule).toBe('key');
    expect(code).toBe(0);
  }, 1_200_000);
});
