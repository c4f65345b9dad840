import { describe, expect, it } from '@jest/globals';
import { AssignerProtocol } from 'kafkajs';
import { decodeSubscription, encodeSubscription } from '../../../../../streams/drivers/kafka/kafkajs/subscription';

const one = (partitions: number[]) => ({ owned: new Map([['t', partitions]]), generation: 1 });

describe('a subscription', () => {
  it('is read as it was written, topic by topic', () => {
    const owned = new Map([
      ['kurir.coins.entries', [0, 3, 7]],
      ['kurir.conversions', []],
    ]);
    const subscription = { owned, generation: 12 };
    expect(decodeSubscription(encodeSubscription(subscription))).toEqual(subscription);
  });

  it('holds nothing of a topic that the member does not read', () => {
    const bytes = encodeSubscription(one([1]));
    expect(decodeSubscription(bytes).owned.get('kurir.other')).toBeUndefined();
  });

  it('of a client that knows no owned partitions holds none', () => {
    const bytes = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: ['t'], userData: Buffer.alloc(0) });
    expect(decodeSubscription(bytes)).toEqual({ owned: new Map([['t', []]]), generation: -1 });
  });

  it('starts with what kafkajs reads', () => {
    const bytes = encodeSubscription(one([1]));
    expect(AssignerProtocol.MemberMetadata.decode(bytes)).toMatchObject({ version: 2, topics: ['t'] });
  });

  it('that is cut off is an error', () => {
    const bytes = encodeSubscription(one([1, 2]));
    expect(() => decodeSubscription(bytes.subarray(0, bytes.length - 6))).toThrow('out of range');
  });
});
