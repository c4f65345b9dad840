import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../../../lib/deadline';
import { ConnectionSlots } from '../../../email/transports/connection-slots';

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

/** Slots whose waiters write down, by name, how they fared. */
function slotsOf(size: number) {
  const slots = new ConnectionSlots<string>(size);
  const answers: string[] = [];
  const ask = (name: string, deadline = within()): void => {
    void slots.acquire(name, deadline).then((acquired) => answers.push(`${name} ${acquired}`));
  };
  return { slots, answers, ask };
}

describe('the slots of a pool', () => {
  it('are given out in the order of asking, and no more than there are', async () => {
    const { slots, answers, ask } = slotsOf(2);
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    slots.release();
    slots.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true', 'd true']);
  });

  it('are waited for until the deadline, and not after it', async () => {
    const { slots, answers, ask } = slotsOf(1);
    ask('a');
    const short = within(5);
    ask('late', short);
    ask('c');
    await sleep(20);
    expect(answers).toEqual(['a true', 'late false']);
    ask('too late', short);
    slots.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'late false', 'too late false', 'c true']);
  });

  it('once given leave the deadline to the holder', async () => {
    const { slots, ask } = slotsOf(1);
    ask('a');
    const deadline = within(15);
    const waiting = slots.acquire('b', deadline);
    slots.release();
    expect(await waiting).toBe(true);
    const expired = new Promise<string>((resolve) => deadline.onExpire(() => resolve('mine')));
    expect(await expired).toBe('mine');
  });

  it('are all given back before they are closed, and none is given out any more', async () => {
    const { slots, answers, ask } = slotsOf(1);
    ask('a');
    ask('b');
    let closed = false;
    const closing = slots.close().then(() => (closed = true));
    ask('c');
    await sleep(1);
    expect([answers, closed]).toEqual([['a true', 'b false', 'c false'], false]);
    slots.release();
    await closing;
    await new ConnectionSlots(1).close();
  });
});

describe('a reservation', () => {
  it('is of the longest waiter, or of none where that one does not suit or there is none', () => {
    const { slots, ask } = slotsOf(1);
    expect(slots.reserveNext(always)).toBeNull();
    for (const name of ['a', 'b', 'c']) ask(name);
    expect(slots.reserveNext((name) => name === 'c')).toBeNull();
    expect(slots.reserveNext(always)?.value).toBe('b');
    expect(slots.reserveNext(always)?.value).toBe('c');
    expect(slots.reserveNext(always)).toBeNull();
  });

  it('that is admitted takes over a slot that is in use', async () => {
    const { slots, answers, ask } = slotsOf(1);
    for (const name of ['a', 'b', 'c']) ask(name);
    slots.reserveNext(always)!.admit();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    // One slot, one release.
    slots.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true']);
  });

  it('that is requeued has its old place in the queue, and its deadline again', async () => {
    const { slots, answers, ask } = slotsOf(1);
    ask('a');
    ask('b', within(30));
    ask('c');
    const reservation = slots.reserveNext(always)!;
    ask('d');
    reservation.requeue();
    expect(slots.reserveNext(always)).toMatchObject({ value: 'b' });
    reservation.requeue();
    await sleep(50);
    expect(answers).toEqual(['a true', 'b false']);
    slots.release();
    await sleep(1);
    expect(answers.at(-1)).toBe('c true');
  });

  it('that is requeued has a slot at once where one became free', async () => {
    const { slots, answers, ask } = slotsOf(1);
    ask('a');
    ask('b');
    const reservation = slots.reserveNext(always)!;
    slots.release();
    reservation.requeue();
    ask('c');
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true']);
    slots.release();
    await sleep(1);
    expect(answers).toEqual(['a true', 'b true', 'c true']);
  });

  it.each(['requeue', 'refuse'] as const)('ends without a slot by %s once the slots are closed', async (way) => {
    const { slots, answers, ask } = slotsOf(1);
    ask('a');
    ask('b');
    const reservation = slots.reserveNext(always)!;
    const closing = slots.close();
    reservation[way]();
    slots.release();
    await closing;
    expect(answers).toEqual(['a true', 'b false']);
  });
});
