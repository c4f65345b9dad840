import { describe, expect, it } from '@jest/globals';
import { HOUR } from '../../lib/clock';
import { sleep } from '../../lib/sleep';

const elapsed = async (wait: Promise<void>): Promise<number> => {
  const began = performance.now();
  await wait;
  return performance.now() - began;
};

describe('sleep', () => {
  it('waits as long as it says', async () => {
    expect(await elapsed(sleep(20))).toBeGreaterThan(18);
    expect(await elapsed(sleep(20, new AbortController().signal, false))).toBeGreaterThan(18);
  });

  it('ends when the signal aborts, and at once when it has', async () => {
    const controller = new AbortController();
    const wait = elapsed(sleep(HOUR, controller.signal));
    controller.abort();
    expect(await wait).toBeLessThan(HOUR);
    expect(await elapsed(sleep(HOUR, controller.signal))).toBeLessThan(HOUR);
  });
});
