import { afterEach, describe, expect, it } from '@jest/globals';
import { Throttle } from '../../../consumers/throttle';
import { nextWibMidnight, wibDay } from '../../../domain/wib';
import { Activity } from '../../../lib/activity';
import { HOUR, MINUTE } from '../../../lib/clock';
import { decodeRecord } from '../../../streams/decode-record';
import type { Stores } from '../../../stores/ports';
import { openTemporary } from '../../contract/embedded/open';
import { eventually } from '../../contract/helpers';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, aGrant, createSender, storedRecord, type Sender } from '../../support/builders';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const PARTITION = { topic: 'messages.accepted' as const, partition: 0 };

let opened: OpenedEngine;
const running = new Set<Throttle>();
afterEach(async () => {
  for (const throttle of running) await stop(throttle);
  await opened.destroy();
});

async function stop(throttle: Throttle): Promise<void> {
  running.delete(throttle);
  await throttle.stop();
  throttle.consumer.onStop?.();
}

async function start(owner: string, more: Partial<Stores> = {}): Promise<Throttle> {
  const { clock, engine } = opened;
  const throttle = new Throttle({
    stores: { ...engine.stores, ...more },
    clock,
    activity: new Activity(),
    logger,
    owner,
    log: opened.engine.log,
    destinations: null,
  });
  running.add(throttle);
  await throttle.start();
  throttle.consumer.onAssigned?.([PARTITION]);
  await eventually(async () => expect(await shardOwner()).toBe(owner));
  return throttle;
}

async function setUp(): Promise<{ stores: Stores; sender: Sender; accept: (dueAt?: number) => Promise<string> }> {
  opened = await openTemporary();
  const { stores } = opened.engine;
  const sender = await createSender(stores);
  await stores.coins.post(aGrant(sender.workspace.id, 1_000));
  const accept = async (dueAt?: number): Promise<string> => {
    const { id } = await acceptMessage(stores, sender, { facts: { createdAt: opened.clock.now() } });
    if (dueAt !== undefined) await stores.messages.change(id, () => ({ set: { dueAt }, at: dueAt, records: [] }));
    return id;
  };
  return { stores, sender, accept };
}

const shardOwner = async (): Promise<string | null | undefined> =>
  (await opened.engine.stores.leases.list()).find(({ name }) => name === 'throttle/0')?.owner;
const rows = (): ReturnType<Stores['wakeups']['list']> =>
  opened.engine.stores.wakeups.list([0], { at: -1, workspaceId: 0 }, Number.MAX_SAFE_INTEGER, 10);
const wake = ({ consumer }: Throttle, { workspace }: Sender, id: string) =>
  consumer.handle(
    decodeRecord(storedRecord('messages.accepted', { workspaceId: workspace.id, messageId: id })).record!,
  );
/** The queue where so many messages of each class are claimed and not yet sent. */
const withBacklog = ({ queue }: Stores, count: number): Stores['queue'] => ({
  ...queue,
  backlogByClass: async () => ({ transactional: count, bulk: count }),
});
const statusOf = async (id: string) => (await opened.engine.stores.messages.get(id))?.status;

describe('a workspace that waits for a later hour', () => {
  it('has a row once its record is done, costs no look until then, and is claimed for when it is due', async () => {
    const { stores, sender, accept } = await setUp();
    const at = opened.clock.now() + HOUR;
    const id = await accept(at);
    let asked = 0;
    const queue = { ...stores.queue, nextDue: (of: number) => ((asked += 1), stores.queue.nextDue(of)) };
    const throttle = await start('one', { queue });
    await wake(throttle, sender, id);
    expect(await rows()).toEqual([{ workspaceId: sender.workspace.id, at, kind: 'turn' }]);
    await stop(throttle);
    asked = 0;
    // The next owner takes it from the row, without a look.
    await start('two', { queue });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([asked, await statusOf(id)]).toEqual([0, 'queued']);
    opened.clock.advance(HOUR);
    await eventually(async () => expect(await statusOf(id)).toBe('sending'));
    await eventually(async () => expect(await rows()).toEqual([]));
  });

  it('has a row of that time, also when it had one for an earlier time', async () => {
    const { stores, sender, accept } = await setUp();
    const throttle = await start('one');
    const soon = opened.clock.now() + MINUTE / 2;
    const id = await accept(soon);
    await wake(throttle, sender, id);
    expect(await rows()).toEqual([{ workspaceId: sender.workspace.id, at: soon, kind: 'turn' }]);
    // Not much later, but later than what is kept in memory.
    const later = opened.clock.now() + 1.2 * MINUTE;
    await stores.messages.change(id, () => ({ set: { dueAt: later }, at: soon, records: [] }));
    await wake(throttle, sender, id);
    expect(await rows()).toEqual([{ workspaceId: sender.workspace.id, at: later, kind: 'turn' }]);
    opened.clock.advance(1.2 * MINUTE);
    await throttle.keepShards(true);
    await eventually(async () => expect(await statusOf(id)).toBe('sending'));
  });

  it('is found by the audit when its record and its row are lost', async () => {
    const { sender, accept } = await setUp();
    const at = opened.clock.now() + HOUR;
    await accept(at);
    await start('one');
    await eventually(async () =>
      expect(await rows()).toEqual([{ workspaceId: sender.workspace.id, at, kind: 'turn' }]),
    );
  });
});

describe('the record of a wake-up', () => {
  it('is done only once its mail is claimed or its workspace has a row, and goes to the next owner until then', async () => {
    const { stores, sender, accept } = await setUp();
    const id = await accept();
    const queue = withBacklog(stores, 400);
    const writes: (() => void)[] = [];
    const wakeups = { ...stores.wakeups, write: () => new Promise<void>((resolve) => writes.push(resolve)) };
    const throttle = await start('one', { queue, wakeups });
    const done = wake(throttle, sender, id);
    const first = await Promise.race([done, new Promise((resolve) => setTimeout(() => resolve('waits'), 300))]);
    expect(first).toBe('waits');
    const refused = expect(done).rejects.toThrow('given up');
    const revoked = throttle.consumer.onRevoked?.([PARTITION]);
    await refused;
    for (const written of writes) written();
    await revoked;
  });

  it('is done with a row while nothing can be claimed', async () => {
    const { stores, sender, accept } = await setUp();
    const id = await accept();
    const throttle = await start('one', { queue: withBacklog(stores, 400) });
    await wake(throttle, sender, id);
    expect(await rows()).toMatchObject([{ workspaceId: sender.workspace.id, kind: 'turn' }]);
    expect(await statusOf(id)).toBe('queued');
  });
});

describe('a free account that has used up its minute', () => {
  it('goes on at once with another rate, also one that is set while its row is being written', async () => {
    const { stores, sender, accept } = await setUp();
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await accept());
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const writes: string[] = [];
    const write: Stores['wakeups']['write'] = async (changes) => {
      writes.push(...changes.map(({ wakeup }) => wakeup?.kind ?? 'none'));
      await held;
      await stores.wakeups.write(changes);
    };
    const throttle = await start('one', { queue: withBacklog(stores, 0), wakeups: { ...stores.wakeups, write } });
    const done = wake(throttle, sender, ids[0]!);
    await eventually(async () => expect(writes).toEqual(['rate']));
    await stores.workspaces.setRate(sender.workspace.id, { perMinute: 100 }, opened.clock.now());
    expect(await rows()).toEqual([]);
    release();
    await done;
    await eventually(async () => expect(await Promise.all(ids.map(statusOf))).not.toContain('queued'));
  });
});

describe('a free account that has used up its day', () => {
  it('waits for the next day in its row, and goes on at once after a purchase', async () => {
    const { stores, sender, accept } = await setUp();
    const day = wibDay(opened.clock.now());
    for (let n = 0; n < 300; n++) await accept();
    const epoch = (await stores.leases.acquire('earlier', 'me', opened.clock.now(), MINUTE))!;
    await stores.queue.claim({
      workspaceId: sender.workspace.id,
      lane: 'transactional',
      limit: 300,
      day,
      now: opened.clock.now(),
      leaseUntil: opened.clock.now() + HOUR,
      lease: { name: 'earlier', owner: 'me', epoch },
      workspaceDayCap: null,
      platformDayCap: null,
    });
    opened.clock.advance(2 * MINUTE);
    const claimed = async (): Promise<number> =>
      (await stores.queue.recentClaims(sender.workspace.id, 0, 1_000)).length;
    const throttle = await start('one', { queue: withBacklog(stores, 0) });
    await wake(throttle, sender, await accept());
    const [look] = await rows();
    expect(look).toEqual({ workspaceId: sender.workspace.id, at: nextWibMidnight(opened.clock.now()), kind: 'day' });
    await stores.coins.post(aGrant(sender.workspace.id, 5, { kind: 'topup', purchase: { expiresAt: null } }));
    await eventually(async () => expect(await claimed()).toBe(301));
  });
});
