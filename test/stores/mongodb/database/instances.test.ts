import { expect, it } from '@jest/globals';
import { DAY, MINUTE } from '../../../../lib/clock';
import { UnavailableError } from '../../../../lib/errors';
import type { ClaimResult } from '../../../../domain/queue/claim';
import type { ClaimRequest, ShardLease } from '../../../../stores/ports/send-queue';
import {
  aContact,
  acceptMessage,
  acceptOne,
  anAcceptance,
  createSender,
  messageId,
  refundRecord,
  type Sender,
} from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { at, atOnce, eventually, present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase, type Instance } from '../support';

describeOn(['mongodb'], 'two processes on one database', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const log = new FlakyLog();
  const two = async (): Promise<[Instance, Instance]> => [await database.instance(log), await database.instance(log)];

  let shards = 0;
  async function shardOf({ stores }: Instance): Promise<ShardLease> {
    const name = `shard-${(shards += 1)}`;
    return { name, owner: 'first', epoch: present(await stores.leases.acquire(name, 'first', NOW, DAY)) };
  }
  const requestOf = (lease: ShardLease, sender: Sender, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
    workspaceId: sender.workspace.id,
    lane: 'transactional',
    limit: 5,
    now: NOW,
    leaseUntil: NOW + MINUTE,
    lease,
    day: '2026-01-05',
    workspaceDayCap: null,
    platformDayCap: null,
    ...more,
  });
  /** Repeats a call while other writes hold the same data, as its callers do. */
  const untilFree = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
      }
    }
  };
  const claimedIn = (results: readonly ClaimResult[]): string[] =>
    results.flatMap((result) => (result.kind === 'claimed' ? result.claimed : []));

  it('make one message of 100 callers with one idempotency key, and one contact of their address', async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores);
    const address = aContact(sender.workspace.id);
    const racers = Array.from({ length: 100 }, () => ({
      ...anAcceptance(sender, { idempotencyKey: 'pesanan-1' }),
      recipient: { address },
    }));
    const outcomes = await Promise.all(
      racers.map((racer, index) => acceptOne(at(instances, index % 2).stores.messages, racer)),
    );
    const winners = racers.filter((_, index) => at(outcomes, index).kind === 'accepted');
    expect(winners).toHaveLength(1);
    const lost = { kind: 'duplicate', id: at(winners, 0).facts.id, status: 'queued' };
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual(Array(99).fill(lost));
    const { messages, contacts } = instances[1].stores;
    expect((await messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(1);
    const contact = await contacts.find(sender.workspace.id, address.email);
    expect((await messages.get(at(winners, 0).facts.id))?.contactId).toBe(contact?.id);
  });

  it('make one message of each key of lists that share keys', async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores);
    const keys = Array.from({ length: 10 }, () => `daftar-${messageId()}`);
    const outcomes = await atOnce(20, (caller) => {
      const own = caller % 4 < 2 ? keys : [...keys].reverse();
      const { messages } = at(instances, caller % 2).stores;
      return messages.accept(own.map((idempotencyKey) => anAcceptance(sender, { idempotencyKey })));
    });
    expect(outcomes.flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(keys.length);
    const { total } = await instances[0].stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 });
    expect(total).toBe(keys.length);
  });

  it('accept for the same new addresses at once without making one twice', async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores);
    const addresses = Array.from({ length: 5 }, () => aContact(sender.workspace.id));
    const outcomes = await atOnce(60, (index) =>
      acceptOne(at(instances, index % 2).stores.messages, {
        ...anAcceptance(sender),
        recipient: { address: at(addresses, index % 5) },
      }),
    );
    expect(outcomes).toEqual(Array(60).fill({ kind: 'accepted' }));
    const { contacts } = instances[0].stores;
    const ids = await Promise.all(
      addresses.map(async ({ email }) => (await contacts.find(sender.workspace.id, email))?.id),
    );
    const { items } = await instances[1].stores.messages.list(sender.workspace.id, { offset: 0, limit: 100 });
    expect(new Set(items.map(({ contactId }) => contactId))).toEqual(new Set(ids));
  });

  it('lose no change of a message that both change', async () => {
    const instances = await two();
    const before = await acceptMessage(instances[0].stores, await createSender(instances[0].stores));
    const changes = await atOnce(40, (index) =>
      at(instances, index % 2).stores.messages.change(before.id, (message) => ({
        set: { attempt: message.attempt + 1 },
        at: NOW,
        records: [refundRecord(message, message.attempt)],
      })),
    );
    expect(changes.every(({ applied }) => applied)).toBe(true);
    expect(await instances[1].stores.messages.get(before.id)).toMatchObject({ attempt: 40, version: 41 });
  });

  it('never claim a message twice, and spend one coin for each', async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores, { coins: 25 });
    const accepted = await atOnce(40, async () => (await acceptMessage(instances[0].stores, sender)).id);
    const lease = await shardOf(instances[0]);
    const results: ClaimResult[] = [];
    const claimAll = async ({ stores }: Instance): Promise<void> => {
      for (let last = ''; last !== 'empty';) {
        const result = await stores.queue.claim(requestOf(lease, sender));
        results.push(result);
        last = result.kind === 'claimed' ? result.stop : 'fenced';
      }
    };
    await Promise.all(instances.map(claimAll));
    const claimed = claimedIn(results);
    expect([claimed.length, new Set(claimed).size]).toEqual([25, 25]);
    expect(results.reduce((sum, result) => sum + (result.kind === 'claimed' ? result.refused : 0), 0)).toBe(15);
    const { coins, messages, queue } = instances[1].stores;
    const rows = await coins.rows(sender.workspace.id, 0, 100);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 26 }, (_, n) => n + 1));
    expect(
      rows
        .slice(1)
        .map(({ messageId }) => messageId)
        .sort(),
    ).toEqual([...claimed].sort());
    expect((await coins.account(sender.workspace.id)).balance).toBe(0);
    expect(await queue.claimsOn('2026-01-05', sender.workspace.id)).toBe(25);
    expect(
      (await messages.getMany(sender.workspace.id, accepted)).filter(({ status }) => status === 'failed'),
    ).toHaveLength(15);
    await eventually(async () =>
      expect([...log.messageIds('messages.dispatch')]).toEqual(expect.arrayContaining(claimed)),
    );
  });

  it('claim under a lease that is taken over in the middle: the old owner gets nothing from then on', async () => {
    const [old, next] = await two();
    const sender = await createSender(old.stores);
    await atOnce(60, () => acceptMessage(old.stores, sender));
    const lease = await shardOf(old);
    const results: ClaimResult[] = [];
    const during = { takenOver: false };
    const afterwards: ClaimResult[] = [];
    const zombie = (async () => {
      for (;;) {
        const { takenOver } = during;
        const result = await old.stores.queue.claim(requestOf(lease, sender, { limit: 1 }));
        if (result.kind === 'fenced') return;
        if (takenOver) afterwards.push(result);
        results.push(result);
      }
    })();
    await eventually(async () => expect(results.length).toBeGreaterThan(2));
    const epoch = present(await next.stores.leases.acquire(lease.name, 'second', NOW + 2 * DAY, DAY));
    during.takenOver = true;
    await zombie;
    expect(afterwards).toEqual([]);
    const rest = await next.stores.queue.claim(
      requestOf({ name: lease.name, owner: 'second', epoch }, sender, { limit: 100 }),
    );
    const all = [...claimedIn(results), ...claimedIn([rest])];
    expect([all.length, new Set(all).size]).toEqual([60, 60]);
  });

  it("never exceed the platform's cap of a day, whatever workspaces and shards they claim for", async () => {
    const instances = await two();
    const senders = await atOnce(4, () => createSender(instances[0].stores));
    for (const sender of senders) await atOnce(12, () => acceptMessage(instances[0].stores, sender));
    const leases = await atOnce(4, () => shardOf(instances[0]));
    const day = '2026-02-01';
    const results = await atOnce(16, (index) =>
      untilFree(() =>
        at(instances, index % 2).stores.queue.claim(
          requestOf(at(leases, index % 4), at(senders, index % 4), { day, limit: 4, platformDayCap: 23 }),
        ),
      ),
    );
    expect(claimedIn(results)).toHaveLength(23);
    const { queue } = instances[1].stores;
    expect(await queue.claimsOn(day, null)).toBe(23);
    const own = await Promise.all(senders.map(({ workspace }) => queue.claimsOn(day, workspace.id)));
    expect(own.reduce((sum, count) => sum + count, 0)).toBe(23);
  });

  it("never exceed a workspace's cap of a day in two lanes at once", async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores);
    const lanes = ['transactional', 'campaign'] as const;
    for (const lane of lanes) await atOnce(10, () => acceptMessage(instances[0].stores, sender, { facts: { lane } }));
    const lease = await shardOf(instances[0]);
    const results = await Promise.all(
      instances.map(({ stores }, index) =>
        stores.queue.claim(
          requestOf(lease, sender, { day: '2026-02-02', lane: at(lanes, index), limit: 10, workspaceDayCap: 13 }),
        ),
      ),
    );
    expect(claimedIn(results)).toHaveLength(13);
    expect(await instances[0].stores.queue.claimsOn('2026-02-02', sender.workspace.id)).toBe(13);
  });

  it('leave no recipient behind when one deletes the contact while the other accepts and claims for it', async () => {
    const instances = await two();
    const sender = await createSender(instances[0].stores);
    const lease = await shardOf(instances[0]);
    const acceptances = Array.from({ length: 40 }, () => anAcceptance(sender));
    const accepts = Promise.all(
      acceptances.map((acceptance, index) => acceptOne(at(instances, index % 2).stores.messages, acceptance)),
    );
    const claims = atOnce(4, () => instances[0].stores.queue.claim(requestOf(lease, sender)));
    await instances[1].stores.contacts.delete(sender.workspace.id, sender.contact.id);
    expect(await accepts).toEqual(Array(40).fill({ kind: 'accepted' }));
    await claims;
    const ids = acceptances.map(({ facts }) => facts.id);
    const stored = await instances[0].stores.messages.getMany(sender.workspace.id, ids);
    expect(stored.map(({ to, toText }) => [to, toText])).toEqual(Array(40).fill([null, null]));
  });
});
