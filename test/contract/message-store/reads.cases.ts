import { describe, expect, it } from '@jest/globals';
import type { Message, MessageStatus } from '../../../domain/messages/message';
import type { ListQuery, MessageFilter } from '../../../stores/ports/message-store';
import { aContact, acceptMessage, createSender, messageId, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { at, inTurn } from '../helpers';

/** Five messages, a second apart, oldest first. */
const acceptFive = (subject: Subject, sender: Sender) =>
  inTurn(5, (index) => acceptMessage(subject.stores, sender, { facts: { createdAt: TEST_START + index * 1_000 } }));

function describeList(open: OpenEngine): void {
  describe('list', () => {
    const subject = sharedEngine(open);
    const ids = async (sender: Sender, query: { status?: MessageStatus; offset: number; limit: number }) => {
      const { total, items } = await subject.stores.messages.list(sender.workspace.id, query);
      return { total, ids: items.map(({ id }) => id) };
    };

    it('is newest first, page by page, with the total', async () => {
      const sender = await createSender(subject.stores);
      const newest = (await acceptFive(subject, sender)).map(({ id }) => id).reverse();
      expect(await ids(sender, { offset: 0, limit: 2 })).toEqual({ total: 5, ids: newest.slice(0, 2) });
      expect(await ids(sender, { offset: 2, limit: 2 })).toEqual({ total: 5, ids: newest.slice(2, 4) });
      expect(await ids(sender, { offset: 4, limit: 2 })).toEqual({ total: 5, ids: newest.slice(4) });
      expect(await ids(sender, { offset: 5, limit: 2 })).toEqual({ total: 5, ids: [] });
    });

    it('holds messages as they are read by id', async () => {
      const sender = await createSender(subject.stores);
      await acceptMessage(subject.stores, sender, { facts: { metadata: { 'order.id': 'A-1' } } });
      const { items } = await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 10 });
      expect(items).toEqual([await subject.stores.messages.get(at(items, 0).id)]);
    });

    it('is filtered by status, the total too', async () => {
      const sender = await createSender(subject.stores);
      const five = await acceptFive(subject, sender);
      const failed = [at(five, 1).id, at(five, 3).id];
      for (const id of failed) {
        await subject.stores.messages.change(id, () => ({ set: { status: 'failed' }, at: TEST_START, records: [] }));
      }
      expect(await ids(sender, { status: 'failed', offset: 0, limit: 10 })).toEqual({
        total: 2,
        ids: failed.reverse(),
      });
      expect((await ids(sender, { status: 'queued', offset: 1, limit: 1 })).total).toBe(3);
      expect(await ids(sender, { status: 'delivered', offset: 0, limit: 10 })).toEqual({ total: 0, ids: [] });
    });

    it('never shows messages of another workspace', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      await acceptFive(subject, theirs);
      expect(await ids(ours, { offset: 0, limit: 10 })).toEqual({ total: 0, ids: [] });
    });
  });
}

function describeSearch(open: OpenEngine): void {
  describe('a search', () => {
    it('counts as far as it is told to, and has every page all the same', async () => {
      const sender = await createSender(subject.stores);
      await acceptFive(subject, sender);
      const list = (query: Omit<ListQuery, 'limit'>) =>
        subject.stores.messages.list(sender.workspace.id, { channel: 'api', limit: 2, ...query });
      const all = (await Promise.all([0, 2, 4].map((offset) => list({ offset })))).flatMap(({ items }) => items);
      expect(all).toHaveLength(5);
      for (const offset of [0, 2, 4, 6]) {
        const page = await list({ offset, countUpTo: 3 });
        expect(page).toEqual({ total: 3, isMore: true, items: all.slice(offset, offset + 2) });
      }
      for (const countUpTo of [5, 6]) {
        expect(await list({ offset: 4, countUpTo })).toEqual({ total: 5, isMore: false, items: all.slice(4) });
      }
    });

    const subject = sharedEngine(open);
    const search = async (
      sender: Sender,
      filter: MessageFilter,
      { offset = 0, limit = 10 } = {},
    ): Promise<[number, string[]]> => {
      const { total, items } = await subject.stores.messages.list(sender.workspace.id, { ...filter, offset, limit });
      return [total, items.map(({ id }) => id)];
    };
    const sent = async (sender: Sender, createdAt: number, facts: Partial<Message> = {}): Promise<string> =>
      (await acceptMessage(subject.stores, sender, { facts: { createdAt, ...facts } })).id;

    // spec: docs/contract.md#list-of-messages: on both engines
    it('by time includes both bounds', async () => {
      const sender = await createSender(subject.stores);
      const ids = (await acceptFive(subject, sender)).map(({ id }) => id);
      const [since, until] = [TEST_START + 1_000, TEST_START + 3_000];
      expect(await search(sender, { since, until })).toEqual([3, [ids[3], ids[2], ids[1]]]);
      expect(await search(sender, { since: since + 1, until: until - 1 })).toEqual([1, [ids[2]]]);
      expect(await search(sender, { since: until })).toEqual([2, [ids[4], ids[3]]]);
      expect(await search(sender, { until: since })).toEqual([2, [ids[1], ids[0]]]);
      expect(await search(sender, { since: until, until: since })).toEqual([0, []]);
      expect(await search(sender, { until: TEST_START - 1 })).toEqual([0, []]);
    });

    it('is newest first whatever the channel, page by page, with the total', async () => {
      const sender = await createSender(subject.stores);
      const channels = ['app', 'smtp', 'api', 'app', 'api', 'smtp', 'app'] as const;
      const ids = await inTurn(channels.length, (n) => sent(sender, TEST_START + n, { channel: channels[n]! }));
      const newest = [...ids].reverse();
      const all = { since: TEST_START };
      for (let offset = 0; offset <= ids.length; offset += 2) {
        expect(await search(sender, all, { offset, limit: 2 })).toEqual([7, newest.slice(offset, offset + 2)]);
      }
      expect(await search(sender, { ...all, channel: 'app' })).toEqual([3, [ids[6], ids[3], ids[0]]]);
      expect(await search(sender, { channel: 'smtp' })).toEqual([2, [ids[5], ids[1]]]);
      expect(await search(sender, { channel: 'app' }, { offset: 2 })).toEqual([3, [ids[0]]]);
    });

    it('keeps a place for each of many messages of one moment', async () => {
      const sender = await createSender(subject.stores);
      const ids = await inTurn(9, () => sent(sender, TEST_START));
      const pages = await inTurn(5, (n) => search(sender, { since: TEST_START }, { offset: 2 * n, limit: 2 }));
      expect(pages.flatMap(([, found]) => found).sort()).toEqual([...ids].sort());
    });

    it('by status holds what has it now', async () => {
      const sender = await createSender(subject.stores);
      const ids = (await acceptFive(subject, sender)).map(({ id }) => id);
      for (const id of [at(ids, 1), at(ids, 3)]) {
        await subject.stores.messages.change(id, () => ({ set: { status: 'failed' }, at: TEST_START, records: [] }));
      }
      const since = TEST_START + 2_000;
      expect(await search(sender, { status: 'failed', since })).toEqual([1, [ids[3]]]);
      expect(await search(sender, { status: 'queued', since })).toEqual([2, [ids[4], ids[2]]]);
      expect(await search(sender, { status: 'failed', channel: 'api' })).toEqual([2, [ids[3], ids[1]]]);
      expect(await search(sender, { status: 'failed', channel: 'app' })).toEqual([0, []]);
    });

    it('by contact finds its messages, alone or with other filters, and no others', async () => {
      const sender = await createSender(subject.stores);
      const other = await subject.stores.contacts.ensure(aContact(sender.workspace.id));
      const ids = await inTurn(4, (n) =>
        sent(sender, TEST_START + n, { contactId: n % 2 ? other.id : sender.contact.id, to: 'x' }),
      );
      const { id: contactId } = sender.contact;
      expect(await search(sender, { contactId })).toEqual([2, [ids[2], ids[0]]]);
      expect(await search(sender, { contactId: other.id }, { offset: 1 })).toEqual([2, [ids[1]]]);
      expect(await search(sender, { contactId, since: TEST_START + 1 })).toEqual([1, [ids[2]]]);
      expect(await search(sender, { contactId, channel: 'smtp' })).toEqual([0, []]);
      expect(await search(sender, { contactId, status: 'queued' })).toEqual([2, [ids[2], ids[0]]]);
      expect(await search(sender, { contactId: 999_999_999 })).toEqual([0, []]);
    });

    it('by a deleted contact still finds its messages, which name no address', async () => {
      const sender = await createSender(subject.stores);
      const id = await sent(sender, TEST_START);
      const { id: contactId, workspaceId } = sender.contact;
      await subject.stores.contacts.delete(workspaceId, contactId);
      const { items } = await subject.stores.messages.list(workspaceId, { contactId, offset: 0, limit: 10 });
      expect(items.map((message) => [message.id, message.to])).toEqual([[id, null]]);
    });

    it('never finds messages of another workspace', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      await acceptFive(subject, theirs);
      const filters = [{ contactId: theirs.contact.id }, { since: TEST_START }, { channel: 'api' as const }];
      for (const filter of filters) expect(await search(ours, filter)).toEqual([0, []]);
    });
  });
}

function describeById(open: OpenEngine): void {
  describe('a read by id', () => {
    const subject = sharedEngine(open);

    it('of many comes in the order asked, without unknown ones', async () => {
      const sender = await createSender(subject.stores);
      const [a, b, c] = (await acceptFive(subject, sender)).map(({ id }) => id) as [string, string, string];
      const asked = [c, messageId(), a, 'not an id', '', b];
      const read = await subject.stores.messages.getMany(sender.workspace.id, asked);
      expect(read.map(({ id }) => id)).toEqual([c, a, b]);
      expect(read[0]).toEqual(await subject.stores.messages.get(c));
    });

    it('of many leaves out those of other workspaces', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      const mine = await acceptMessage(subject.stores, ours);
      const foreign = await acceptMessage(subject.stores, theirs);
      const read = await subject.stores.messages.getMany(ours.workspace.id, [foreign.id, mine.id]);
      expect(read).toEqual([mine]);
      expect(await subject.stores.messages.getMany(ours.workspace.id, [])).toEqual([]);
    });

    it('of a hundred at once answers all', async () => {
      const sender = await createSender(subject.stores);
      const stored = await inTurn(100, () => acceptMessage(subject.stores, sender));
      const asked = stored.map(({ id }) => id).sort((x, y) => (x.slice(-6) < y.slice(-6) ? -1 : 1));
      const read = await subject.stores.messages.getMany(sender.workspace.id, asked);
      expect(read.map(({ id }) => id)).toEqual(asked);
    });

    it.each(['00000000-0000-7000-8000-000000000000', 'not an id', ''])(
      'of the unknown %j answers nothing',
      async (id) => {
        const { messages } = subject.stores;
        expect(await messages.get(id)).toBeNull();
        expect(await messages.job(id)).toBeNull();
        expect(await messages.history(id)).toEqual([]);
        expect(await messages.attempts(id)).toEqual([]);
        expect(await messages.links(id)).toEqual([]);
      },
    );
  });
}

function describeJob(open: OpenEngine): void {
  describe('job', () => {
    const subject = sharedEngine(open);

    it('holds the message and its contact as they are now', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      const { id, workspaceId } = sender.contact;
      const contact = await subject.stores.contacts.raiseStatus(workspaceId, id, 'unsubscribed', TEST_START + 1);
      expect(await subject.stores.messages.job(message.id)).toEqual({
        message,
        contact,
        body: { html: '<p>Halo {{nama|Kak}}</p>', text: null },
        attachments: [],
        preheader: null,
      });
    });

    it('leaves out content larger than asked for, and tells its size', async () => {
      const sender = await createSender(subject.stores);
      const body = { html: `<p>é${'x'.repeat(994)}</p>`, text: 'é'.repeat(50) };
      const file = { filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(5_000, 1) };
      const attachments = [file, { ...file, content: Buffer.alloc(0) }, { ...file, content: Buffer.alloc(1_000, 2) }];
      const attachmentsUntil = TEST_START + 1_000;
      const { id } = await acceptMessage(subject.stores, sender, { body, attachments, attachmentsUntil });
      const { messages } = subject.stores;
      const whole = await messages.job(id);
      expect(whole).toMatchObject({ body, attachments: [{ filename: 'a.bin' }, {}, {}] });
      expect(whole).not.toHaveProperty('withheld');
      for (const upTo of [0, 1_102, 1_103, 7_102]) {
        expect(await messages.job(id, upTo)).toEqual({
          message: whole!.message,
          contact: whole!.contact,
          body: null,
          attachments: [],
          preheader: null,
          withheld: { body: 1_103, attachments: 6_000 },
        });
      }
      expect(await messages.job(id, 7_103)).toEqual(whole);
    });

    it('has nothing to leave out once its content is gone', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptMessage(subject.stores, sender);
      expect(await subject.stores.messages.job(id, 1_000)).toEqual(await subject.stores.messages.job(id));
      await subject.stores.contacts.delete(sender.contact.workspaceId, sender.contact.id);
      expect(await subject.stores.messages.job(id, 0)).toMatchObject({ body: null, attachments: [] });
    });

    it('has no contact once that was deleted, also when the address came back', async () => {
      const sender = await createSender(subject.stores);
      const message = await acceptMessage(subject.stores, sender);
      const { id, workspaceId, email, emailHash } = sender.contact;
      await subject.stores.contacts.delete(workspaceId, id);
      expect((await subject.stores.messages.job(message.id))?.contact).toBeNull();
      await subject.stores.contacts.ensure({ workspaceId, email, emailHash, name: 'Baru', at: TEST_START });
      expect((await subject.stores.messages.job(message.id))?.contact).toBeNull();
    });
  });
}

/** Reads see every write acknowledged before they began. */
export function describeReads(open: OpenEngine): void {
  describeList(open);
  describeSearch(open);
  describeById(open);
  describeJob(open);
}
