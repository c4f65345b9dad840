import { describe, expect, it } from '@jest/globals';
import { Semaphore } from '../../lib/semaphore';

/** Notes the answers of several callers in the order in which they come. */
const noting = (semaphore: Semaphore) => {
  const answers: string[] = [];
  const acquire = (name: string, options?: Parameters<Semaphore['acquire']>[0]): Promise<void> =>
    semaphore.acquire(options).then((acquired) => void answers.push(`${name} ${acquired}`));
  return { answers, acquire };
};

describe('Semaphore', () => {
  it('gives out as many permits as it has, then in the order of asking', async () => {
    const semaphore = new Semaphore(2);
    const { answers, acquire } = noting(semaphore);
    const all = ['a', 'b', 'c', 'd'].map((name) => acquire(name));
    await all[1];
    expect([answers, semaphore.available, semaphore.waiting]).toEqual([['a true', 'b true'], 0, 2]);
    semaphore.release();
    await all[2];
    semaphore.release();
    await Promise.all(all);
    expect(answers).toEqual(['a true', 'b true', 'c true', 'd true']);
    semaphore.release();
    semaphore.release();
    expect(semaphore.available).toBe(2);
  });

  it('does not let a newcomer pass those that wait', async () => {
    const semaphore = new Semaphore(1);
    expect(semaphore.tryAcquire()).toBe(true);
    const waiting = semaphore.acquire();
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(false);
    expect(await waiting).toBe(true);
  });

  it('answers false when the signal aborts or the time is up, and forgets the caller', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const { answers, acquire } = noting(semaphore);
    const controller = new AbortController();
    const all = [acquire('first'), acquire('aborted', { signal: controller.signal }), acquire('late', { timeout: 5 })];
    const last = acquire('last', { timeout: 60_000, signal: new AbortController().signal });
    controller.abort();
    await all[1];
    await all[2];
    await acquire('too late', { signal: controller.signal });
    expect(answers).toEqual(['aborted false', 'late false', 'too late false']);
    semaphore.release();
    await all[0];
    semaphore.release();
    await last;
    expect(answers.slice(3)).toEqual(['first true', 'last true']);
  });

  it('refuses everyone once it is closed, and is done when the permits are back', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const waiting = semaphore.acquire();
    let closed = false;
    const closing = semaphore.close().then(() => (closed = true));
    expect(await waiting).toBe(false);
    expect(await semaphore.acquire()).toBe(false);
    expect([closed, semaphore.tryAcquire()]).toEqual([false, false]);
    semaphore.release();
    await closing;
    await new Semaphore(3).close();
  });

  it('throws when more is given back than was taken', () => {
    expect(() => new Semaphore(1).release()).toThrow('No permit was taken.');
  });
});
