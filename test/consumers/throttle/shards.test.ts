import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { Throttle } from '../../../consumers/throttle';
import { Activity } from '../../../lib/activity';
import { decodeRecord } from '../../../streams/decode-record';
import { evenCounts, Partitions } from '../../../streams/partitions';
import type { LogRecord, OutgoingRecord } from '../../../streams/records';
import { ok } from '../../../streams/results';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { acceptMessage, createSender, messageId, storedRecord, type Sender } from '../../support/builders';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let opened: OpenedEngine;
let senders: Sender[];
const running: Throttle[] = [];
beforeAll(async () => {
  opened = await openTemporary();
  senders = [await createSender(opened.engine.stores), await createSender(opened.engine.stores)];
});
afterAll(async () => {
  for (const throttle of running) await throttle.stop();
  await opened.destroy();
});

const published: OutgoingRecord[] = [];

async function start(owner: string): Promise<Throttle> {
  const { stores } = opened.engine;
  // Even workspaces in one shard, odd ones in the other.
  const of = (_topic: string, key: string): number => Number(key) % 2 || 0;
  // Before the topic grew, all were in one partition.
  const everOf = (topic: string, key: string): Set<number> => new Set([0, of(topic, key)]);
  const partitions = Object.assign(new Partitions(evenCounts(2)), { of, everOf });
  const throttle = new Throttle({
    stores,
    clock: opened.clock,
    activity: new Activity(),
    logger,
    owner,
    log: { partitions: () => partitions, publish: async (records) => void published.push(...records) },
    destinations: null,
  });
  running.push(throttle);
  await throttle.start();
  return throttle;
}
const accept = async (sender: Sender): Promise<string> =>
  (await acceptMessage(opened.engine.stores, sender, { facts: { createdAt: opened.clock.now() } })).id;
async function untilClaimed(id: string): Promise<void> {
  await eventually(async () =>
    expect(await opened.engine.stores.messages.get(id)).toMatchObject({ status: 'sending' }),
  );
}
const owners = async (): Promise<Record<string, string | null>> =>
  Object.fromEntries((await opened.engine.stores.leases.list()).map(({ name, owner }) => [name, owner]));

const partition = (shard: number) => ({ topic: 'messages.accepted' as const, partition: shard });

describe('shards that change hands', () => {
  it('are claimed for by whoever is assigned them, and let go when they are taken away', async () => {
    const [one, other] = senders as [Sender, Sender];
    const [shard, left] = [one.workspace.id % 2, other.workspace.id % 2];
    const first = await start('first');
    const second = await start('second');
    first.consumer.onAssigned?.([0, 1].map(partition));
    await untilClaimed(await accept(one));
    await first.consumer.onRevoked?.([partition(shard)]);
    expect(await owners()).toEqual({ [`throttle/2/${shard}`]: null, [`throttle/2/${left}`]: 'first' });
    second.consumer.onAssigned?.([partition(shard)]);
    await untilClaimed(await accept(one));
    await untilClaimed(await accept(other));
    expect(await owners()).toEqual({ [`throttle/2/${shard}`]: 'second', [`throttle/2/${left}`]: 'first' });
  });

  it('are taken from an owner that died once its lease has ended, not before', async () => {
    const [one] = senders as [Sender];
    const shard = one.workspace.id % 2;
    const [, second] = running as [Throttle, Throttle];
    await second.consumer.onRevoked?.([partition(shard)]);
    await opened.engine.stores.leases.acquire(`throttle/2/${shard}`, 'dead', opened.clock.now(), 10_000);
    second.consumer.onAssigned?.([partition(shard)]);
    await second.keepShards();
    expect((await owners())[`throttle/2/${shard}`]).toBe('dead');
    opened.clock.advance(10_001);
    await untilClaimed(await accept(one));
    expect((await owners())[`throttle/2/${shard}`]).toBe('second');
  });
});

describe('a wake-up', () => {
  it('of before the topic grew is passed on to the partition that is the shard of its workspace', async () => {
    const [throttle] = running as [Throttle];
    const odd = senders.find(({ workspace }) => workspace.id % 2 === 1)!;
    const workspaceId = odd.workspace.id;
    const value = { workspaceId, messageId: messageId() };
    const stored = { ...storedRecord('messages.accepted', value), key: String(workspaceId), partition: 0 };
    expect(await throttle.consumer.handle(decodeRecord(stored).record as LogRecord<'messages.accepted'>)).toEqual(ok);
    expect(published).toEqual([{ topic: 'messages.accepted', key: String(workspaceId), value }]);
  });

  const wakeUp = async (workspaceId: number, id: string) => {
    const [throttle] = running as [Throttle];
    await throttle.consumer.onRevoked?.([0, 1].map(partition));
    await running[1]?.consumer.onRevoked?.([0, 1].map(partition));
    throttle.consumer.onAssigned?.([0, 1].map(partition));
    const { record } = decodeRecord(storedRecord('messages.accepted', { workspaceId, messageId: id }));
    return throttle.consumer.handle(record!);
  };

  it('for a message of the workspace is done', async () => {
    const [one] = senders as [Sender];
    expect(await wakeUp(one.workspace.id, await accept(one))).toEqual(ok);
  });

  it('for a message that is not in the store, or is another workspace’s, is parked', async () => {
    const [one, other] = senders as [Sender, Sender];
    const parked = { kind: 'dead', reason: NOT_IN_STORE };
    expect(await wakeUp(one.workspace.id, messageId())).toEqual(parked);
    expect(await wakeUp(one.workspace.id, await accept(other))).toEqual(parked);
  });
});
