import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Throttle } from '../../../consumers/throttle';
import { Activity } from '../../../lib/activity';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender, type Sender } from '../../support/builders';

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

async function start(owner: string): Promise<Throttle> {
  const { stores } = opened.engine;
  const shardOf = (workspaceId: number): number => workspaceId % 2;
  const throttle = new Throttle({ stores, clock: opened.clock, activity: new Activity(), logger, owner, shardOf });
  running.push(throttle);
  await throttle.start();
  return throttle;
}
const accept = async (sender: Sender): Promise<string> =>
  (await acceptMessage(opened.engine.stores, sender, { facts: { createdAt: opened.clock.now() } })).id;
async function untilClaimed(id: string): Promise<void> {
  const end = performance.now() + 60_000;
  while ((await opened.engine.stores.messages.get(id))?.status !== 'sending') {
    if (performance.now() > end) throw new Error('not claimed');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
    expect(await owners()).toEqual({ [`throttle/${shard}`]: null, [`throttle/${left}`]: 'first' });
    second.consumer.onAssigned?.([partition(shard)]);
    await untilClaimed(await accept(one));
    await untilClaimed(await accept(other));
    expect(await owners()).toEqual({ [`throttle/${shard}`]: 'second', [`throttle/${left}`]: 'first' });
  });

  it('are taken from an owner that died once its lease has ended, not before', async () => {
    const [one] = senders as [Sender];
    const shard = one.workspace.id % 2;
    const [, second] = running as [Throttle, Throttle];
    await second.consumer.onRevoked?.([partition(shard)]);
    await opened.engine.stores.leases.acquire(`throttle/${shard}`, 'dead', opened.clock.now(), 10_000);
    second.consumer.onAssigned?.([partition(shard)]);
    await second.keepShards();
    expect((await owners())[`throttle/${shard}`]).toBe('dead');
    opened.clock.advance(10_001);
    await untilClaimed(await accept(one));
    expect((await owners())[`throttle/${shard}`]).toBe('second');
  });
});
