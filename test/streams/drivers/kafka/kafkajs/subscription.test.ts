import { describe, expect, it } from '@jest/globals';
import { AssignerProtocol } from 'kafkajs';
import { decodeSubscription, encodeSubscription } from '../../../../../streams/drivers/kafka/kafkajs/subscription';

describe('a subscription', () => {
  it('is read as it was written', () => {
    const subscription = { topic: 'kurir.coins.entries', owned: [0, 3, 7], generation: 12 };
    expect(decodeSubscription(encodeSubscription(subscription), subscription.topic)).toEqual(subscription);
  });

  it('holds nothing of another topic', () => {
    const bytes = encodeSubscription({ topic: 'kurir.coins.entries', owned: [1], generation: 1 });
    expect(decodeSubscription(bytes, 'kurir.other').owned).toEqual([]);
  });

  it('of a client that knows no owned partitions holds none', () => {
    const bytes = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: ['t'], userData: Buffer.alloc(0) });
    expect(decodeSubscription(bytes, 't')).toEqual({ topic: 't', owned: [], generation: -1 });
  });

  it('starts with what kafkajs reads', () => {
    const bytes = encodeSubscription({ topic: 't', owned: [1], generation: 1 });
    expect(AssignerProtocol.MemberMetadata.decode(bytes)).toMatchObject({ version: 2, topics: ['t'] });
  });

  it('that is cut off is an error', () => {
    const bytes = encodeSubscription({ topic: 't', owned: [1, 2], generation: 1 });
    expect(() => decodeSubscription(bytes.subarray(0, bytes.length - 6), 't')).toThrow('out of range');
  });
});
