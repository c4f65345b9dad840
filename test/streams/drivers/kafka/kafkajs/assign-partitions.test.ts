import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assignPartitions, type Holder } from '../../../../../streams/drivers/kafka/kafkajs/assign-partitions';

const PARTITIONS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Members that claim partitions at random, some of them the same ones. */
const members = fc
  .array(
    fc.record({ owned: fc.uniqueArray(fc.integer({ min: 0, max: 9 })), generation: fc.integer({ min: -1, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 11,
    },
  )
  .map((found): Holder[] => found.map((member, n) => ({ id: `m${n}`, ...member })));

/** What the members hold after they let go of what they lost. */
const settle = (before: readonly Holder[], shares: ReadonlyMap<string, number[]>, generation: number): Holder[] =>
  before.map(({ id }) => ({ id, owned: shares.get(id) ?? [], generation }));

describe('assignPartitions', () => {
  it('gives a single member everything', () => {
    expect(assignPartitions([{ id: 'a', owned: [], generation: -1 }], PARTITIONS).get('a')).toEqual(PARTITIONS);
  });

  it('takes from who holds all only what a newcomer is to get, and gives it away a round later', () => {
    const joining: Holder[] = [
      { id: 'a', owned: PARTITIONS, generation: 1 },
      { id: 'b', owned: [], generation: -1 },
    ];
    const first = assignPartitions(joining, PARTITIONS);
    expect([first.get('a'), first.get('b')]).toEqual([[0, 1, 2, 3], []]);
    const second = assignPartitions(settle(joining, first, 2), PARTITIONS);
    expect([second.get('a'), second.get('b')]).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  it('changes nothing when nobody came or went', () => {
    const settled: Holder[] = [
      { id: 'a', owned: [1, 4, 6], generation: 5 },
      { id: 'b', owned: [0, 2, 7], generation: 5 },
      { id: 'c', owned: [3, 5], generation: 5 },
    ];
    expect([...assignPartitions(settled, PARTITIONS).values()]).toEqual(settled.map(({ owned }) => owned));
  });

  it('never gives a partition to two, nor one that another holds, and is even after a second round', () => {
    fc.assert(
      fc.property(members, (joining) => {
        const first = assignPartitions(joining, PARTITIONS);
        const given = [...first.values()].flat();
        expect(new Set(given).size).toBe(given.length);
        for (const [id, share] of first) {
          for (const partition of share) {
            const latest = Math.max(
              -2,
              ...joining.filter(({ owned }) => owned.includes(partition)).map(({ generation }) => generation),
            );
            const mine = joining.find((member) => member.id === id);
            expect(latest === -2 || (mine?.owned.includes(partition) && mine.generation === latest)).toBe(true);
          }
        }
        const sizes = [...assignPartitions(settle(joining, first, 9), PARTITIONS).values()].map(({ length }) => length);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(PARTITIONS.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
