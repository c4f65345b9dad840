import { afterEach, expect, it } from '@jest/globals';
import type { ClientSession, Db } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WEBHOOKS } from '../../../../domain/webhooks/webhook';
import { laneOf, WEBHOOK_WORK } from '../../../../domain/webhooks/webhook-delivery';
import { ledgerId, refund, type LedgerEntry } from '../../../../domain/ledger/coins';
import { ContentionError, PATIENCE, PATIENCE_BESIDE } from '../../../../stores/mongodb/transactions/contention';
import { documents } from '../../../../stores/mongodb/database/documents';
import type { ClaimResult } from '../../../../domain/queue/claim';
import type { Stores } from '../../../../stores/ports';
import type { MessageChange } from '../../../../stores/ports/message-store';
import {
  acceptMessage,
  acceptOne,
  anAcceptance,
  anApiKey,
  aWebhook,
  createSender,
  nextSerial,
} from '../../../support/builders';
import { TEST_KEYRING, type Sender } from '../../../support/builders';
import { DAY } from '../../../../lib/clock';
import { TEST_START as NOW } from '../../../support/clock';
import { limitFor } from '../../../support/limits';
import { describeOn } from '../../../support/real-services';
import { TestApi, type Account } from '../../../support/test-api';
import { claimRequest } from '../../../contract/claiming';
import { anAttempt, anEvent, aResult } from '../../../contract/delivery-store/support';
import { at, atOnce, present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';

const aGift = ({ workspace }: Sender, reference: string): LedgerEntry => ({
  id: ledgerId.grant(reference),
  workspaceId: workspace.id,
  kind: 'grant',
  amount: 1,
  messageId: null,
  at: NOW,
});

const fails: MessageChange = { set: { status: 'failed', failedReason: 'no', dueAt: null }, at: NOW, records: [] };

/** The outcome of each: its answer, or 'contended'. */
const told = <T>(outcomes: readonly PromiseSettledResult<T>[]): (T | 'contended')[] =>
  outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    if (outcome.reason instanceof ContentionError) return 'contended';
    throw outcome.reason;
  });

async function aClaimFor(stores: Stores, sender: Sender): Promise<() => Promise<ClaimResult>> {
  const name = `shard-${nextSerial()}`;
  const epoch = present(await stores.leases.acquire(name, 'owner', NOW, DAY));
  return () => stores.queue.claim(claimRequest({ name, owner: 'owner', epoch }, sender));
}

async function accountOf(stores: Stores, { workspace, domain }: Sender): Promise<Account> {
  const key = `kurir_sk_${String(nextSerial()).padStart(32, 'c')}`;
  const { id: keyId } = await stores.credentials.createKey(
    anApiKey(workspace.id, { hash: TEST_KEYRING.hashCredential(key) }),
  );
  return { workspace, domain, key, keyId };
}

describeOn(['mongodb'], 'what an open transaction of somebody else holds', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const holders: ClientSession[] = [];
  const release = async (): Promise<void> => {
    // Ends the transaction, which was never committed.
    for (const session of holders.splice(0)) await session.endSession();
  };
  afterEach(release);

  async function hold(write: (db: Db, session: ClientSession) => Promise<unknown>): Promise<void> {
    const { client, db } = database.mongo;
    const session = client.startSession();
    holders.push(session);
    session.startTransaction();
    await write(db, session);
  }
  // What is not cut short ends with the client's time, which is longer than a case has.
  const client = { patience: { shared: 500, alone: 500 }, timeoutMS: limitFor(1) };
  const start = async (): Promise<Stores> => (await database.instance(new FlakyLog(), client)).stores;

  it('delays only the acceptance that needs it; the others of the moment are taken', async () => {
    const stores = await start();
    const sender = await createSender(stores);
    const others = [await createSender(stores), await createSender(stores)];
    const acceptances = [at(others, 0), sender, at(others, 1)].map((by) => anAcceptance(by));
    await hold((db, session) =>
      documents(db, 'contacts').updateOne({ _id: sender.contact.id }, { $inc: { touched: 1 } }, { session }),
    );
    const outcomes = await Promise.allSettled(acceptances.map((one) => acceptOne(stores.messages, one)));
    expect(told(outcomes)).toEqual([{ kind: 'accepted' }, 'contended', { kind: 'accepted' }]);
    const held = at(acceptances, 1);
    expect(await stores.messages.get(held.facts.id)).toBeNull();
    expect(await documents(database.mongo.db, 'bodies').findOne({ _id: held.facts.id })).toBeNull();
    await release();
    expect(await acceptOne(stores.messages, held)).toEqual({ kind: 'accepted' });
  });

  it('delays only the ledger entry that needs it; the others are booked in their order', async () => {
    const stores = await start();
    const sender = await createSender(stores);
    const { id: workspaceId } = sender.workspace;
    const { id } = await acceptMessage(stores, sender);
    const entries = [1, 2, 3].map((attempt) => refund(workspaceId, id, attempt, NOW));
    await hold((db, session) => {
      const { id: _id, kind, amount, messageId } = at(entries, 1);
      const row = { _id: `${workspaceId}:${_id}`, workspaceId, kind, amount, messageId, at: NOW, seq: 99 };
      return documents(db, 'ledger').insertOne(row, { session });
    });
    const outcomes = await Promise.allSettled(entries.map((entry) => stores.coins.post(entry)));
    expect(told(outcomes)).toEqual(['posted', 'contended', 'posted']);
    await release();
    expect(await stores.coins.post(at(entries, 1))).toBe('posted');
    const rows = await stores.coins.rows(workspaceId, 1, 10);
    expect(rows.map((row) => [row.id, row.seq])).toEqual([0, 2, 1].map((n, i) => [at(entries, n).id, i + 2]));
  });

  it('delays only the claim that needs it; the next one in turn is made', async () => {
    const stores = await start();
    const [poor, sender] = [await createSender(stores), await createSender(stores)];
    for (const by of [poor, sender]) await acceptMessage(stores, by);
    await hold((db, session) =>
      documents(db, 'accounts').updateOne({ _id: poor.workspace.id }, { $inc: { balance: 1 } }, { session }),
    );
    const claims = [await aClaimFor(stores, poor), await aClaimFor(stores, sender)];
    const outcomes = await Promise.allSettled(claims.map((claim) => claim()));
    expect(told(outcomes)).toMatchObject(['contended', { kind: 'claimed', claimed: [expect.anything()] }]);
    await release();
    expect(await at(claims, 0)()).toMatchObject({ kind: 'claimed', claimed: [expect.anything()] });
  });

  it.each([3, 1])('delays only the change that needs it, of %d at once', async (count) => {
    const stores = await start();
    const sender = await createSender(stores);
    const known = await Promise.all(Array.from({ length: count }, () => acceptMessage(stores, sender)));
    const { id } = at(known, 0);
    const change = async (message: (typeof known)[number]): Promise<boolean> =>
      (await stores.messages.change(message.id, () => fails, message)).applied;
    await hold((db, session) =>
      documents(db, 'messages').updateOne({ _id: id }, { $inc: { version: 9 } }, { session }),
    );
    const outcomes = await Promise.allSettled(known.map(change));
    expect(told(outcomes)).toEqual(['contended', true, true].slice(0, count));
    expect(await stores.messages.get(id)).toMatchObject({ status: 'queued', version: 1 });
    await release();
    expect(await change(at(known, 0))).toBe(true);
  });

  it('is waited out for longer by who has nobody waiting behind; the account is taken first then', async () => {
    const { stores } = await database.instance(new FlakyLog(), { patience: PATIENCE_BESIDE });
    const sender = await createSender(stores);
    const account = () => documents(database.mongo.db, 'accounts').findOne({ _id: sender.workspace.id });
    const before = present(await account());
    await hold((db, session) =>
      documents(db, 'accounts').updateOne({ _id: sender.workspace.id }, { $inc: { balance: 1 } }, { session }),
    );
    const posted = stores.coins.post(aGift(sender, 'held'));
    await sleep(PATIENCE.shared + 1_000);
    await release();
    expect(await posted).toBe('posted');
    expect(before.touched).toBeUndefined();
    expect(await account()).toEqual({ ...before, balance: before.balance + 1, seq: before.seq + 1, touched: 1 });
  });

  it('does not delay the results of deliveries with an empty answer, such as those of one event', async () => {
    const stores = await start();
    const sender = await createSender(stores);
    const { id: messageId, workspaceId } = await acceptMessage(stores, sender);
    const webhook = present(await stores.webhooks.create(aWebhook(workspaceId), MAX_WEBHOOKS));
    await stores.deliveries.fanOut(anEvent(workspaceId, { messageId }), NOW);
    const lane = laneOf(webhook.id);
    const [claim] = await stores.dueTasks.claim({
      kind: WEBHOOK_WORK,
      lane,
      now: NOW,
      leaseUntil: NOW + DAY,
      limit: 1,
    });
    await hold((db, session) =>
      documents(db, 'contacts').updateOne({ _id: sender.contact.id }, { $inc: { touched: 1 } }, { session }),
    );
    const attempts = [anAttempt({ status: 204, error: null, answer: '' })];
    const finished = stores.deliveries.finish(present(claim), aResult({ attempts, contactId: sender.contact.id }));
    expect(told(await Promise.allSettled([finished]))).toEqual([true]);
    expect(await stores.deliveries.ofMessage(messageId)).toMatchObject([{ state: 'delivered', attempts }]);
  });

  it('is a server error for the caller of the API, who may send the same again', async () => {
    const stores = await start();
    const api = await TestApi.open({ adapt: (deps) => ({ ...deps, stores }) });
    const sender = await createSender(stores);
    const account = await accountOf(stores, sender);
    await hold((db, session) =>
      documents(db, 'contacts').updateOne({ _id: sender.contact.id }, { $inc: { touched: 1 } }, { session }),
    );
    const send = (to: string) =>
      api.send(account, { to, idempotency_key: `kunci-${to}` }).then(({ status, body }) => ({ status, body }));
    const [held, free] = await Promise.all([send(sender.contact.email), send('lain@contoh.test')]);
    await release();
    const again = await send(sender.contact.email);
    await api.close();
    expect(held).toEqual({ status: 500, body: { message: 'Server Error', code: 'server_error' } });
    expect(free.status).toBe(201);
    expect(again.status).toBe(201);
    const { total } = await stores.messages.list(sender.workspace.id, { offset: 0, limit: 10 });
    expect(total).toBe(2);
  });
});

describeOn(['mongodb'], 'one account, on which many processes book at once', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('takes every entry once, beside a service that books without a rest', async () => {
    const service = (await database.instance(new FlakyLog(), { patience: PATIENCE_BESIDE })).stores;
    const sender = await createSender(service);
    const { id: workspaceId } = sender.workspace;
    const before = await service.coins.account(workspaceId);
    const beside = await atOnce(20, () => database.instance(new FlakyLog(), { patience: PATIENCE_BESIDE }));
    const done = new AbortController();
    const busy = bookUntil(done.signal, service, sender);
    const posted = beside.map(({ stores }, n) => stores.coins.post(aGift(sender, `beside-${n}`)));
    const outcomes = await Promise.all(posted).finally(() => done.abort());
    const all = outcomes.length + (await busy);
    expect(outcomes).toEqual(Array(20).fill('posted'));
    expect(await service.coins.account(workspaceId)).toMatchObject({ balance: before.balance + all });
    const rows = (await service.coins.rows(workspaceId, 0, 100_000)).slice(-all);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => at(rows, 0).seq + n));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(all);
  });

  async function bookUntil(signal: AbortSignal, stores: Stores, sender: Sender): Promise<number> {
    for (let count = 0; ; count += 1) {
      if (signal.aborted) return count;
      await stores.coins.post(aGift(sender, `service-${count}`));
    }
  }
});
