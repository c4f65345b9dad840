import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../../lib/deadline';

describe('a deadline', () => {
  it('calls the listener set last when it expires, and a later one at once', async () => {
    const calls: string[] = [];
    const deadline = new Deadline(5);
    deadline.onExpire(() => calls.push('first'));
    deadline.onExpire(() => calls.push('second'));
    expect([deadline.expired, calls]).toEqual([false, []]);
    await sleep(20);
    expect([deadline.expired, calls]).toEqual([true, ['second']]);
    deadline.onExpire(() => calls.push('third'));
    expect(calls).toEqual(['second', 'third']);
  });

  it('calls none when there is none any more, or it was cancelled', async () => {
    const calls: string[] = [];
    const [without, cancelled] = [new Deadline(5), new Deadline(5)];
    without.onExpire(() => calls.push('without'));
    without.onExpire(null);
    cancelled.onExpire(() => calls.push('cancelled'));
    cancelled.cancel();
    await sleep(20);
    expect(calls).toEqual([]);
    expect([without.expired, cancelled.expired]).toEqual([true, false]);
  });
});
