import { describe, expect, it } from '@jest/globals';
import type { MessagePoint } from '../../../stores/ports/message-finder';
import { scanMessages } from '../../../stores/shared/scan-messages';

describe('scanMessages', () => {
  it('ends when its time is over, and says where to go on', async () => {
    const asked: (string | undefined)[] = [];
    let now = 1_000;
    const step = (after?: MessagePoint) => {
      asked.push(after?.id);
      now += 25;
      return { items: [], last: { id: String(asked.length), at: asked.length } };
    };
    const found = await scanMessages({ subject: 'x', limit: 10 }, step, () => now);
    expect(asked).toEqual([undefined, '1', '2']);
    expect(found).toEqual({ items: [], next: { id: '3', at: 3 } });
  });
});
