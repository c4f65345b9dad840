import { describe, expect, it, jest, afterEach } from '@jest/globals';
import fc from 'fast-check';
import { ByteBudget, type ByteHold } from '../../lib/byte-budget';

afterEach(() => void jest.useRealTimers());

/** Requests, and in which order their results came. */
function requests(budget: ByteBudget) {
  const served: string[] = [];
  const holds = new Map<string, ByteHold>();
  const ask = (name: string, bytes: number): Promise<void> =>
    budget.acquire(bytes).then((hold) => {
      served.push(hold ? name : `${name} refused`);
      if (hold) holds.set(name, hold);
    });
  const release = async (name: string): Promise<void> => {
    holds.get(name)!.release();
    await settled();
  };
  return { served, ask, release };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a byte budget', () => {
  it('serves what fits, and the rest when bytes come back', async () => {
    const budget = new ByteBudget(10);
    const { served, ask, release } = requests(budget);
    void ask('a', 6);
    void ask('b', 6);
    await settled();
    expect({ served, used: budget.used, waiting: budget.waiting }).toEqual({ served: ['a'], used: 6, waiting: 1 });
    await release('a');
    expect({ served, used: budget.used, waiting: budget.waiting }).toEqual({ served: ['a', 'b'], used: 6, waiting: 0 });
  });

  it('lets small requests pass a large one, but only as many bytes as the whole budget', async () => {
    const budget = new ByteBudget(10);
    const { served, ask, release } = requests(budget);
    void ask('first', 6);
    void ask('large', 9);
    for (const name of ['s1', 's2', 's3']) {
      void ask(name, 4);
      await settled();
      if (name !== 's3') await release(name);
    }
    expect(served).toEqual(['first', 's1', 's2']);
    await release('first');
    expect(served).toEqual(['first', 's1', 's2', 'large']);
    await release('large');
    expect(served.at(-1)).toBe('s3');
  });

  it('serves a request larger than the budget alone', async () => {
    const budget = new ByteBudget(10);
    const { served, ask, release } = requests(budget);
    void ask('a', 1);
    void ask('huge', 50);
    void ask('b', 10);
    await settled();
    expect(served).toEqual(['a']);
    await release('a');
    expect({ served, used: budget.used }).toEqual({ served: ['a', 'huge'], used: 50 });
    await release('huge');
    expect(served).toEqual(['a', 'huge', 'b']);
  });

  it('grows a hold while it fits, and a lone one always', async () => {
    const budget = new ByteBudget(10);
    const [one, other] = [budget.open(), budget.open()];
    expect([one.grow(4), other.grow(6), one.grow(1), budget.used]).toEqual([true, true, false, 10]);
    other.release();
    expect([one.grow(96), budget.used, other.grow(1)]).toEqual([true, 100, false]);
    one.release();
    one.release();
    expect(budget.used).toBe(0);
  });

  it('gives up a wait after its timeout, and serves those behind it', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const budget = new ByteBudget(10);
    const first = await budget.acquire(10);
    const late = budget.acquire(10, { timeout: 500 });
    const next = budget.acquire(3);
    jest.advanceTimersByTime(500);
    expect(await late).toBeNull();
    first!.release();
    expect(await next).not.toBeNull();
  });

  it('gives up a wait when its signal aborts', async () => {
    const budget = new ByteBudget(10);
    const first = await budget.acquire(10);
    const caller = new AbortController();
    const aborted = budget.acquire(1, { signal: caller.signal });
    caller.abort();
    expect(await aborted).toBeNull();
    expect(await budget.acquire(1, { signal: caller.signal })).toBeNull();
    first!.release();
    expect(budget.used).toBe(0);
  });

  it('refuses waiting and later requests once it is closed', async () => {
    const budget = new ByteBudget(10);
    const first = await budget.acquire(10);
    const waiting = budget.acquire(1);
    budget.close();
    expect([await waiting, await budget.acquire(1)]).toEqual([null, null]);
    first!.release();
    expect(budget.used).toBe(0);
  });

  it('is never exceeded but by a lone holder, serves everyone, and lets no more than itself pass anyone', async () => {
    const request = fc.record({ bytes: fc.integer({ min: 0, max: 150 }), turns: fc.integer({ min: 1, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        async (all, capacity) => {
          const budget = new ByteBudget(capacity);
          const held = new Set<number>();
          const waiting = new Map<number, number>();
          const use = async ({ bytes, turns }: (typeof all)[number], number: number): Promise<void> => {
            waiting.set(number, 0);
            const hold = await budget.acquire(bytes);
            waiting.delete(number);
            held.add(number);
            for (const [earlier, passed] of waiting) if (earlier < number) waiting.set(earlier, passed + bytes);
            expect(budget.used <= capacity || [...held].filter((n) => all[n]!.bytes > 0).length <= 1).toBe(true);
            expect(Math.max(0, ...waiting.values())).toBeLessThanOrEqual(capacity);
            for (let turn = 0; turn < turns; turn += 1) await settled();
            held.delete(number);
            hold!.release();
          };
          await Promise.all(all.map(use));
          expect({ used: budget.used, waiting: budget.waiting }).toEqual({ used: 0, waiting: 0 });
        },
      ),
      { numRuns: 200 },
    );
  });
});
