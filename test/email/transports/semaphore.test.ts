import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../../../email/transports/deadline';
import { Semaphore } from '../../../email/transports/semaphore';

const deadlines: Deadline[] = [];
afterEach(() => {
  for (const deadline of deadlines.splice(0)) deadline.cancel();
});
function within(ms = 60_000): Deadline {
  const deadline = new Deadline(ms);
  deadlines.push(deadline);
  return deadline;
}
const always = (): boolean => true;

/** A semaphore whose waiters write down, by name, how they fared. */
function semaphoreOf(size: number) {
  const semaphore = new Semaphore<string>(size);
  const answers: string[] = [];
  const ask = (name: string, deadline = within()): void => {
    void semaphore.acquire(name, deadline).then((acquired) => answers.push(`${name} ${acquired}`));
  };
  return { semaphore, answers, ask };
}

describe('the slots of a semaphore', () => {
  it('are given out in the order of asking, and no more than there are', async () => {
    const { semaphore, answers, ask } = semaphoreOf(2);
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    semaphore.release();
    semaphore.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true', 'd true']);
  });

  it('are waited for until the deadline, and not after it', async () => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    ask('a');
    const short = within(5);
    ask('late', short);
    ask('c');
    await sleep(20);
    expect(answers).toEqual(['a true', 'late false']);
    ask('too late', short);
    semaphore.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'late false', 'too late false', 'c true']);
  });

  it('once given leave the deadline to the holder', async () => {
    const { semaphore, ask } = semaphoreOf(1);
    ask('a');
    const deadline = within(15);
    const waiting = semaphore.acquire('b', deadline);
    semaphore.release();
    expect(await waiting).toBe(true);
    const expired = new Promise<string>((resolve) => deadline.onExpire(() => resolve('mine')));
    expect(await expired).toBe('mine');
  });

  it('are all given back before it is closed, and none is given out any more', async () => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    ask('a');
    ask('b');
    let closed = false;
    const closing = semaphore.close().then(() => (closed = true));
    ask('c');
    await sleep(1);
    expect([answers, closed]).toEqual([['a true', 'b false', 'c false'], false]);
    semaphore.release();
    await closing;
    await new Semaphore(1).close();
  });
});

describe('a reservation', () => {
  it('is of the longest waiter, or of none where that one does not suit or there is none', () => {
    const { semaphore, ask } = semaphoreOf(1);
    expect(semaphore.reserveNext(always)).toBeNull();
    for (const name of ['a', 'b', 'c']) ask(name);
    expect(semaphore.reserveNext((name) => name === 'c')).toBeNull();
    expect(semaphore.reserveNext(always)?.value).toBe('b');
    expect(semaphore.reserveNext(always)?.value).toBe('c');
    expect(semaphore.reserveNext(always)).toBeNull();
  });

  it('that is admitted takes over a slot that is in use', async () => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    for (const name of ['a', 'b', 'c']) ask(name);
    semaphore.reserveNext(always)!.admit();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    // One slot, one release.
    semaphore.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true']);
  });

  it('that is requeued has its old place in the queue, and its deadline again', async () => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    ask('a');
    ask('b', within(30));
    ask('c');
    const reservation = semaphore.reserveNext(always)!;
    ask('d');
    reservation.requeue();
    expect(semaphore.reserveNext(always)).toMatchObject({ value: 'b' });
    reservation.requeue();
    await sleep(50);
    expect(answers).toEqual(['a true', 'b false']);
    semaphore.release();
    await sleep(1);
    expect(answers.at(-1)).toBe('c true');
  });

  it('that is requeued has a slot at once where one became free', async () => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    ask('a');
    ask('b');
    const reservation = semaphore.reserveNext(always)!;
    semaphore.release();
    reservation.requeue();
    ask('c');
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    semaphore.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true']);
  });

  it.each(['requeue', 'refuse'] as const)('ends without a slot by %s once it is closed', async (way) => {
    const { semaphore, answers, ask } = semaphoreOf(1);
    ask('a');
    ask('b');
    const reservation = semaphore.reserveNext(always)!;
    const closing = semaphore.close();
    reservation[way]();
    semaphore.release();
    await closing;
    expect(answers).toEqual(['a true', 'b false']);
  });
});
