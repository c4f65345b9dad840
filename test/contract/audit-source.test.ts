import { describe, expect, it } from '@jest/globals';
import { keyRecords, ledgerRecords, penaltyRecords } from '../../operations/audit/account-records';
import { findStrays, platformDays } from '../../operations/audit/audit-installation';
import { listCounts } from '../../operations/audit/list-counts';
import { pendingEntries } from '../../operations/audit/message-coins';
import { messageRecords, type FoundMessage } from '../../operations/audit/message-records';
import { find, readAliveUntil } from '../../operations/audit/rows';
import { MAX_WEBHOOKS } from '../../domain/webhooks/webhook';
import { DAY, HOUR } from '../../lib/clock';
import { addressPenalty, messagePenalty, refund } from '../../domain/ledger/coins';
import type { AuditSource, Pages, SnapshotWithLog } from '../../stores/ports/audit-source';
import {
  acceptMessage,
  aContact,
  aGrant,
  anAcceptance,
  aSuppression,
  aWebhook,
  createSender,
  messageId,
  refundRecord,
} from '../support/builders';
import { TEST_START } from '../support/clock';
import { anAudience } from '../support/marketing';
import { describeWebhookAudit, describeWebhooksOfWorkspace } from './audit-webhooks.cases';
import { anEvent } from './delivery-store/support';
import { acceptAndClaim, claimAll, newDay } from './claiming';
import { onMongodbAndKafka } from './cluster/open';
import { onEveryDriver } from './drivers';
import { freshEngine, Subject, type OpenEngine } from './harness';
import { at, atOnce } from './helpers';
import { pollCount, positionsAfter, withReader } from './log-reading';

async function collect<T>(pages: Pages<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** Everything of a workspace, as plain values. */
async function readAll(rows: SnapshotWithLog, workspaceId: number): Promise<object> {
  return {
    workspaces: await find(rows, 'workspaces', 'id', [workspaceId]),
    accounts: await find(rows, 'accounts', 'id', [workspaceId]),
    messages: await collect(messageRecords(rows, workspaceId)),
    ledger: await collect(ledgerRecords(rows, workspaceId)),
    penalties: await collect(penaltyRecords(rows, workspaceId)),
    keys: await collect(keyRecords(rows, workspaceId)),
    claims: await collect(rows.scan('claims', workspaceId)),
    days: await find(rows, 'sendDays', 'workspaceId', [workspaceId]),
    pending: [...(await pendingEntries(rows, workspaceId))],
    webhooks: await collect(rows.scan('webhooks', workspaceId)),
    events: await collect(rows.scan('events', workspaceId)),
    deliveries: await collect(rows.scan('deliveries', workspaceId)),
    enrollments: await collect(rows.scan('enrollments', workspaceId)),
    alive: await readAliveUntil(rows),
  };
}

const installationId = (source: AuditSource): Promise<string | null> =>
  source.snapshot(async (rows) => (await rows.settings()).installationId);

/** The AuditSource behaviour required of every driver. */
function describeAuditSource(open: OpenEngine): void {
  describe('AuditSource', () => {
    describeMessages(open);
    describeAccounts(open);
    describeMoments(open);
    describeInstallation(open);
    describeLists(open);
    describeInstallationId(open);
    describeWebhookAudit(open);
    describeWebhooksOfWorkspace(open);
  });
}

function describeInstallationId(open: OpenEngine): void {
  it('the installation has the id that its settings hold, and none before it was given one', async () => {
    const subject = new Subject(open);
    await subject.open();
    const source = await subject.audit();
    expect(await installationId(source)).toBeNull();
    await subject.stores.settings.setOnce('installation_id', 'an id');
    expect(await installationId(source)).toBe('an id');
    await subject.destroy();
  });
}

function describeLists(open: OpenEngine): void {
  it('lists come with their counters, which count what there is', async () => {
    const subject = new Subject(open);
    await subject.open();
    const sender = await createSender(subject.stores);
    await acceptMessage(subject.stores, sender);
    await acceptAndClaim(subject, sender);
    const others = await atOnce(3, () => subject.stores.contacts.ensure(aContact(sender.workspace.id)));
    const audience = await subject.stores.audiences.create(anAudience(sender.workspace.id));
    const join = (contactId: number) =>
      subject.stores.audiences.join(sender.workspace.id, audience.id, { contactId }, subject.clock.now());
    for (const { id } of others) await join(id);
    await subject.stores.contacts.delete(sender.workspace.id, at(others, 1).id);
    const source = await subject.audit();
    const lists = await source.snapshot((rows) => collect(listCounts(rows, source.kept, sender.workspace.id)));
    const contacts = lists.filter(({ list }) => list === 'contacts');
    expect(contacts[0]).toMatchObject({ items: 3, to: expect.any(Number) });
    expect(lists.find(({ list }) => list === `members of audience ${audience.id} in all,`)).toMatchObject({ items: 2 });
    for (const { items, counted } of lists) expect(counted).toBe(items);
    await subject.destroy();
  });
}

function describeMessages(open: OpenEngine): void {
  describe('messages', () => {
    const subject = freshEngine(open);
    const messagesOf = async (workspaceId: number): Promise<FoundMessage[]> =>
      (await subject.audit()).snapshot((rows) => collect(messageRecords(rows, workspaceId)));

    it('come with their state, history, attempts, ledger rows, body and attachments, as the other ports tell them', async () => {
      const sender = await createSender(subject.stores);
      const attachments = [1, 2].map((n) => ({
        filename: `${n}`,
        contentType: 'text/plain',
        content: Buffer.from('x'),
      }));
      const { id } = await acceptAndClaim(subject, sender, { attachments, attachmentsUntil: TEST_START + DAY });
      const { messages, coins } = subject.stores;
      await messages.change(id, () => ({
        set: { status: 'sent_to_mta', fence: 'token', fencedAt: TEST_START + 1, dispatchedAt: TEST_START + 2 },
        at: TEST_START + 2,
        attempt: { fencedAt: TEST_START + 1, finishedAt: TEST_START + 2, outcome: 'sent', reply: '250 ok' },
        records: [],
      }));
      await coins.post(refund(sender.workspace.id, id, 1, TEST_START + 3));
      await coins.post(messagePenalty(sender.workspace.id, id, TEST_START + 4));
      await acceptMessage(subject.stores, sender);

      const [record, ...others] = await messagesOf(sender.workspace.id);
      expect(others).toHaveLength(1);
      const message = await messages.get(id);
      expect(message).toMatchObject(record!.message);
      expect(Object.keys(record!.message)).toHaveLength(23);
      expect(record!.history).toEqual(await messages.history(id));
      const [attempt] = await messages.attempts(id);
      expect(record!.attempts).toEqual([{ ...attempt, reply: null }]);
      const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id);
      expect([...record!.coins].sort(byId)).toMatchObject((await coins.ofMessage(sender.workspace.id, id)).sort(byId));
      expect(record!.coins).toHaveLength(3);
      expect(record).toMatchObject({
        hasBody: true,
        attachments: 2,
        domainWorkspaceId: sender.workspace.id,
        contactWorkspaceId: sender.workspace.id,
        contactStatus: 'subscribed',
        hasRecipient: true,
      });
      expect(others[0]).toMatchObject({ attempts: [], coins: [], attachments: 0, hasBody: true });
    });

    it('come in the order of acceptance, each once, however many there are', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const ids = await atOnce(1_050, async (n) => {
        const acceptance = anAcceptance(n % 7 === 0 ? other : sender, { facts: { createdAt: TEST_START + n } });
        await subject.stores.messages.accept([acceptance]);
        return acceptance.facts.id;
      });
      const found = (await messagesOf(sender.workspace.id)).map(({ message }) => message.id);
      expect(found).toEqual(ids.filter((_, n) => n % 7 !== 0));
      expect(await messagesOf(other.workspace.id)).toHaveLength(150);
    });

    it('tell of a contact that was deleted, and of references that lead to another workspace', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      await acceptMessage(subject.stores, sender);
      await acceptMessage(subject.stores, { ...sender, domain: other.domain, contact: other.contact });
      await acceptMessage(subject.stores, { ...sender, domain: { ...sender.domain, id: 999_999 } });
      await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
      const here = sender.workspace.id;
      expect(await messagesOf(here)).toMatchObject([
        { domainWorkspaceId: here, contactWorkspaceId: null, contactStatus: null, hasRecipient: false },
        { domainWorkspaceId: other.workspace.id, contactWorkspaceId: other.workspace.id, hasRecipient: true },
        { domainWorkspaceId: null, contactWorkspaceId: null, hasRecipient: false },
      ]);
    });
  });
}

function describeAccounts(open: OpenEngine): void {
  describe('what belongs to an account', () => {
    const subject = freshEngine(open);
    const read = async <T>(part: (rows: SnapshotWithLog) => Promise<T>): Promise<T> =>
      (await subject.audit()).snapshotWithLog(part);

    it('the ledger comes in the order of booking, with the workspace of each message', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const here = sender.workspace.id;
      const { coins } = subject.stores;
      const [ours, theirs] = [await acceptMessage(subject.stores, sender), await acceptMessage(subject.stores, other)];
      const entries = [
        refund(here, ours.id, 1, TEST_START + 9),
        refund(here, theirs.id, 1, TEST_START),
        refund(here, messageId(), 1, TEST_START + 1),
        aGrant(here, 5, { kind: 'topup', purchase: { expiresAt: null } }),
      ];
      for (const entry of entries) await coins.post(entry);
      const rows = await read((found) => collect(ledgerRecords(found, here)));
      expect(rows.slice(1).map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
      expect(rows.map(({ messageWorkspaceId }) => messageWorkspaceId)).toEqual([
        null,
        here,
        other.workspace.id,
        null,
        null,
      ]);
      expect(rows[1]).toMatchObject({ ...entries[0], messageWorkspaceId: here });
      const accounts = await read((found) => find(found, 'accounts', 'id', [here]));
      expect(accounts).toMatchObject([await coins.account(here)]);
    });

    it('penalties of forced sends come by address and reason, with their gate, those of messages do not', async () => {
      const { workspace } = await createSender(subject.stores);
      const [one, two] = [aSuppression().addressHash, aSuppression().addressHash];
      const { coins } = subject.stores;
      for (const time of [TEST_START, TEST_START + HOUR, TEST_START + 2 * DAY]) {
        await coins.post(addressPenalty(workspace.id, one, 'suppressed', time));
      }
      await coins.post(addressPenalty(workspace.id, one, 'malformed', TEST_START));
      await coins.post(addressPenalty(workspace.id, two, 'suppressed', TEST_START + 1));
      await coins.post(messagePenalty(workspace.id, messageId(), TEST_START));
      const found = await read((rows) => collect(penaltyRecords(rows, workspace.id)));
      const penalty = (key: string, ...booked: number[]) => ({
        workspaceId: workspace.id,
        key,
        gateAt: booked.at(-1),
        booked,
      });
      expect(found).toHaveLength(3);
      expect(found).toEqual(
        expect.arrayContaining([
          penalty(`${one}:suppressed`, TEST_START, TEST_START + 2 * DAY),
          penalty(`${one}:malformed`, TEST_START),
          penalty(`${two}:suppressed`, TEST_START + 1),
        ]),
      );
    });

    it('idempotency keys come with their message', async () => {
      const sender = await createSender(subject.stores);
      const first = await acceptMessage(subject.stores, sender, { idempotencyKey: 'zz-pesanan' });
      const second = await acceptMessage(subject.stores, sender, { idempotencyKey: 'aa-pesanan' });
      const { id: workspaceId } = sender.workspace;
      const key = (name: string, { id }: { id: string }) => ({
        workspaceId,
        key: name,
        messageId: id,
        messageWorkspaceId: workspaceId,
      });
      const found = await read((rows) => collect(keyRecords(rows, workspaceId)));
      expect(found).toEqual([key('zz-pesanan', first), key('aa-pesanan', second)]);
    });

    it('each claim comes with its time, and the day counters as they stand', async () => {
      const sender = await createSender(subject.stores);
      const [early, late] = [newDay(), newDay()];
      const times = [TEST_START + 5, TEST_START + 5, TEST_START + 9];
      for (const time of times.toReversed()) {
        const day = time === TEST_START + 9 ? late : early;
        await acceptAndClaim(subject, sender, {}, { now: time, day, limit: 1 });
      }
      const { id } = sender.workspace;
      const claims = await read((rows) => collect(rows.scan('claims', id)));
      expect(claims.map(({ claimedAt }) => claimedAt).sort()).toEqual(times);
      const counters = await read((rows) => find(rows, 'sendDays', 'workspaceId', [id]));
      expect(counters.sort((a, b) => a.claims - b.claims)).toEqual([
        { day: late, workspaceId: id, claims: 1 },
        { day: early, workspaceId: id, claims: 2 },
      ]);
      const days = await read(platformDays);
      expect(days).toEqual([
        { day: early, platform: 2, workspaces: 2 },
        { day: late, platform: 1, workspaces: 1 },
      ]);
    });

    it('entries on their way to the ledger are there until the coins group has committed them', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const facts = (n: number) => ({ id: messageId(), workspaceId: (n === 2 ? other : sender).workspace.id });
      const records = [0, 1, 2].map((n) => refundRecord(facts(n), 1));
      await subject.log.publish(records);
      const pending = (): Promise<string[]> =>
        read(async (rows) => [...(await pendingEntries(rows, sender.workspace.id)).keys()]);
      const ids = records.map(({ value }) => (value as { id: string }).id);
      expect((await pending()).sort()).toEqual(ids.slice(0, 2).sort());
      await withReader(subject.log, 'coins', async (reader) => {
        const seen = await pollCount(reader, 3);
        await reader.commit(positionsAfter(seen));
      });
      expect(await pending()).toEqual([]);
    });
  });
}

function describeMoments(open: OpenEngine): void {
  describe('a snapshot', () => {
    const subject = freshEngine(open);

    it('shows no write that was committed after it, in any part, and does not hold the writer up', async () => {
      const sender = await createSender(subject.stores);
      const { id: workspaceId } = sender.workspace;
      await acceptAndClaim(subject, sender, { idempotencyKey: 'kunci-satu' });
      const source = await subject.audit();
      const before = await source.snapshotWithLog((rows) => readAll(rows, workspaceId));
      const during = await source.snapshotWithLog(async (rows) => {
        const message = await acceptAndClaim(subject, sender, { idempotencyKey: 'kunci-dua' });
        await subject.stores.coins.post(addressPenalty(workspaceId, 'hash', 'malformed', TEST_START));
        await subject.log.publish([refundRecord(message, 1)]);
        await subject.stores.webhooks.create(aWebhook(workspaceId, { eventTypes: ['delivered'] }), MAX_WEBHOOKS);
        await subject.stores.deliveries.fanOut(anEvent(workspaceId), TEST_START);
        await subject.stores.leases.acquire('later', 'me', TEST_START, 400 * DAY);
        return readAll(rows, workspaceId);
      });
      expect(during).toEqual(before);
      expect(before).toMatchObject({ workspaces: [{ id: workspaceId }] });
      const after = (await source.snapshotWithLog((rows) => readAll(rows, workspaceId))) as Record<string, unknown[]>;
      for (const part of ['messages', 'keys', 'claims']) expect(after[part]).toHaveLength(2);
      for (const part of ['penalties', 'pending', 'webhooks', 'events', 'deliveries'])
        expect(after[part]).toHaveLength(1);
      expect(after['alive']).toBe(TEST_START + 400 * DAY);
    });

    it('ends with its work, also when that fails', async () => {
      const sender = await createSender(subject.stores);
      const source = await subject.audit();
      const failing = source.snapshot(async () => {
        throw new Error('the rules failed');
      });
      await expect(failing).rejects.toThrow('the rules failed');
      await acceptMessage(subject.stores, sender);
      expect(await source.snapshot((rows) => collect(messageRecords(rows, sender.workspace.id)))).toHaveLength(1);
    });

    it('of a workspace that has nothing is empty', async () => {
      const source = await subject.audit();
      expect(await source.snapshotWithLog((rows) => readAll(rows, 12))).toEqual({
        workspaces: [],
        accounts: [],
        messages: [],
        ledger: [],
        penalties: [],
        keys: [],
        claims: [],
        days: [],
        pending: [],
        webhooks: [],
        events: [],
        deliveries: [],
        enrollments: [],
        alive: null,
      });
    });
  });
}

function describeInstallation(open: OpenEngine): void {
  describe('the installation', () => {
    const subject = freshEngine(open);

    it('finds every workspace that anything names, ascending', async () => {
      const senders = [await createSender(subject.stores), await createSender(subject.stores, { coins: 0 })];
      await subject.stores.coins.post(aGrant(4_000, 1));
      const foreign = { ...senders[0]!, workspace: { ...senders[0]!.workspace, id: 5_000 } };
      await acceptMessage(subject.stores, foreign);
      const source = await subject.audit();
      const known = senders.map(({ workspace }) => workspace.id);
      const found: number[] = [];
      for (let id = await source.nextWorkspace(0); id !== null; id = await source.nextWorkspace(id)) found.push(id);
      expect(found).toEqual([...known, 4_000, 5_000]);
    });

    it('counts and finds messages as they are now, and leaves out ids that no message has', async () => {
      const sender = await createSender(subject.stores);
      const source = await subject.audit();
      expect(await source.messageCount()).toBe(0);
      const [one, two] = [await acceptMessage(subject.stores, sender), await acceptMessage(subject.stores, sender)];
      await claimAll(subject, sender);
      const nobody = messageId();
      expect(await source.messageCount()).toBe(2);
      const found = await source.snapshot((rows) => find(rows, 'messages', 'id', [two.id, nobody, one.id, two.id]));
      expect(found.map(({ message: { id, status } }) => `${id} ${status}`).sort()).toEqual([
        `${one.id} sending`,
        `${two.id} sending`,
      ]);
    });

    it('has no body or attachment without a message, and no group beyond the end of its log', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      const source = await subject.audit();
      expect(await source.snapshot((rows) => findStrays(rows, 10))).toEqual([]);
      await subject.log.publish([refundRecord(message, 1)]);
      await withReader(subject.log, 'coins', async (reader) => {
        await reader.commit(positionsAfter(await pollCount(reader, 1)));
      });
      const coins = (await source.positions()).find(({ group }) => group === 'coins');
      expect(coins!.next).toBe(coins!.newest + 1);
    });

    it('knows a time the service had reached: the latest end of a lease, also of one that was let go', async () => {
      const source = await subject.audit();
      expect(await source.snapshot(readAliveUntil)).toBeNull();
      const { leases } = subject.stores;
      const epoch = await leases.acquire('shard', 'me', TEST_START, 15_000);
      await leases.acquire('another', 'me', TEST_START, 5_000);
      await leases.release('shard', 'me', epoch!);
      expect(await source.snapshot(readAliveUntil)).toBe(TEST_START + 15_000);
    });
  });
}

onEveryDriver(describeAuditSource, onMongodbAndKafka);
