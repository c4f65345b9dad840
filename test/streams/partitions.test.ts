import { describe, expect, it } from '@jest/globals';
import { murmur2 } from '../../lib/murmur2';
import { evenCounts, Partitions } from '../../streams/partitions';

describe('murmur2', () => {
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %j as the clients of Kafka do', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });
});

describe('the partition of a key', () => {
  const keys = Array.from({ length: 500 }, (_, key) => `${key}`);

  it('is one of those of the topic, also where the hash is negative', () => {
    const partitions = new Partitions(evenCounts(8));
    const found = keys.map((key) => partitions.of('messages.accepted', key));
    expect(new Set(found)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
    expect(partitions.of('messages.accepted', 'foobar')).toBe((-790332482 & 0x7fffffff) % 8);
  });

  it('is another one once the topic has grown, and its records may lie in both', () => {
    const partitions = new Partitions(evenCounts(8));
    const before = keys.map((key) => partitions.of('messages.accepted', key));
    partitions.use({ ...evenCounts(8), 'messages.accepted': [8, 12] });
    expect(partitions.count('messages.accepted')).toBe(12);
    expect(partitions.count('coins.entries')).toBe(8);
    const after = keys.map((key) => partitions.of('messages.accepted', key));
    expect(new Set(after).size).toBe(12);
    for (const [n, key] of keys.entries()) {
      expect(partitions.everOf('messages.accepted', key)).toEqual(new Set([before[n], after[n]]));
    }
  });

  it('knows whether counts are those in use, with their past', () => {
    const partitions = new Partitions(evenCounts(8));
    expect(partitions.are(evenCounts(8))).toBe(true);
    expect(partitions.are({ ...evenCounts(8), conversions: [8, 9] })).toBe(false);
    expect(partitions.are(evenCounts(9))).toBe(false);
  });
});
