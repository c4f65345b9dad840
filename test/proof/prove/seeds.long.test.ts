import { describe, expect, it } from '@jest/globals';
import { prove } from './run-prove';

describe('the simulated world', () => {
  // spec: docs/contract.md#webhook-delivery: at least once
  it('kills and power losses are part of it, and nothing is lost, doubled or mischarged', async () => {
    const { code, stdout } = await prove('--seed', '100', '--seeds', '6', '--operations', '15', '--json');
    const result = JSON.parse(stdout) as Record<string, never> & { found: unknown[]; broken: unknown[] };
    expect(result.found).toEqual([]);
    expect(result.broken).toEqual([]);
    expect(result['kills']).toBeGreaterThan(3);
    expect(result['simulated_days']).toBeGreaterThan(10);
    // Six seeds are too few to say so.
    expect([result['verdict'], result['bound'], code]).toEqual(['nothing_proven', null, 3]);
  });

  // A wait that a clock cut short, a campaign paused while it was looked at, claims before a clock was set back.
  it.each([3, 62, 110])('seed %i, which told of something once, is clean', async (seed) => {
    const { stdout } = await prove('--seed', String(seed), '--seeds', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'nothing_proven', found: [], broken: [] });
  });
});
