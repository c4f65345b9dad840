import { describe, expect, it } from '@jest/globals';
import { campaignMessageId } from '../../../domain/campaigns/campaign-run';
import type { Message } from '../../../domain/messages/message';
import type { MessageSearch } from '../../../stores/ports/message-finder';
import { acceptMessage, aSignal, createSender, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, inTurn } from '../helpers';

type Filter = Omit<MessageSearch, 'limit' | 'after'>;

/** What is found by what the messages say, page by page. */
export function describeFind(open: OpenEngine): void {
  describe('find', () => {
    const subject = sharedEngine(open);
    const sent = async (sender: Sender, n: number, facts: Partial<Message> = {}): Promise<string> =>
      (await acceptMessage(subject.stores, sender, { facts: { createdAt: TEST_START + n, ...facts } })).id;
    /** All that fits, in pages of `limit`. */
    const found = async (sender: Sender, filter: Filter, limit = 100): Promise<string[]> => {
      const ids: string[] = [];
      let page: MessageSearch | null = { ...filter, limit };
      while (page) {
        const { items, next } = await subject.stores.messageFinder.find(sender.workspace.id, page);
        expect(items.length).toBeLessThanOrEqual(limit);
        ids.push(...items.map(({ id }) => id));
        page = next && { ...page, after: next };
      }
      return ids;
    };

    it('is newest first whatever the channel, page by page, each message once', async () => {
      const sender = await createSender(subject.stores);
      const channels = ['app', 'smtp', 'api', 'app', 'api', 'smtp', 'app'] as const;
      const newest = (await inTurn(7, (n) => sent(sender, n, { channel: channels[n]! }))).reverse();
      for (const limit of [1, 2, 3, 7, 8]) expect(await found(sender, {}, limit)).toEqual(newest);
      expect(await found(sender, { channel: 'app' }, 2)).toEqual([newest[0], newest[3], newest[6]]);
      expect(await found(sender, { status: 'failed' }, 2)).toEqual([]);
    });

    it('holds messages as they are read by id, and none of another workspace', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      const id = await sent(ours, 0, { metadata: { order: 'A-1' } });
      await sent(theirs, 0, { metadata: { order: 'A-1' } });
      const search = { metadata: { key: 'order', value: 'A-1' }, limit: 10 };
      const { items, next } = await subject.stores.messageFinder.find(ours.workspace.id, search);
      expect([items, next]).toEqual([[await subject.stores.messages.get(id)], null]);
    });

    it('goes on at the message where a page ended, also among many of one moment', async () => {
      const sender = await createSender(subject.stores);
      const ids = await inTurn(9, () => sent(sender, 0));
      for (const filter of [{}, { since: TEST_START, until: TEST_START }, { contactId: sender.contact.id }])
        expect((await found(sender, filter, 2)).sort()).toEqual([...ids].sort());
    });

    it('finds a part of the subject in any case, to the letter', async () => {
      const sender = await createSender(subject.stores);
      const subjects = ['Nota 100% LUNAS', 'nota 1000 lunas', 'Café_Épicé (*) [a]', 'Kuitansi\\', 'cafe'];
      const ids = await inTurn(subjects.length, (n) => sent(sender, n, { subject: subjects[n]! }));
      const places = async (part: string): Promise<number[]> =>
        (await found(sender, { subject: part })).map((id) => ids.indexOf(id)).sort();
      expect(
        await inTurn(9, (n) =>
          places(at(['nOTa', '100% l', '00 ', 'CAFÉ_é', '(*) [A', 'é (*) [', '\\', 'a.t', 'x'], n)),
        ),
      ).toEqual([[0, 1], [0], [1], [2], [2], [2], [3], [], []]);
    });

    it('finds a value of the metadata as text or number, to the letter, and no other key', async () => {
      const sender = await createSender(subject.stores);
      const all: Message['metadata'][] = [
        { order: 1042, note: 'x' },
        { order: '1042' },
        { 'x"order': '1042', note: '"order":"1042"' },
        { order: 10420 },
        null,
        { a: '"', order: true },
        { order: null },
      ];
      const ids = await inTurn(all.length, (n) => sent(sender, n, { metadata: all[n]! }));
      const places = async (key: string, value: string): Promise<number[]> =>
        (await found(sender, { metadata: { key, value } }, 1)).map((id) => ids.indexOf(id)).sort();
      expect(await places('order', '1042')).toEqual([0, 1]);
      expect(await places('order', '10420')).toEqual([3]);
      expect(await places('x"order', '1042')).toEqual([2]);
      expect(await places('order', 'true')).toEqual([5]);
      expect(await places('order', 'null')).toEqual([6]);
      expect(await places('note', '.')).toEqual([]);
    });

    it('finds the domain of sender or recipient, not its subdomains', async () => {
      const sender = await createSender(subject.stores);
      const to = ['a@toko.example', 'b@x.toko.example', 'c@tokoxexample', null];
      const ids = await inTurn(to.length, (n) =>
        sent(sender, n, { to: to[n]!, ...(n === 1 && { domainId: 990_001 }) }),
      );
      expect(await found(sender, { toDomain: 'toko.example' })).toEqual([ids[0]]);
      expect(await found(sender, { domainId: 990_001 })).toEqual([ids[1]]);
      expect(await found(sender, { domainId: sender.domain.id })).toEqual([ids[3], ids[2], ids[0]]);
    });

    it('finds the mails of a campaign, without its tests, whatever was sent beside them', async () => {
      const sender = await createSender(subject.stores);
      const campaign = { id: 770_001 + sender.workspace.id, sentAt: TEST_START };
      const of = (n: number): Partial<Message> => ({
        id: campaignMessageId(campaign, n),
        campaignId: campaign.id,
        lane: 'campaign',
        channel: 'app',
      });
      const ids = await inTurn(6, (n) => sent(sender, n * 10, n % 2 ? of(n) : {}));
      await sent(sender, 25, { campaignId: campaign.id, channel: 'app' });
      expect(await found(sender, { campaign }, 2)).toEqual([ids[5], ids[3], ids[1]]);
      expect(await found(sender, { campaign, until: TEST_START + 30 })).toEqual([ids[3], ids[1]]);
      expect(await found(sender, { campaign: { id: 1, sentAt: TEST_START } })).toEqual([]);
    });

    it('joins what it looks at with every other filter', async () => {
      const sender = await createSender(subject.stores);
      const ids = await inTurn(6, (n) =>
        sent(sender, n, { subject: n % 2 ? 'Nota' : 'Resi', channel: n < 4 ? 'api' : 'smtp' }),
      );
      await subject.stores.messages.change(at(ids, 3), () => ({
        set: { status: 'bounced' },
        at: TEST_START,
        records: [],
      }));
      await subject.stores.messages.change(at(ids, 5), () => ({
        set: { complainedAt: TEST_START },
        at: TEST_START,
        records: [],
      }));
      await subject.stores.signals.store(
        aSignal(at(ids, 1), { kind: 'open', at: TEST_START }),
        sender.workspace.id,
        [],
      );
      const nota = { subject: 'nota' };
      expect(await found(sender, { ...nota, channel: 'api' }, 1)).toEqual([ids[3], ids[1]]);
      expect(await found(sender, { ...nota, status: 'bounced' }, 1)).toEqual([ids[3]]);
      expect(await found(sender, { ...nota, engagement: 'opened' }, 1)).toEqual([ids[1]]);
      expect(await found(sender, { ...nota, engagement: 'complained' }, 1)).toEqual([ids[5]]);
      expect(await found(sender, { ...nota, since: TEST_START + 1, until: TEST_START + 3 }, 1)).toEqual([
        ids[3],
        ids[1],
      ]);
      expect(await found(sender, { ...nota, contactId: sender.contact.id, channel: 'smtp' }, 1)).toEqual([ids[5]]);
      expect(await found(sender, { ...nota, engagement: 'opened', contactId: 999_999_999 })).toEqual([]);
    });
  });
}
