import { describe, expect, it } from '@jest/globals';
import { StartError } from '../../../lib/start-error';
import { untilReachable } from '../../../app/engines/until-reachable';
import { UnavailableError } from '../../../lib/errors';

const server = 'MongoDB at m.example (MONGODB_URL)';
const away = new UnavailableError('MongoDB cannot be used right now: refused\nand more');

/** Work that says "not now" so many times. */
function refusing(times: number): () => Promise<string> {
  let left = times;
  return () => ((left -= 1) < 0 ? Promise.resolve('done') : Promise.reject(away));
}

describe('untilReachable', () => {
  it('tries again after growing waits, says which server, where, why and what to do, and that it is over', async () => {
    const told: (string | null)[] = [];
    const { signal } = new AbortController();
    const onWait = (reason: string | null): void => void told.push(reason);
    expect(await untilReachable({ server, signal, onWait, firstWait: 4 }, refusing(3))).toBe('done');
    const line = (seconds: number): string =>
      `${server} cannot be reached: MongoDB cannot be used right now: refused. Check that it is running and reachable from this machine; trying again in ${seconds} s.`;
    expect(told).toEqual([line(0.004), line(0.008), line(0.016), null]);
  });

  it('does not wait where nobody wants it to: StartError with the same line', async () => {
    const told: (string | null)[] = [];
    const asked = untilReachable({ server, signal: null, onWait: (reason) => void told.push(reason) }, refusing(1));
    await expect(asked).rejects.toThrow(StartError);
    await expect(asked).rejects.toThrow(
      `${server} cannot be reached: MongoDB cannot be used right now: refused. Check that it is running and reachable from this machine.`,
    );
    expect(told).toEqual([]);
  });

  it('ends with StartError as soon as the signal aborts, though the wait is long', async () => {
    const stop = new AbortController();
    const onWait = (reason: string | null): void => {
      if (reason !== null) setImmediate(() => stop.abort());
    };
    const asked = untilReachable({ server, signal: stop.signal, onWait, firstWait: 60_000 }, refusing(9));
    await expect(asked).rejects.toThrow(new StartError(`Stopped while waiting for ${server}.`));
  });

  it('throws any other error at once', async () => {
    const { signal } = new AbortController();
    const broken = (): Promise<never> => Promise.reject(new RangeError('broken'));
    await expect(untilReachable({ server, signal, onWait: () => undefined }, broken)).rejects.toThrow(RangeError);
  });
});
