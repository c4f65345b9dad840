import { describe, expect, it } from '@jest/globals';
import { murmur2, partitionOf } from '../../../../streams/drivers/kafka/partition-of';

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

describe('partitionOf', () => {
  it('is one of the partitions of the topic, also where the hash is negative', () => {
    const partitions = Array.from({ length: 500 }, (_, key) => partitionOf('messages.accepted', `${key}`));
    expect(partitions.every((partition) => Number.isInteger(partition) && partition >= 0 && partition < 8)).toBe(true);
    expect(new Set(partitions).size).toBe(8);
    expect(partitionOf('messages.accepted', 'foobar')).toBe((-790332482 & 0x7fffffff) % 8);
  });
});
