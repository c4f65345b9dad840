import { describe, expect, it } from '@jest/globals';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { Message } from '../../../domain/messages/message';
import type { Signal } from '../../../domain/engagement/signal';
import { createEngagementConsumer } from '../../../consumers/engagement';
import type { Stores } from '../../../stores/ports';
import { decodeRecord } from '../../../streams/decode-record';
import type { EventRecord, HitRecord } from '../../../streams/record-values';
import type { OutgoingRecord } from '../../../streams/records';
import { dead, drop, ok } from '../../../streams/results';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { acceptMessage, aHit, aSignal, createSender, messageId, storedRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';

const subject = sharedEngine(openTemporary);
const LATER = TEST_START + MINUTE;

/** Of a request that tells nothing. */
const FACTS = { method: 'GET', agent: null, network: null, client: null };
const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The consumer on the real stores, and the events that were committed with a stored signal. */
function engagement(parts: Partial<Stores> = {}, flagsAtDelivery = false) {
  const events: EventRecord[] = [];
  const keep = (records: readonly OutgoingRecord[]): void => {
    for (const record of records) if (record.topic === 'message.events') events.push(record.value);
  };
  const signals: Stores['signals'] = {
    flag: (...args) => subject.stores.signals.flag(...args),
    reasonAt: (place) => subject.stores.signals.reasonAt(place),
    ofMessage: (id) => subject.stores.signals.ofMessage(id),
    store: async (signal, workspaceId, records) => {
      const outcome = await subject.stores.signals.store(signal, workspaceId, records);
      if (outcome === 'stored') keep(records);
      return outcome;
    },
  };
  const consumer = createEngagementConsumer({ stores: { ...subject.stores, signals, ...parts }, flagsAtDelivery });
  const handle = async (value: unknown) => {
    const whole = isFields(value) ? { ...FACTS, ...value } : value;
    const { record, fault } = decodeRecord(storedRecord('engagement.hits', whole));
    return record ? consumer.handle(record) : dead(fault);
  };
  return { events, handle };
}

const aMessage = async (): Promise<Message> => acceptMessage(subject.stores, await createSender(subject.stores));
const contactOf = (message: Message) => subject.stores.contacts.get(message.workspaceId, message.contactId);
const kindsOf = async (message: Message): Promise<string[]> =>
  (await subject.stores.signals.ofMessage(message.id)).map(({ kind }) => kind).sort();

/** A store that dies at one call, as a crash there would. */
class Crash extends Error {}
const crash = (): Promise<never> => Promise.reject(new Crash('crash'));

describe('the engagement consumer', () => {
  it('reads the group of the public pages', () => {
    expect(createEngagementConsumer({ stores: subject.stores, flagsAtDelivery: false })).toMatchObject({
      group: 'engagement',
    });
  });

  it('keeps an open and tells it with the time it happened', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    const open = aSignal(message.id, { at: LATER });
    expect(await handle(open)).toEqual(ok);
    expect(await subject.stores.signals.ofMessage(message.id)).toEqual([open]);
    expect(events).toEqual([
      { workspaceId: message.workspaceId, messageId: message.id, event: 'open', occurredAt: LATER, key: open.id },
    ]);
  });

  // spec: docs/contract.md#events: events are written to the log with their change
  it('tells every open, also of a mail that was opened before', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    for (let i = 0; i < 3; i += 1) expect(await handle(aSignal(message.id))).toEqual(ok);
    expect(events.map(({ event }) => event)).toEqual(['open', 'open', 'open']);
  });

  // spec: docs/contract.md#events: events are written to the log with their change
  it('tells a click with its destination', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    const click = aSignal(message.id, { kind: 'click', link: 0, at: LATER });
    expect(await handle(click)).toEqual(ok);
    const expected = { workspaceId: message.workspaceId, messageId: message.id, event: 'click', occurredAt: LATER };
    expect(events).toEqual([{ ...expected, link: 0, key: click.id }]);
  });

  // spec: docs/contract.md#open-pixel: a click also counts as an open
  it('counts a click as an open too, at the time of the click', async () => {
    const message = await aMessage();
    await engagement().handle(aSignal(message.id, { kind: 'click', link: 0, at: LATER }));
    expect(await kindsOf(message)).toEqual(['click']);
    const query = { by: 'opens' as const, since: null, audienceId: null, offset: 0, limit: 10 };
    expect((await subject.stores.engagement.top(message.workspaceId, query)).items).toMatchObject([
      { opened: 1, clicked: 1, totalClicks: 1, lastActivityAt: LATER },
    ]);
  });

  it('stores and tells a signal once, however often the record arrives', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    const click = aSignal(message.id, { kind: 'click', link: 0 });
    expect(await handle(click)).toEqual(ok);
    for (let i = 0; i < 3; i += 1) expect(await handle(click)).toEqual(drop('already stored'));
    expect(await Promise.all([handle(click), handle(click)])).toHaveLength(2);
    expect(await kindsOf(message)).toEqual(['click']);
    expect(events).toHaveLength(1);
  });

  it('parks a signal of a message that is not in the store', async () => {
    const { handle, events } = engagement();
    expect(await handle(aSignal(messageId()))).toEqual({ kind: 'dead', reason: NOT_IN_STORE });
    expect(events).toEqual([]);
  });

  it('keeps and tells signals of a message whose contact was deleted', async () => {
    const message = await aMessage();
    await subject.stores.contacts.delete(message.workspaceId, message.contactId);
    const { handle, events } = engagement();
    expect(await handle(aSignal(message.id))).toEqual(ok);
    expect(await handle(aSignal(message.id, { kind: 'unsubscribe' }))).toEqual(ok);
    expect(events.map(({ event }) => event)).toEqual(['open', 'unsubscribe']);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'open'],
    ['a list', []],
    ['an unknown kind', aSignal(messageId(), { kind: 'glance' as Signal['kind'] })],
    ['no id', { ...aSignal(messageId()), id: undefined }],
    ['an id that is no text', { ...aSignal(messageId()), id: 7 }],
    ['a message id that is none', aSignal('1 OR 1=1')],
    ['a time that is a text', { ...aSignal(messageId()), at: '1' }],
    ['a click on a link that is no number', aSignal(messageId(), { kind: 'click', link: 'x' as never })],
    ['a click without a destination', aSignal(messageId(), { kind: 'click' })],
    ['an open with a destination', aSignal(messageId(), { link: 0 })],
  ])('parks a record that carries %s, with the reason', async (_, value) => {
    const result = await engagement().handle(value);
    expect(result).toEqual({
      kind: 'dead',
      reason: expect.stringContaining('not a record of engagement.hits, version 1: '),
    });
  });

  it('reads records of a newer program that say more', async () => {
    const message = await aMessage();
    expect(await engagement().handle({ ...aSignal(message.id), machine: true })).toEqual(ok);
  });
});

describe('an unsubscribe', () => {
  const unsubscribe = (message: Message, at = LATER): Signal => aSignal(message.id, { kind: 'unsubscribe', at });

  // spec: docs/contract.md#unsubscribing: contact: the unsubscribe link makes it unsubscribed
  it('makes the contact unsubscribed at the time of the signal, and is told', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    expect(await handle(unsubscribe(message))).toEqual(ok);
    expect(await contactOf(message)).toMatchObject({ status: 'unsubscribed', unsubscribedAt: LATER });
    expect(events).toEqual([
      {
        workspaceId: message.workspaceId,
        messageId: message.id,
        event: 'unsubscribe',
        occurredAt: LATER,
        key: expect.stringContaining('unsubscribe:'),
      },
    ]);
  });

  it('never lowers a contact that bounced or complained', async () => {
    for (const status of ['bounced', 'complained'] as const) {
      const message = await aMessage();
      await subject.stores.contacts.raiseStatus(message.workspaceId, message.contactId, status, TEST_START);
      expect(await engagement().handle(unsubscribe(message))).toEqual(ok);
      expect(await contactOf(message)).toMatchObject({ status });
    }
  });

  // spec: docs/contract.md#events: events are written to the log with their change
  it('is one event, however often the button is pressed', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    expect(await handle(unsubscribe(message))).toEqual(ok);
    expect(await handle(unsubscribe(message, LATER + SECOND))).toEqual(drop('already stored'));
    expect(await handle(unsubscribe(message, LATER + MINUTE))).toEqual(drop('already stored'));
    expect(events).toHaveLength(1);
    expect(await contactOf(message)).toMatchObject({ unsubscribedAt: LATER });
  });

  it('is an event of each mail whose link was used', async () => {
    const sender = await createSender(subject.stores);
    const { handle, events } = engagement();
    const first = await acceptMessage(subject.stores, sender);
    const second = await acceptMessage(subject.stores, sender);
    await handle(unsubscribe(first));
    await handle(unsubscribe(second));
    expect(events.map((event) => event.messageId)).toEqual([first.id, second.id]);
  });

  it('leaves nothing undone by a crash before the contact is changed', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    const dying = engagement({ contacts: { ...subject.stores.contacts, raiseStatus: crash } });
    const signal = unsubscribe(message);
    await expect(dying.handle(signal)).rejects.toThrow(Crash);
    expect(await handle(signal)).toEqual(ok);
    expect(await contactOf(message)).toMatchObject({ status: 'unsubscribed' });
    expect(events).toHaveLength(1);
  });

  it('leaves nothing undone by a crash between the contact and the signal', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    const dying = engagement({ signals: { ...subject.stores.signals, store: crash } });
    const signal = unsubscribe(message);
    await expect(dying.handle(signal)).rejects.toThrow(Crash);
    expect(await contactOf(message)).toMatchObject({ status: 'unsubscribed' });
    expect(await handle(signal)).toEqual(ok);
    expect(events).toHaveLength(1);
  });

  /** The contact as the stores answer it once the recipient has subscribed again at `at`. */
  const subscribedAgain = (at: number, raised: string[]): Pick<Stores, 'contacts'> => ({
    contacts: {
      ...subject.stores.contacts,
      get: async (workspaceId, id) => {
        const contact = await subject.stores.contacts.get(workspaceId, id);
        return contact && { ...contact, status: 'subscribed', subscribedAt: at };
      },
      raiseStatus: async (_, id, status) => {
        raised.push(`${id} ${status}`);
        return null;
      },
    },
  });

  it('read again after the recipient subscribed anew does not undo the newer consent', async () => {
    const message = await aMessage();
    const raised: string[] = [];
    const { handle, events } = engagement(subscribedAgain(LATER + MINUTE, raised));
    expect(await handle(unsubscribe(message))).toMatchObject({ kind: 'drop' });
    expect({ raised, events }).toEqual({ raised: [], events: [] });
  });

  it('counts again after the recipient subscribed anew, also by the link of an old mail', async () => {
    const message = await aMessage();
    const raised: string[] = [];
    await engagement().handle(unsubscribe(message));
    const { handle, events } = engagement(subscribedAgain(LATER + MINUTE, raised));
    expect(await handle(unsubscribe(message, LATER + 2 * MINUTE))).toEqual(ok);
    expect(raised).toEqual([`${message.contactId} unsubscribed`]);
    expect(events).toHaveLength(1);
  });

  it('is not lost to a clock that went back, when the mail was sent under the consent it ends', async () => {
    const message = await aMessage();
    const { handle } = engagement();
    expect(await handle(unsubscribe(message, TEST_START - MINUTE))).toEqual(ok);
    expect(await contactOf(message)).toMatchObject({ status: 'unsubscribed' });
  });
});

describe('machines', () => {
  const hit = (message: Message, change: Partial<HitRecord>) => aHit(message.id, { at: LATER, ...change });
  const reasons = async (message: Message) =>
    (await subject.stores.signals.ofMessage(message.id)).map(({ machine }) => machine);
  const deliver = (message: Message, at: number) =>
    subject.stores.messages.change(message.id, () => ({ set: { status: 'delivered' }, at, records: [] }));

  // spec: docs/contract.md#machines: a HEAD, a known agent or network
  it('are flagged by what their request tells, and are events all the same', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    expect(await handle(hit(message, { method: 'HEAD' }))).toEqual(ok);
    expect(await handle(hit(message, { kind: 'click', link: 0, agent: 'scanner' }))).toEqual(ok);
    expect((await reasons(message)).sort()).toEqual(['agent', 'head']);
    expect(events.map(({ event }) => event)).toEqual(['open', 'click']);
  });

  it('are shown by a hit on the hidden link, which is no event', async () => {
    const message = await aMessage();
    const { handle, events } = engagement();
    await handle(hit(message, { kind: 'click', link: 0, client: '0a1f' }));
    expect(await handle(hit(message, { kind: 'hidden', client: '0a1f' }))).toEqual(ok);
    expect(await reasons(message)).toEqual(['hidden_link']);
    expect(events.map(({ event }) => event)).toEqual(['click']);
  });

  // spec: docs/contract.md#machines: within 2 s of the delivery report, not in the sandbox
  it('are flagged within 2 s of the delivery report, when it came before', async () => {
    const message = await aMessage();
    await deliver(message, LATER);
    const { handle } = engagement({}, true);
    await handle(hit(message, { at: LATER + 2 * SECOND }));
    await handle(hit(message, { at: LATER + 3 * SECOND }));
    expect(await reasons(message)).toEqual(['delivery', null]);
  });

  it('are flagged when the report comes between the two looks at it, and when the record comes again', async () => {
    const message = await aMessage();
    const { signals } = subject.stores;
    const early = hit(message, {});
    const racing: Stores['signals'] = {
      ...signals,
      flag: (...args) => signals.flag(...args),
      ofMessage: (id) => signals.ofMessage(id),
      store: async (...args) => {
        const outcome = await signals.store(...args);
        await deliver(message, LATER);
        return outcome;
      },
    };
    await engagement({ signals: racing }, true).handle(early);
    expect(await reasons(message)).toEqual(['delivery']);
    await engagement({}, true).handle(early);
    expect(await reasons(message)).toEqual(['delivery']);
  });

  it('are flagged when the report was applied before they were stored, and a crash came right after that', async () => {
    const message = await aMessage();
    const { signals } = subject.stores;
    const early = hit(message, {});
    const dying: Stores['signals'] = {
      flag: (...args) => signals.flag(...args),
      reasonAt: (place) => signals.reasonAt(place),
      ofMessage: (id) => signals.ofMessage(id),
      store: async (...args) => {
        await deliver(message, LATER);
        await signals.store(...args);
        return crash();
      },
    };
    await expect(engagement({ signals: dying }, true).handle(early)).rejects.toThrow(Crash);
    expect(await reasons(message)).toEqual([null]);
    expect(await engagement({}, true).handle(early)).toEqual(drop('already stored'));
    expect(await reasons(message)).toEqual(['delivery']);
  });

  // spec: docs/contract.md#machines: within 2 s of the delivery report, not in the sandbox
  it('are not flagged by the delivery report in the sandbox', async () => {
    const message = await aMessage();
    await deliver(message, LATER);
    await engagement().handle(hit(message, { kind: 'click', link: 0 }));
    expect(await reasons(message)).toEqual([null]);
  });
});
