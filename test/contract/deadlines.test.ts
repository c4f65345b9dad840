import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../domain/messages/message';
import { acceptMessage, createSender } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { acceptAndClaim, HAND_OFF } from './claiming';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine, type Subject } from './harness';

const LEASE_END = NOW + HAND_OFF;
const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') };

const set = (subject: Subject, id: string, fields: Partial<Message>) =>
  subject.stores.messages.change(id, () => ({ set: fields, at: NOW, records: [] }));

/** A message in the given state, with the history of a real one. */
async function messageAt(subject: Subject, state: Partial<Message>): Promise<string> {
  const { id } = await acceptAndClaim(subject, await createSender(subject.stores));
  await set(subject, id, state);
  return id;
}

function describeOverdue(open: OpenEngine): void {
  describe('overdue', () => {
    const subject = freshEngine(open);

    it('lists what is being sent once its lease has ended', async () => {
      const { id } = await acceptAndClaim(subject, await createSender(subject.stores));
      expect(await subject.stores.deadlines.overdue(LEASE_END - 1, 10)).toEqual([]);
      expect(await subject.stores.deadlines.overdue(LEASE_END + 1, 10)).toEqual([id]);
    });

    it('lists what waits for evidence once the wait has ended, its outcome unknown or handed over', async () => {
      const unknown = await messageAt(subject, { fence: 'f', fencedAt: NOW, unknown: true, dueAt: NOW + 5_000 });
      const handedOver = await messageAt(subject, { status: 'sent_to_mta', dispatchedAt: NOW, dueAt: NOW + 6_000 });
      expect(await subject.stores.deadlines.overdue(NOW + 4_999, 10)).toEqual([]);
      expect(await subject.stores.deadlines.overdue(NOW + 5_001, 10)).toEqual([unknown]);
      expect(await subject.stores.deadlines.overdue(NOW + 6_001, 10)).toEqual([unknown, handedOver]);
    });

    it('leaves out what is queued, however long it waits, and what is final', async () => {
      const sender = await createSender(subject.stores);
      await acceptMessage(subject.stores, sender);
      for (const status of ['delivered', 'bounced', 'failed'] as const)
        await messageAt(subject, { status, dueAt: null });
      await messageAt(subject, { status: 'queued', dueAt: NOW });
      expect(await subject.stores.deadlines.overdue(NOW + 10 * HAND_OFF, 10)).toEqual([]);
    });

    it('is oldest deadline first, at most `limit`, and shrinks as they are settled', async () => {
      const third = await messageAt(subject, { status: 'sent_to_mta', dueAt: NOW + 3 });
      const first = await messageAt(subject, { dueAt: NOW + 1 });
      const second = await messageAt(subject, { status: 'sent_to_mta', dueAt: NOW + 2 });
      expect(await subject.stores.deadlines.overdue(NOW + 10, 10)).toEqual([first, second, third]);
      expect(await subject.stores.deadlines.overdue(NOW + 10, 2)).toEqual([first, second]);
      await set(subject, first, { status: 'failed', dueAt: null });
      await subject.crash();
      expect(await subject.stores.deadlines.overdue(NOW + 10, 2)).toEqual([second, third]);
    });
  });
}

function describeAttachments(open: OpenEngine): void {
  describe('attachmentsExpired', () => {
    const subject = freshEngine(open);
    const withFile = async (attachmentsUntil: number) =>
      acceptMessage(subject.stores, await createSender(subject.stores), { attachments: [file], attachmentsUntil });

    // spec: docs/contract.md#attachment-retention: queued to failed: attachments held longer than 4 days
    it('lists queued messages once their attachments may no longer be held', async () => {
      const late = await withFile(NOW + 2_000);
      const early = await withFile(NOW + 1_000);
      await acceptMessage(subject.stores, await createSender(subject.stores));
      const { deadlines } = subject.stores;
      expect(await deadlines.attachmentsExpired(NOW + 999, 10)).toEqual([]);
      expect(await deadlines.attachmentsExpired(NOW + 1_001, 10)).toEqual([early.id]);
      expect((await deadlines.attachmentsExpired(NOW + 2_001, 10)).sort()).toEqual([early.id, late.id].sort());
      expect(await deadlines.attachmentsExpired(NOW + 2_001, 1)).toHaveLength(1);
    });

    it('leaves out what is no longer queued, and what has no attachments any more', async () => {
      const dropped = await withFile(NOW + 1_000);
      await set(subject, dropped.id, { attachmentsUntil: null });
      const sender = await createSender(subject.stores);
      const options = { attachments: [file], attachmentsUntil: NOW + 1_000 };
      const claimed = await acceptAndClaim(subject, sender, options);
      expect(await subject.stores.deadlines.attachmentsExpired(NOW + 9_000, 10)).toEqual([]);
      await set(subject, claimed.id, { status: 'queued', dueAt: NOW });
      expect(await subject.stores.deadlines.attachmentsExpired(NOW + 9_000, 10)).toEqual([claimed.id]);
    });
  });
}

function describePastFence(open: OpenEngine): void {
  describe('pastFence', () => {
    const subject = freshEngine(open);

    it('lists hand-offs past the fence that are neither settled nor known to be over', async () => {
      const { id: before } = await acceptAndClaim(subject, await createSender(subject.stores));
      const past = await messageAt(subject, { fence: 'f', fencedAt: NOW });
      await messageAt(subject, { fence: 'f', fencedAt: NOW, unknown: true });
      await messageAt(subject, { fence: 'f', fencedAt: NOW, status: 'sent_to_mta' });
      await subject.crash();
      expect(await subject.stores.deadlines.pastFence(10)).toEqual([past]);
      await set(subject, past, { unknown: true });
      await set(subject, before, { fence: 'g', fencedAt: NOW });
      expect(await subject.stores.deadlines.pastFence(10)).toEqual([before]);
      expect(await subject.stores.deadlines.pastFence(0)).toEqual([]);
    });
  });
}

function describeUnknown(open: OpenEngine): void {
  describe('unknown', () => {
    const subject = freshEngine(open);

    it('lists hand-offs that are over without an answer, until they are settled', async () => {
      const late = await messageAt(subject, { fence: 'f', fencedAt: NOW, unknown: true, dueAt: NOW + 9 });
      const early = await messageAt(subject, { fence: 'g', fencedAt: NOW, unknown: true, dueAt: NOW + 8 });
      await messageAt(subject, { fence: 'h', fencedAt: NOW });
      await messageAt(subject, { fence: 'i', fencedAt: NOW, status: 'sent_to_mta' });
      await subject.crash();
      const [first, second] = [early, late].map((messageId, n) => ({ messageId, dueAt: NOW + 8 + n }));
      expect(await subject.stores.deadlines.unknown(0, 10)).toEqual([first, second]);
      expect(await subject.stores.deadlines.unknown(0, 1)).toEqual([first]);
      expect(await subject.stores.deadlines.unknown(NOW + 8, 10)).toEqual([first, second]);
      expect(await subject.stores.deadlines.unknown(NOW + 9, 10)).toEqual([second]);
      await set(subject, early, { status: 'queued', fence: null, fencedAt: null, unknown: false });
      expect(await subject.stores.deadlines.unknown(0, 10)).toEqual([second]);
      expect(await subject.stores.deadlines.unknown(0, 0)).toEqual([]);
    });
  });
}

function describeUnfenced(open: OpenEngine): void {
  describe('unfenced', () => {
    const subject = freshEngine(open);

    it('lists claims before the fence by the end of their lease, oldest first', async () => {
      const { id: later } = await acceptAndClaim(subject, await createSender(subject.stores));
      const { id: past } = await acceptAndClaim(subject, await createSender(subject.stores));
      const sooner = await messageAt(subject, { dueAt: LEASE_END - 5 });
      await set(subject, past, { fence: 'f', fencedAt: NOW });
      await messageAt(subject, { status: 'queued', dueAt: NOW });
      await subject.crash();
      const { deadlines } = subject.stores;
      expect(await deadlines.unfenced(LEASE_END - 6, 10)).toEqual([]);
      expect(await deadlines.unfenced(LEASE_END - 5, 10)).toEqual([{ messageId: sooner, attempt: 1 }]);
      expect(await deadlines.unfenced(LEASE_END, 10)).toEqual([
        { messageId: sooner, attempt: 1 },
        { messageId: later, attempt: 1 },
      ]);
      expect(await deadlines.unfenced(LEASE_END, 1)).toHaveLength(1);
    });
  });
}

function describeNext(open: OpenEngine): void {
  describe('nextDeadline', () => {
    const subject = freshEngine(open);

    it('is null while nothing has a deadline', async () => {
      expect(await subject.stores.deadlines.nextDeadline()).toBeNull();
      await acceptMessage(subject.stores, await createSender(subject.stores));
      await messageAt(subject, { status: 'delivered', dueAt: null });
      expect(await subject.stores.deadlines.nextDeadline()).toBeNull();
    });

    it('is the earliest of the leases, the waits for evidence and the attachments of queued mail', async () => {
      const next = () => subject.stores.deadlines.nextDeadline();
      const options = { attachments: [file], attachmentsUntil: NOW + 900 };
      const queued = await acceptMessage(subject.stores, await createSender(subject.stores), options);
      expect(await next()).toBe(NOW + 900);
      const waiting = await messageAt(subject, { status: 'sent_to_mta', dueAt: NOW + 800 });
      expect(await next()).toBe(NOW + 800);
      const sending = await messageAt(subject, { dueAt: NOW + 700 });
      expect(await next()).toBe(NOW + 700);
      for (const id of [sending, waiting]) await set(subject, id, { status: 'failed', dueAt: null });
      expect(await next()).toBe(NOW + 900);
      await set(subject, queued.id, { status: 'failed', dueAt: null });
      expect(await next()).toBeNull();
    });
  });
}

/** The Deadlines behaviour required of every driver. */
function describeDeadlines(open: OpenEngine): void {
  describe('Deadlines', () => {
    describeOverdue(open);
    describePastFence(open);
    describeUnknown(open);
    describeUnfenced(open);
    describeAttachments(open);
    describeNext(open);
  });
}

onEveryDriver(describeDeadlines);
