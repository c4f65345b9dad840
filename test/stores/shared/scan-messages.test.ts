import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../lib/sleep';
import { scanMessages } from '../../../stores/shared/scan-messages';

describe('lookThrough', () => {
  it('ends when its time is over, and says where to go on', async () => {
    const asked: (string | undefined)[] = [];
    const found = await scanMessages({ subject: 'x', limit: 10 }, async (after) => {
      asked.push(after?.id);
      await sleep(25);
      return { items: [], last: { id: String(asked.length), at: asked.length } };
    });
    expect(asked.slice(0, 2)).toEqual([undefined, '1']);
    expect(asked.length).toBeLessThan(5);
    expect(found).toEqual({ items: [], next: { id: String(asked.length), at: asked.length } });
  });
});
