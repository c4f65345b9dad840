import { describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { holdInvariants } from './property';

const RUNS = 25;

describe('random operations, faults and report orders on the embedded engine', () => {
  it('I1 to I15 hold, and the audit finds no difference', async () => {
    // A failure names its seed: npm run invariants -- --seed N runs it again.
    const covered = await holdInvariants({ seed: randomInt(2 ** 31), runs: RUNS });
    expect(covered.messages).toBeGreaterThan(RUNS);
    expect(covered.taken).toBeGreaterThan(RUNS / 4);
    expect(covered.crashes).toBeGreaterThan(0);
    expect(covered.webhooks).toBeGreaterThan(RUNS);
  });
});
