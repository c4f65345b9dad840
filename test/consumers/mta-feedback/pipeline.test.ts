import { describe, expect, it } from '@jest/globals';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { createFeedbackConsumer } from '../../../consumers/mta-feedback';
import { feedbackPipeline, type FeedbackDeps } from '../../../consumers/mta-feedback/pipeline';
import type { Feedback } from '../../../domain/messages/feedback';
import type { Message } from '../../../domain/messages/message';
import { texts } from '../../../domain/texts';
import { DAY } from '../../../lib/clock';
import { UnavailableError } from '../../../lib/errors';
import type { Stores } from '../../../stores/ports';
import { ok } from '../../../streams/results';
import { acceptAndClaim } from '../../contract/claiming';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { aSignal, createSender, messageId, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { handOver, passFenceOf } from './handed-over';

const subject = sharedEngine(openTemporary);
const LATER = TEST_START + 1_000;

const feedback = (change: Partial<Feedback> = {}): Feedback => ({
  kind: 'delivered',
  trusted: true,
  text: '',
  class: change.kind === 'bounced' ? 'address_unknown' : null,
  hard: change.kind === 'bounced',
  at: LATER,
  ...change,
});

/** The pipeline over the real store, and what it warned of. */
function pipeline(stores: FeedbackDeps['stores'] = subject.stores, flagsAtDelivery = false) {
  const warnings: unknown[] = [];
  const logger = { debug: () => {}, info: () => {}, error: () => {}, warn: (facts: unknown) => warnings.push(facts) };
  const handle = feedbackPipeline({ stores, evidenceWait: 4 * DAY, flagsAtDelivery, logger });
  return {
    warnings,
    handle: ({ id }: Pick<Message, 'id'>, report: Feedback) => handle({ messageId: id, feedback: report }),
  };
}

async function handedOver(): Promise<{ sender: Sender; message: Message }> {
  const sender = await createSender(subject.stores);
  return { sender, message: await handOver(subject, sender) };
}
const read = async ({ id }: Message): Promise<Message> => (await subject.stores.messages.get(id))!;
const contactOf = async ({ workspace, contact }: Sender) =>
  (await subject.stores.contacts.get(workspace.id, contact.id))!.status;
const suppressed = ({ workspace, contact }: Sender) =>
  subject.stores.suppressions.reason(workspace.id, contact.emailHash);
const eventsOf = ({ id }: Message) =>
  subject
    .records('message.events')
    .filter(({ value }) => value.messageId === id)
    .map(({ value: { event, occurredAt, reason } }) => ({ event, occurredAt, reason }));
const ledgerOf = ({ id }: Message) =>
  subject
    .records('coins.entries')
    .filter(({ value }) => value.messageId === id)
    .map(({ value: { kind, amount } }) => ({ kind, amount }));

describe('the feedback consumer', () => {
  it('reads the group of reports', () => {
    const { stores } = subject;
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    expect(createFeedbackConsumer({ stores, evidenceWait: DAY, flagsAtDelivery: false, logger })).toMatchObject({
      group: 'mta-feedback',
    });
  });
});

describe('a report', () => {
  it('of a delivery makes the message delivered, and does nothing to the recipient', async () => {
    const { sender, message } = await handedOver();
    expect(await pipeline().handle(message, feedback())).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'delivered', failedReason: null, dueAt: null });
    expect(eventsOf(message)).toEqual([{ event: 'delivered', occurredAt: message.dispatchedAt, reason: undefined }]);
    expect([await contactOf(sender), await suppressed(sender), ledgerOf(message)]).toEqual(['subscribed', null, []]);
  });

  // spec: docs/contract.md#reports-that-count: failed with a status of success
  it('that contradicts itself is parked with what it says, and changes nothing', async () => {
    const { sender, message } = await handedOver();
    const { handle, warnings } = pipeline();
    const unclear = feedback({ kind: 'unclear', text: '2.0.0 250 ok' });
    expect(await handle(message, unclear)).toEqual({
      kind: 'dead',
      reason: 'failed with a status of success: 2.0.0 250 ok',
    });
    expect(await read(message)).toEqual(message);
    expect([await contactOf(sender), await suppressed(sender), ledgerOf(message)]).toEqual(['subscribed', null, []]);
    expect(warnings).toEqual([]);
    expect(await handle(message, { ...unclear, trusted: false })).toMatchObject({ kind: 'drop' });
    expect(warnings).toHaveLength(1);
  });

  // spec: docs/contract.md#classes-of-bounces: a hard bounce: 4 coins, suppression, contact bounced
  it('of a bounce makes the message bounced, suppresses the recipient, and takes the penalty', async () => {
    const { sender, message } = await handedOver();
    expect(await pipeline().handle(message, feedback({ kind: 'bounced', text: '550 no such user' }))).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'bounced', failedReason: '550 no such user' });
    expect(eventsOf(message)).toEqual([{ event: 'bounce', occurredAt: LATER, reason: '550 no such user' }]);
    expect(ledgerOf(message)).toEqual([expect.objectContaining({ amount: -4 })]);
    expect([await contactOf(sender), await suppressed(sender)]).toEqual(['bounced', 'hard_bounce']);
  });

  it('of a complaint proves the delivery, suppresses the recipient, and takes the penalty', async () => {
    const { sender, message } = await handedOver();
    expect(await pipeline().handle(message, feedback({ kind: 'complaint' }))).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'delivered', complainedAt: LATER });
    expect(eventsOf(message).map(({ event }) => event)).toEqual(['delivered', 'complaint']);
    expect(ledgerOf(message)).toEqual([expect.objectContaining({ amount: -4 })]);
    expect([await contactOf(sender), await suppressed(sender)]).toEqual(['complained', 'complaint']);
  });

  it('of a delay says so, and leaves the message open', async () => {
    const { message } = await handedOver();
    expect(await pipeline().handle(message, feedback({ kind: 'delayed', text: '450 busy' }))).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'sent_to_mta', failedReason: `${texts.delayed}: 450 busy` });
    expect(eventsOf(message)).toEqual([]);
  });

  it('that the sending server gave up fails the message, and gives the coin back', async () => {
    const { sender, message } = await handedOver();
    expect(await pipeline().handle(message, feedback({ kind: 'expired' }))).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'failed', reopenable: 'expired' });
    expect(ledgerOf(message)).toEqual([{ kind: 'refund', amount: 1 }]);
    expect([await contactOf(sender), await suppressed(sender)]).toEqual(['subscribed', null]);
    // What arrived all the same is paid for.
    expect(await pipeline().handle(message, feedback())).toEqual(ok);
    expect(await read(message)).toMatchObject({ status: 'delivered', reopenable: null });
    expect(ledgerOf(message).reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  it('faster than the answer of the sending server counts once the fence is passed', async () => {
    const sender = await createSender(subject.stores);
    const claimed = await acceptAndClaim(subject, sender);
    const { handle } = pipeline();
    expect(await handle(claimed, feedback({ kind: 'bounced' }))).toEqual({
      kind: 'drop',
      reason: 'nothing to do: bounced on sending',
    });
    expect([await contactOf(sender), await suppressed(sender)]).toEqual(['subscribed', null]);
    await passFenceOf(subject, claimed);
    expect(await handle(claimed, feedback({ kind: 'bounced' }))).toEqual(ok);
    expect((await read(claimed)).status).toBe('bounced');
  });

  it.each(['delivered', 'bounced', 'complaint', 'expired', 'delayed'] as const)(
    'of %s that is read again changes nothing',
    async (kind) => {
      const { sender, message } = await handedOver();
      const { handle } = pipeline();
      const report = feedback({ kind, text: 'the same' });
      expect(await handle(message, report)).toEqual(ok);
      const state = async () => [await read(message), eventsOf(message), ledgerOf(message), await contactOf(sender)];
      const before = await state();
      expect(await handle(message, report)).toMatchObject({ kind: 'drop' });
      expect(await state()).toEqual(before);
    },
  );

  it('on a message that is not in the store is parked, never done', async () => {
    const { handle, warnings } = pipeline();
    const outcome = await handle({ id: messageId() }, feedback({ trusted: false }));
    expect(outcome).toEqual({ kind: 'dead', reason: NOT_IN_STORE });
    expect(warnings).toEqual([]);
  });
});

describe('a report of a peer that is not trusted', () => {
  it.each(['delivered', 'expired', 'delayed'] as const)('of %s is dropped with a warning', async (kind) => {
    const { message } = await handedOver();
    const { handle, warnings } = pipeline();
    expect(await handle(message, feedback({ kind, trusted: false }))).toMatchObject({ kind: 'drop' });
    expect(await read(message)).toEqual(message);
    expect(warnings).toEqual([{ messageId: message.id, kind }]);
  });

  it.each(['bounced', 'complaint'] as const)('of %s counts for 30 days', async (kind) => {
    const [inTime, late] = [await handedOver(), await handedOver()];
    const { handle, warnings } = pipeline();
    const report = (days: number): Feedback => feedback({ kind, trusted: false, at: TEST_START + days * DAY });
    expect(await handle(inTime.message, report(30))).toEqual(ok);
    expect(await suppressed(inTime.sender)).not.toBeNull();
    expect(warnings).toEqual([]);
    expect(await handle(late.message, { ...report(30), at: TEST_START + 30 * DAY + 1 })).toMatchObject({
      kind: 'drop',
    });
    expect([await suppressed(late.sender), await read(late.message)]).toEqual([null, late.message]);
    expect(warnings).toHaveLength(1);
  });
});

describe('between the recipient and the message', () => {
  const bounce = feedback({ kind: 'bounced', text: '550 no' });

  it('a crash leaves the recipient suppressed, and the report read again does the rest once', async () => {
    const { sender, message } = await handedOver();
    const change: Stores['messages']['change'] = () => Promise.reject(new UnavailableError('disk full'));
    const { messages, contacts, suppressions, signals, bounces, optIns } = subject.stores;
    const failing = pipeline({
      bounces,
      optIns,
      contacts,
      suppressions,
      signals,
      messages: { ...messages, get: (id) => messages.get(id), change },
    });
    await expect(failing.handle(message, bounce)).rejects.toThrow('disk full');
    expect([await contactOf(sender), await suppressed(sender)]).toEqual(['bounced', 'hard_bounce']);
    expect([await read(message), eventsOf(message), ledgerOf(message)]).toEqual([message, [], []]);

    expect(await pipeline().handle(message, bounce)).toEqual(ok);
    expect((await read(message)).status).toBe('bounced');
    expect([eventsOf(message).length, ledgerOf(message).length]).toEqual([1, 1]);
    expect(await subject.stores.suppressions.list(sender.workspace.id, 10)).toHaveLength(1);
  });

  it('another report may be faster: the message is changed once', async () => {
    const { message } = await handedOver();
    const both = await Promise.all([1, 2].map(() => pipeline().handle(message, bounce)));
    expect(both).toContainEqual(ok);
    expect(both).toContainEqual({ kind: 'drop', reason: expect.any(String) });
    expect([eventsOf(message).length, ledgerOf(message).length]).toEqual([1, 1]);
  });

  it('a report that is overtaken says so', async () => {
    const { message } = await handedOver();
    const { messages, contacts, suppressions, signals, bounces, optIns } = subject.stores;
    await pipeline().handle(message, bounce);
    const stale = { ...messages, get: async () => message, change: messages.change.bind(messages) };
    const { handle } = pipeline({ bounces, optIns, contacts, suppressions, signals, messages: stale });
    expect(await handle(message, bounce)).toEqual({ kind: 'drop', reason: 'overtaken by another report' });
    expect([eventsOf(message).length, ledgerOf(message).length]).toEqual([1, 1]);
  });
});

describe('opens and clicks that came with the delivery report', () => {
  const delivered = feedback({ kind: 'delivered' });
  const machinesOf = async ({ id }: Message) =>
    (await subject.stores.signals.ofMessage(id)).map(({ machine }) => machine);
  const open = async (message: Message, at: number) =>
    subject.stores.signals.store(aSignal(message.id, { at }), message.workspaceId, []);

  // spec: docs/contract.md#machines: within 2 s of the delivery report, not in the sandbox
  it('are flagged, also the earlier ones, and once', async () => {
    const { message } = await handedOver();
    await open(message, LATER - 1_000);
    await open(message, LATER - 3_000);
    const { handle } = pipeline(subject.stores, true);
    expect(await handle(message, delivered)).toEqual(ok);
    expect(await machinesOf(message)).toEqual([null, 'delivery']);
  });

  it('are flagged by a repeat of the report, when a crash came between it and them', async () => {
    const { message } = await handedOver();
    await pipeline(subject.stores, false).handle(message, delivered);
    await open(message, LATER);
    await pipeline(subject.stores, true).handle(message, delivered);
    expect(await machinesOf(message)).toEqual(['delivery']);
  });

  it('are left to people in the sandbox', async () => {
    const { message } = await handedOver();
    await open(message, LATER);
    await pipeline().handle(message, delivered);
    expect(await machinesOf(message)).toEqual([null]);
  });
});
