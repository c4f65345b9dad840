import { describe, expect, it, jest, afterEach } from '@jest/globals';
import fc from 'fast-check';
import { ByteBudget, type ByteHold } from '../../lib/byte-budget';

afterEach(() => void jest.useRealTimers());

/** Requests, and in which order their results came. */
function requests(budget: ByteBudget) {
  const served: string[] = [];
  const holds = new Map<string, ByteHold>();
  /** Each for an owner of its own, unless one is named before its number: `a 1` is of `a`. */
  const ask = (name: string, bytes: number): Promise<void> =>
    budget.acquire(name.split(' ', 1)[0]!, bytes).then((hold) => {
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
    const [one, other] = [budget.open('a'), budget.open('b')];
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
    const first = await budget.acquire(`owner ${Math.random()}`, 10);
    const late = budget.acquire(`owner ${Math.random()}`, 10, { timeout: 500 });
    const next = budget.acquire(`owner ${Math.random()}`, 3);
    jest.advanceTimersByTime(500);
    expect(await late).toBeNull();
    first!.release();
    expect(await next).not.toBeNull();
  });

  it('gives up a wait when its signal aborts', async () => {
    const budget = new ByteBudget(10);
    const first = await budget.acquire(`owner ${Math.random()}`, 10);
    const caller = new AbortController();
    const aborted = budget.acquire(`owner ${Math.random()}`, 1, { signal: caller.signal });
    caller.abort();
    expect(await aborted).toBeNull();
    expect(await budget.acquire(`owner ${Math.random()}`, 1, { signal: caller.signal })).toBeNull();
    first!.release();
    expect(budget.used).toBe(0);
  });

  it('refuses waiting and later requests once it is closed', async () => {
    const budget = new ByteBudget(10);
    const first = await budget.acquire(`owner ${Math.random()}`, 10);
    const waiting = budget.acquire(`owner ${Math.random()}`, 1);
    budget.close();
    expect([await waiting, await budget.acquire(`owner ${Math.random()}`, 1)]).toEqual([null, null]);
    first!.release();
    expect(budget.used).toBe(0);
  });

  it('leaves room for the first request of another: an owner has no more than what is still free', async () => {
    const budget = new ByteBudget(12);
    const { served, ask, release } = requests(budget);
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void ask(name, 3);
    await settled();
    expect(served).toEqual(['a 1', 'a 2']);
    void ask('b 1', 3);
    void ask('b 2', 3);
    void ask('c 1', 3);
    await settled();
    expect(served).toEqual(['a 1', 'a 2', 'b 1', 'c 1']);
    await release('c 1');
    // With three free, neither may have more than that.
    expect(served).toEqual(['a 1', 'a 2', 'b 1', 'c 1']);
    await release('a 1');
    await release('a 2');
    expect(served.slice(4)).toEqual(['a 3']);
  });

  it('takes turns among owners, however many requests one of them has put before the others', async () => {
    const budget = new ByteBudget(10);
    const { served, ask, release } = requests(budget);
    for (let n = 1; n <= 5; n += 1) void ask(`a ${n}`, 8);
    for (let n = 1; n <= 2; n += 1) void ask(`b ${n}`, 8);
    await settled();
    for (const name of ['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'a 4', 'a 5']) {
      expect(served.at(-1)).toBe(name);
      await release(name);
    }
  });

  it('lets the only hold of an owner grow as far as there is room, another one no further than its share', () => {
    const budget = new ByteBudget(12);
    const [one, other, foreign] = [budget.open('a'), budget.open('a'), budget.open('b')];
    expect([foreign.grow(1), one.grow(9), other.grow(1)]).toEqual([true, true, false]);
    one.release();
    expect([other.grow(4), budget.used]).toEqual([true, 5]);
  });

  it('forgets an owner who holds nothing and waits for nothing', async () => {
    const budget = new ByteBudget(10);
    const accounts = (budget as unknown as { accounts: Map<string, unknown> }).accounts;
    const hold = await budget.acquire('a', 10);
    void budget.acquire('b', 10, { timeout: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    budget.open('c').release();
    expect([...accounts.keys()]).toEqual(['a']);
    hold!.release();
    expect(accounts.size).toBe(0);
  });

  it('is never exceeded but by a lone holder, keeps shares, serves everyone, and bounds who passes whom', async () => {
    const request = fc.record({
      owner: fc.integer({ min: 1, max: 4 }),
      bytes: fc.integer({ min: 0, max: 150 }),
      turns: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        async (all, capacity) => {
          const budget = new ByteBudget(capacity);
          const held = new Set<number>();
          const bytesOf = (owner: number): number[] =>
            [...held].flatMap((n) => (all[n]!.owner === owner && all[n]!.bytes > 0 ? [all[n]!.bytes] : []));
          const use = async ({ owner, bytes, turns }: (typeof all)[number], number: number): Promise<void> => {
            const hold = await budget.acquire(owner, bytes);
            held.add(number);
            expect(budget.used <= capacity || [...held].filter((n) => all[n]!.bytes > 0).length <= 1).toBe(true);
            const own = bytesOf(owner);
            const sum = own.reduce((total, each) => total + each, 0);
            // What others took since was judged by their own shares.
            expect(own.length <= 1 || sum <= capacity).toBe(true);
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

  it('lets no more than itself pass anyone, where each has one request', async () => {
    const request = fc.record({ bytes: fc.integer({ min: 0, max: 150 }), turns: fc.integer({ min: 1, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        async (all, capacity) => {
          const budget = new ByteBudget(capacity);
          const waiting = new Map<number, number>();
          const use = async ({ bytes, turns }: (typeof all)[number], number: number): Promise<void> => {
            waiting.set(number, 0);
            const hold = await budget.acquire(number, bytes);
            waiting.delete(number);
            for (const [earlier, passed] of waiting) if (earlier < number) waiting.set(earlier, passed + bytes);
            expect(Math.max(0, ...waiting.values())).toBeLessThanOrEqual(capacity);
            for (let turn = 0; turn < turns; turn += 1) await settled();
            hold!.release();
          };
          await Promise.all(all.map(use));
        },
      ),
      { numRuns: 200 },
    );
  });
});
