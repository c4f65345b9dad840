import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseBytes } from '../../lib/release-bytes';

const LARGE = 200_000_000;

describe('releasing bytes', () => {
  it('gives memory back without a collection', async () => {
    const bytes = Buffer.allocUnsafeSlow(LARGE).fill(1);
    const before = process.memoryUsage.rss();
    releaseBytes([bytes]);
    expect(bytes).toHaveLength(0);
    const given = (): number => before - process.memoryUsage.rss();
    for (let looks = 0; looks < 500 && given() < LARGE / 2; looks += 1) await sleep(10);
    expect(given()).toBeGreaterThan(LARGE / 2);
  });

  it('works over and over, and leaves alone what shares its memory, or is empty', () => {
    const whole = Buffer.allocUnsafeSlow(10).fill(7);
    const part = whole.subarray(2, 5);
    for (let times = 0; times < 1_000; times += 1) releaseBytes([part, Buffer.alloc(0), Buffer.allocUnsafeSlow(1)]);
    expect([whole.length, part.length]).toEqual([10, 3]);
    releaseBytes([whole]);
    expect(part).toHaveLength(0);
  });
});
