import { describe, expect, it } from '@jest/globals';
import { LaneSlots } from '../../../consumers/dispatch/lane-slots';
import type { Lane } from '../../../domain/messages/message';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Slots, and what got one after it had to wait, in order. */
function slotsOf(count: number) {
  const slots = new LaneSlots(count);
  const got: string[] = [];
  const ask = (lane: Lane, name: string): void => {
    void slots.acquire(lane).then((acquired) => got.push(acquired ? name : `${name} refused`));
  };
  return { slots, got, ask };
}

describe('the slots of mails in hand', () => {
  it('are dealt 8:1:1 while all lanes wait, in the order of coming within a lane', async () => {
    const { slots, got, ask } = slotsOf(1);
    slots.tryAcquire('transactional');
    for (let n = 0; n < 20; n += 1)
      for (const lane of ['campaign', 'journey', 'transactional'] as const) ask(lane, `${lane}${n}`);
    let last: Lane = 'transactional';
    for (let n = 0; n < 20; n += 1) {
      slots.release(last);
      await settled();
      last = got.at(-1)!.replace(/\d+/, '') as Lane;
    }
    const of = (lane: string): string[] => got.filter((name) => name.startsWith(lane));
    expect(of('campaign')).toEqual(['campaign0', 'campaign1']);
    expect(of('journey')).toEqual(['journey0', 'journey1']);
    expect(of('transactional')).toEqual(Array.from({ length: 16 }, (_, n) => `transactional${n}`));
  });

  it('are never all taken by campaigns and journeys', async () => {
    const { slots, got, ask } = slotsOf(16);
    for (let n = 0; n < 20; n += 1) ask(n % 2 === 0 ? 'campaign' : 'journey', `bulk${n}`);
    await settled();
    expect(got).toHaveLength(14);
    expect([slots.tryAcquire('transactional'), slots.tryAcquire('transactional')]).toEqual([true, true]);
    expect(slots.tryAcquire('transactional')).toBe(false);
    // A slot of transactional mail is kept for such mail.
    slots.release('transactional');
    await settled();
    expect(got).toHaveLength(14);
    slots.release('campaign');
    await settled();
    expect(got).toHaveLength(15);
  });

  it('are refused to all that wait and come once they are closed', async () => {
    const { slots, got, ask } = slotsOf(1);
    ask('campaign', 'a');
    ask('transactional', 'b');
    slots.close();
    ask('journey', 'c');
    await settled();
    expect(got).toEqual(['a', 'b refused', 'c refused']);
  });
});
