import { describe, expect, it } from '@jest/globals';
import { TurnQueue } from '../../lib/turn-queue';

describe('a turn queue', () => {
  it('takes one item of each owner in turn, in the order in which each put them', () => {
    const queue = new TurnQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charCodeAt(0), item);
    const taken = [queue.shift(), queue.shift()];
    queue.push('c'.charCodeAt(0), 'c2');
    queue.push('d'.charCodeAt(0), 'd1');
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item);
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'c2', 'a3']);
  });
});
