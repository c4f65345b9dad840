import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import type { Contact } from '../../domain/contacts/contact';
import { ENGAGEMENT_ORDERS, hourOf, type Engagement } from '../../domain/engagement/engagement';
import type { Message } from '../../domain/messages/message';
import type { MachineReason } from '../../domain/engagement/machine';
import type { Signal } from '../../domain/engagement/signal';
import type { EngagementQuery } from '../../stores/ports/engagement-store';
import { acceptMessage, aContact, aSignal, createSender, messageId, type Sender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { at, atOnce, inTurn } from './helpers';

const ALL: EngagementQuery = { by: 'opens', since: null, audienceId: null, offset: 0, limit: 200 };
const NOW = hourOf(TEST_START);

/** A workspace that sends mails to several contacts, and what they did. */
class Shop {
  private constructor(
    private readonly subject: Subject,
    readonly sender: Sender,
  ) {}

  static async open(subject: Subject): Promise<Shop> {
    return new Shop(subject, await createSender(subject.stores));
  }

  get workspaceId(): number {
    return this.sender.workspace.id;
  }

  contact(name: string | null = null): Promise<Contact> {
    return this.subject.stores.contacts.ensure(aContact(this.workspaceId, { name }));
  }

  /** A mail to the contact, handed off at that time; null = not yet. */
  async mail(contact: Contact, dispatchedAt: number | null = NOW - 100 * DAY): Promise<Message> {
    const message = await acceptMessage(this.subject.stores, { ...this.sender, contact });
    const change = { set: { status: 'sent_to_mta' as const, dispatchedAt }, at: NOW, records: [] };
    if (dispatchedAt !== null) await this.subject.stores.messages.change(message.id, () => change);
    return message;
  }

  store(signal: Signal): Promise<unknown> {
    return this.subject.stores.signals.store(signal, this.workspaceId, []);
  }

  /** Takes the opens and clicks of that email and time for those of a machine. */
  flag({ messageId, at: time }: Signal): Promise<void> {
    const window = { from: time, to: time, reason: 'delivery' as const };
    return this.subject.stores.signals.flag(messageId, this.workspaceId, window);
  }

  open({ id }: Message, time: number): Promise<unknown> {
    return this.store(aSignal(id, { at: time }));
  }

  click({ id }: Message, time: number): Promise<unknown> {
    return this.store(aSignal(id, { kind: 'click', at: time, link: 0 }));
  }

  top(query: Partial<EngagementQuery> = {}): ReturnType<Subject['stores']['engagement']['top']> {
    return this.subject.stores.engagement.top(this.workspaceId, { ...ALL, ...query });
  }

  async ids(query: Partial<EngagementQuery> = {}): Promise<number[]> {
    return (await this.top(query)).items.map(({ contact }) => contact.id);
  }
}

/** The EngagementStore behaviour required of every driver. */
function describeEngagementStore(open: OpenEngine): void {
  describe('EngagementStore', () => {
    const subject = sharedEngine(open);
    const shop = (): Promise<Shop> => Shop.open(subject);

    describeCounting(subject, shop);
    describeLists(subject, shop);
    describeContacts(subject, shop);
    describeAnyOrder(shop);
  });
}

type OpenShop = () => Promise<Shop>;

function describeCounting(subject: Subject, shop: OpenShop): void {
  // spec: docs/contract.md#contact-engagement: counted per unique email; a click counts as an open
  it('counts emails once however often they are opened, and every click', async () => {
    const here = await shop();
    const sari = await here.contact('Sari');
    const [first, second] = [await here.mail(sari), await here.mail(sari)];
    await here.mail(sari);
    await here.mail(sari, null);
    await here.open(first, NOW - HOUR);
    await here.open(first, NOW - 3 * HOUR);
    await here.click(second, NOW - 2 * HOUR);
    await here.click(second, NOW - 2 * HOUR + 1);
    const { id, email, name, status } = sari;
    const all = {
      contact: { id, email, name, status },
      opened: 2,
      clicked: 1,
      totalClicks: 2,
      openedByPeople: 2,
      clickedByPeople: 1,
      totalClicksByPeople: 2,
      lastActivityAt: NOW - HOUR,
    };
    expect(await here.top()).toEqual({ total: 1, items: [{ ...all, received: 3 }] });
    const { contact: _, ...ofContact } = all;
    expect(await subject.stores.engagement.ofContact(here.workspaceId, id)).toEqual(ofContact);
    expect(await subject.stores.engagement.ofContact(here.workspaceId + 1, id)).toBeNull();
    expect(await subject.stores.engagement.ofContact(here.workspaceId, (await here.contact()).id)).toBeNull();
    expect(await here.top({ since: NOW - 3 * HOUR })).toEqual({ total: 1, items: [{ ...all, received: 2 }] });
  });

  // spec: docs/contract.md#contact-engagement: counted per unique email; a click counts as an open
  it('counts a click as an open, and an unsubscribe as neither', async () => {
    const here = await shop();
    const [sari, budi] = [await here.contact(), await here.contact()];
    await here.click(await here.mail(sari), NOW);
    await here.store(aSignal((await here.mail(budi)).id, { kind: 'unsubscribe', at: NOW }));
    expect((await here.top()).items).toMatchObject([{ contact: { id: sari.id }, opened: 1, clicked: 1 }]);
  });

  it('counts in a period what was opened or clicked in it, to the hour', async () => {
    const here = await shop();
    const sari = await here.contact();
    const message = await here.mail(sari, NOW - 9 * HOUR);
    await here.click(message, NOW - 5 * HOUR);
    await here.open(message, NOW - 2 * HOUR - 1);
    const seen = async (since: number) =>
      (await here.top({ since })).items.map(({ opened, clicked, totalClicks }) => [opened, clicked, totalClicks]);
    expect(await seen(NOW - 5 * HOUR)).toEqual([[1, 1, 1]]);
    expect(await seen(NOW - 4 * HOUR)).toEqual([[1, 0, 0]]);
    expect(await seen(NOW - 3 * HOUR)).toEqual([[1, 0, 0]]);
    expect(await seen(NOW - 2 * HOUR)).toEqual([]);
  });

  // spec: docs/contract.md#contact-engagement: only emails handed to the sending server count as received
  it('receives what was handed over in the period, and what was opened in it though handed over before', async () => {
    const here = await shop();
    const sari = await here.contact();
    const old = await here.mail(sari, NOW - 50 * HOUR);
    await here.mail(sari, NOW - 50 * HOUR);
    await here.mail(sari, NOW - 2 * HOUR);
    await here.open(old, NOW - HOUR);
    expect((await here.top({ since: NOW - 2 * HOUR })).items).toMatchObject([{ received: 2, opened: 1 }]);
    expect((await here.top({ since: NOW - HOUR })).items).toMatchObject([{ received: 1, opened: 1 }]);
    expect((await here.top()).items).toMatchObject([{ received: 3, opened: 1 }]);
  });

  it('counts an email that was opened before its hand-over was known', async () => {
    const here = await shop();
    const sari = await here.contact();
    await here.open(await here.mail(sari, null), NOW);
    expect((await here.top()).items).toMatchObject([{ received: 1, opened: 1 }]);
  });

  it('counts 50 repeats at once as one, and 50 signals at once as 50', async () => {
    const here = await shop();
    const message = await here.mail(await here.contact());
    const click = aSignal(message.id, { kind: 'click', at: NOW, link: 0 });
    await atOnce(50, () => here.store(click));
    expect((await here.top()).items).toMatchObject([{ opened: 1, clicked: 1, totalClicks: 1 }]);
    await atOnce(50, (n) => here.click(message, NOW - n * 20 * MINUTE));
    expect((await here.top()).items).toMatchObject([{ opened: 1, clicked: 1, totalClicks: 51, lastActivityAt: NOW }]);
    expect((await here.top({ since: NOW })).items).toMatchObject([{ opened: 1, clicked: 1, totalClicks: 2 }]);
  });

  it('keeps what was counted through a crash', async () => {
    const here = await shop();
    const message = await here.mail(await here.contact());
    await here.click(message, NOW);
    await subject.crash();
    expect((await here.top()).items).toMatchObject([{ opened: 1, clicked: 1, totalClicks: 1 }]);
  });
}

function describeLists(subject: Subject, shop: OpenShop): void {
  // spec: docs/contract.md#contact-engagement: `by`: order for opens and clicks
  it('ranks by opens: opened, clicked, total clicks; by clicks: clicked, total clicks, opened; equal ones by id', async () => {
    const here = await shop();
    const contacts = await inTurn(5, () => here.contact());
    const act = async (index: number, opened: number, clicked: number, clicks: number): Promise<void> => {
      for (let n = 0; n < opened; n += 1) {
        const message = await here.mail(at(contacts, index));
        await here.open(message, NOW);
        for (let c = 0; n < clicked && c < (n === 0 ? clicks - clicked + 1 : 1); c += 1) await here.click(message, NOW);
      }
    };
    await act(0, 3, 0, 0);
    await act(1, 2, 2, 2);
    await act(2, 2, 1, 9);
    await act(3, 2, 1, 3);
    await act(4, 2, 1, 3);
    const order = (indexes: number[]): number[] => indexes.map((index) => at(contacts, index).id);
    expect(await here.ids()).toEqual(order([0, 1, 2, 3, 4]));
    expect(await here.ids({ by: 'clicks' })).toEqual(order([1, 2, 3, 4, 0]));
    expect(await here.ids({ by: 'clicks', since: NOW })).toEqual(order([1, 2, 3, 4, 0]));
  });

  it('pages through all of them with an exact total, and a page beyond the last is empty', async () => {
    const here = await shop();
    const contacts = await inTurn(7, () => here.contact());
    for (const contact of contacts) await here.open(await here.mail(contact), NOW);
    const ids = contacts.map(({ id }) => id);
    for (const since of [null, NOW]) {
      const page = (offset: number) => here.top({ since, offset, limit: 3 });
      expect((await page(3)).items.map(({ contact }) => contact.id)).toEqual(ids.slice(3, 6));
      for (const offset of [0, 3, 6]) expect((await page(offset)).total).toBe(7);
      for (const offset of [7, Number.MAX_SAFE_INTEGER]) expect(await page(offset)).toEqual({ total: 7, items: [] });
    }
    expect(await here.top({ since: NOW + HOUR })).toEqual({ total: 0, items: [] });
  });

  it('answers many questions at once', async () => {
    const here = await shop();
    await here.open(await here.mail(await here.contact()), NOW);
    const answers = await atOnce(40, (n) => here.top({ limit: 1 + (n % 8) }));
    expect(answers.map(({ total }) => total)).toEqual(answers.map(() => 1));
  });

  it('keeps workspaces apart', async () => {
    const [here, there] = [await shop(), await shop()];
    await here.open(await here.mail(await here.contact()), NOW);
    expect(await there.top()).toEqual({ total: 0, items: [] });
  });

  it('restricts to the members of an audience', async () => {
    const here = await shop();
    const contacts = await inTurn(3, () => here.contact());
    for (const contact of contacts) await here.open(await here.mail(contact), NOW);
    const { id: audienceId } = await subject.stores.audiences.create({
      workspaceId: here.workspaceId,
      name: 'Pelanggan',
      description: null,
      publicToken: messageId(),
      optInMode: 'single',
      createdAt: NOW,
    });
    expect(await here.top({ audienceId })).toEqual({ total: 0, items: [] });
    for (const index of [0, 2]) {
      await subject.stores.audiences.join(here.workspaceId, audienceId, { contactId: at(contacts, index).id }, NOW);
    }
    const members = [at(contacts, 0).id, at(contacts, 2).id];
    for (const since of [null, NOW]) {
      expect(await here.ids({ audienceId, since })).toEqual(members);
      expect((await here.top({ audienceId, since, offset: 1, limit: 1 })).total).toBe(2);
    }
  });
}

function describeContacts(subject: Subject, shop: OpenShop): void {
  it('leaves out a contact that is deleted, and what its mails are told afterwards', async () => {
    const here = await shop();
    const [sari, budi] = [await here.contact(), await here.contact()];
    const [one, two] = [await here.mail(sari), await here.mail(budi)];
    await here.open(one, NOW);
    await here.open(two, NOW);
    await subject.stores.contacts.delete(here.workspaceId, sari.id);
    await here.click(one, NOW + HOUR);
    for (const since of [null, NOW]) {
      expect(await here.top({ since })).toMatchObject({ total: 1, items: [{ contact: { id: budi.id } }] });
    }
  });

  it('leaves nothing of a contact that is deleted while signals come', async () => {
    const here = await shop();
    const contacts = await inTurn(6, () => here.contact());
    const mails = await Promise.all(contacts.map((contact) => here.mail(contact)));
    await atOnce(60, (n) => {
      const index = n % contacts.length;
      if (n >= 30 && n < 36) return subject.stores.contacts.delete(here.workspaceId, at(contacts, index).id);
      return here.click(at(mails, index), NOW - n * HOUR);
    });
    for (const since of [null, NOW - 999 * HOUR]) expect(await here.top({ since })).toEqual({ total: 0, items: [] });
  });
}

/** One hit, as numbers that the case turns into a contact's mail and a time. */
const aHit = fc.record({
  mail: fc.nat(7),
  kind: fc.constantFrom<Signal['kind']>('open', 'open', 'click', 'unsubscribe'),
  halfHours: fc.nat(40),
  machine: fc.constantFrom<MachineReason | null>(null, null, 'agent'),
  /** A machine by what is found out later. */
  isFlaggedLater: fc.boolean(),
});
/** Positions in the list of hits, in the order of delivery, with repeats. */
const aDelivery = (count: number) =>
  fc.array(fc.nat(count - 1), { minLength: 0, maxLength: count }).map((places) => [...places, ...Array(count).keys()]);

function describeAnyOrder(shop: OpenShop): void {
  // spec: docs/contract.md#machines: the figures of people stand beside the counts
  // spec: docs/contract.md#contact-engagement: counted per unique email; a click counts as an open
  it('counts any signals, in any order and repetition and several at once, as adding them up would', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(aHit, { minLength: 1, maxLength: 30 })
          .chain((hits) => fc.tuple(fc.constant(hits), aDelivery(hits.length))),
        fc.integer({ min: 1, max: 9 }),
        async (given, together) => {
          const [hits, delivery] = given;
          const here = await shop();
          const contacts = await inTurn(3, () => here.contact());
          const mails = await atOnce(8, (n) => here.mail(at(contacts, n % 3), NOW - n * 4 * HOUR));
          const signals = hits.map(({ mail, kind, halfHours, machine }) =>
            aSignal(at(mails, mail).id, {
              kind,
              at: NOW - halfHours * 30 * MINUTE,
              link: kind === 'click' ? 0 : null,
              machine: kind === 'unsubscribe' ? null : machine,
            }),
          );
          for (let from = 0; from < delivery.length; from += together) {
            await Promise.all(delivery.slice(from, from + together).map((place) => here.store(at(signals, place))));
          }
          const late = signals.filter((_, n) => at(hits, n).isFlaggedLater);
          await Promise.all(
            [...late, ...late, ...signals].map((signal, n) =>
              n < late.length * 2 ? here.flag(signal) : here.store(signal),
            ),
          );
          const flagged = (one: Signal): boolean =>
            late.some(({ messageId, at: when }) => messageId === one.messageId && when === one.at);
          const judged = signals.map((one) => (flagged(one) ? { ...one, machine: one.machine ?? 'delivery' } : one));
          for (const by of ENGAGEMENT_ORDERS) {
            for (const since of [null, NOW - 7 * HOUR, NOW]) {
              const wanted = addUp(contacts, mails, judged, since).sort(inOrder(by));
              expect(await here.top({ by, since })).toEqual({ total: wanted.length, items: wanted });
            }
          }
        },
      ),
      { numRuns: 8, seed: 20_260_105 },
    );
  });
}

/** A direct implementation of the contract for a row. */
function addUp(
  contacts: readonly Contact[],
  mails: readonly Message[],
  signals: readonly Signal[],
  since: number | null,
): Engagement[] {
  const from = since ?? 0;
  return contacts.flatMap(({ id, email, name, status }) => {
    const hits = (message: Message, kinds: Signal['kind'][]) =>
      signals.filter((s) => s.messageId === message.id && kinds.includes(s.kind) && s.at >= from);
    const own = mails.filter(({ contactId }) => contactId === id);
    const opened = own.filter((message) => hits(message, ['open', 'click']).length > 0);
    if (opened.length === 0) return [];
    const handedOver = own.filter((message) => NOW - mails.indexOf(message) * 4 * HOUR >= from);
    const byPeople = (message: Message, kinds: Signal['kind'][]) =>
      hits(message, kinds).filter(({ machine }) => machine === null);
    return {
      contact: { id, email, name, status },
      received: new Set([...handedOver, ...opened]).size,
      opened: opened.length,
      clicked: own.filter((message) => hits(message, ['click']).length > 0).length,
      totalClicks: own.flatMap((message) => hits(message, ['click'])).length,
      openedByPeople: own.filter((message) => byPeople(message, ['open', 'click']).length > 0).length,
      clickedByPeople: own.filter((message) => byPeople(message, ['click']).length > 0).length,
      totalClicksByPeople: own.flatMap((message) => byPeople(message, ['click'])).length,
      lastActivityAt: Math.max(...opened.flatMap((message) => hits(message, ['open', 'click']).map((s) => s.at))),
    };
  });
}

const inOrder =
  (by: 'opens' | 'clicks') =>
  (a: Engagement, b: Engagement): number => {
    const key = ({ opened, clicked, totalClicks, contact }: Engagement): number[] =>
      by === 'opens' ? [-opened, -clicked, -totalClicks, contact.id] : [-clicked, -totalClicks, -opened, contact.id];
    const [left, right] = [key(a), key(b)];
    const differing = left.findIndex((value, n) => value !== right[n]);
    return differing < 0 ? 0 : at(left, differing) - at(right, differing);
  };

onEveryDriver(describeEngagementStore);
