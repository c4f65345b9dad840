import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Position } from '../../../../streams/event-log';
import type { Feed, FeedOwner } from '../../../../streams/drivers/kafka/client';
import { AT_OLDEST } from '../../../../streams/drivers/kafka/group-start';
import { KafkaReader } from '../../../../streams/drivers/kafka/kafka-reader';
import { eventually } from '../../../contract/helpers';
import { coinRecord } from '../../../contract/event-log/support';
import { storedRecord } from '../../../support/builders';

const partition = { topic: 'coins.entries', partition: 0 } as const;
const record = (offset: number) => ({ ...storedRecord('coins.entries', coinRecord('a', offset).value), offset });

describe('a reader over one membership after the other', () => {
  let owners: FeedOwner[];
  let commits: number[];
  let commit: (positions: readonly Position[]) => Promise<void>;
  let onRevoked: () => Promise<void>;
  let reader: KafkaReader;

  beforeEach(async () => {
    owners = [];
    commits = [];
    commit = () => Promise.resolve();
    onRevoked = () => Promise.resolve();
    const open = (owner: FeedOwner): Feed => {
      owners.push(owner);
      return {
        start: () => Promise.resolve(),
        commit: async (positions) => {
          commits.push(...positions.map(({ next }) => next));
          await commit(positions);
        },
        close: () => Promise.resolve(),
      };
    };
    reader = new KafkaReader(open, { onRevoked: () => onRevoked() }, () => undefined, AT_OLDEST);
    owners[0]!.assigned([partition]);
    await new Promise(setImmediate);
  });
  afterEach(() => reader.close());

  const poll = async (): Promise<number[]> =>
    (await reader.poll(10, AbortSignal.timeout(100))).map(({ offset }) => offset);

  it('goes on reading a partition that came back while its hand-over still waited', async () => {
    let finish = (): void => undefined;
    onRevoked = () => new Promise((resolve) => (finish = resolve));
    const handedOver = owners[0]!.revoked([partition], 20_000);
    onRevoked = () => Promise.resolve();
    owners[0]!.failed(new Error('a commit was never answered'));
    await eventually(async () => expect(owners).toHaveLength(2));
    owners[1]!.assigned([partition]);
    finish();
    await handedOver;
    owners[1]!.received([record(0), record(1)]);
    expect(await poll()).toEqual([0, 1]);
    await reader.commit([{ ...partition, next: 2 }]);
    expect(commits).toEqual([2]);
  });

  it('commits in a topic that was made anew while a commit of the old one was under way', async () => {
    let answer = (): void => undefined;
    commit = () => new Promise((resolve) => (answer = resolve));
    owners[0]!.received([record(999)]);
    const old = reader.commit([{ ...partition, next: 1_000 }]);
    await new Promise(setImmediate);
    owners[0]!.received([record(0)]);
    answer();
    await old;
    commit = () => Promise.resolve();
    await reader.commit([{ ...partition, next: 1 }]);
    expect(commits).toEqual([1_000, 1]);
  });
});
