import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../../domain/messages/message';
import { acceptMessage, createSender, messageId, refundRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { acceptAndClaim } from '../claiming';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { valuesSeen } from '../log-reading';

const LATER = TEST_START + 5_000;
const newMessage = async (subject: Subject) => acceptMessage(subject.stores, await createSender(subject.stores));

function describeState(open: OpenEngine): void {
  describe('change', () => {
    const subject = sharedEngine(open);

    it('writes what was decided and answers the message after it', async () => {
      const before = await newMessage(subject);
      const set: Partial<Message> = {
        status: 'sending',
        failedReason: 'Ditunda sementara: 451 “coba lagi” 🌼',
        dispatchedAt: LATER + 1,
        dueAt: LATER + 2,
        attempt: 4,
        firstClaimedAt: LATER + 3,
        fence: 'token',
        fencedAt: LATER + 4,
        unknown: true,
        reopenable: 'expired',
        complainedAt: LATER + 6,
        attachmentsUntil: LATER + 5,
      };
      const after = { ...before, ...set, version: before.version + 1 };
      const { messages } = subject.stores;
      expect(await messages.change(before.id, () => ({ set, at: LATER, records: [] }))).toEqual({
        applied: true,
        message: after,
      });
      expect(await messages.get(before.id)).toEqual(after);
    });

    it('sets fields back to nothing', async () => {
      const { id } = await newMessage(subject);
      const { messages } = subject.stores;
      const full = {
        failedReason: 'x',
        dispatchedAt: 1,
        fence: 'f',
        fencedAt: 2,
        unknown: true,
        reopenable: 'no_record',
      } as const;
      const none = {
        failedReason: null,
        dispatchedAt: null,
        fence: null,
        fencedAt: null,
        unknown: false,
        reopenable: null,
      };
      await messages.change(id, () => ({ set: full, at: LATER, records: [] }));
      await messages.change(id, () => ({ set: { ...none, dueAt: null }, at: LATER, records: [] }));
      expect(await messages.get(id)).toMatchObject({ ...none, dueAt: null });
    });

    it('hands the stored message to the decision', async () => {
      const before = await newMessage(subject);
      const given: Message[] = [];
      await subject.stores.messages.change(before.id, (message) => {
        given.push({ ...message });
        return null;
      });
      expect(given.at(-1)).toEqual(before);
    });

    it('leaves the message alone when the decision is null, and emits nothing', async () => {
      const before = await newMessage(subject);
      const { messages } = subject.stores;
      expect(await messages.change(before.id, () => null)).toEqual({ applied: false, message: before });
      expect(await messages.get(before.id)).toEqual(before);
      expect(await messages.history(before.id)).toHaveLength(1);
    });

    it('counts one version also when only records are emitted', async () => {
      const before = await newMessage(subject);
      const records = [refundRecord(before, 1)];
      const { applied, message } = await subject.stores.messages.change(before.id, () => ({
        set: {},
        at: LATER,
        records,
      }));
      expect([applied, message]).toEqual([true, { ...before, version: before.version + 1 }]);
    });

    it('of an unknown message is not applied and decides nothing', async () => {
      let decided = 0;
      const answer = await subject.stores.messages.change(messageId(), () => {
        decided += 1;
        return { set: { status: 'failed' }, at: LATER, records: [] };
      });
      expect([answer, decided]).toEqual([{ applied: false, message: null }, 0]);
    });

    // spec: docs/contract.md#events: events are written to the log with their change
    it('and its records survive a crash right after it answered', async () => {
      const before = await newMessage(subject);
      const record = refundRecord(before, 9);
      const { message } = await subject.stores.messages.change(before.id, () => ({
        set: { status: 'failed', dueAt: null },
        at: LATER,
        records: [record],
      }));
      await subject.crash();
      expect(await subject.stores.messages.get(before.id)).toEqual(message);
      const seen = await valuesSeen(subject.log, 'coins', 1, (entry) => entry.messageId === before.id);
      expect(seen).toEqual([record.value]);
    });
  });
}

function describeHistory(open: OpenEngine): void {
  describe('history', () => {
    const subject = sharedEngine(open);

    it('gains an entry when the status changes, in order, and only then', async () => {
      const { id, createdAt } = await newMessage(subject);
      const { messages } = subject.stores;
      const set = (fields: Partial<Message>, at: number) =>
        messages.change(id, () => ({ set: fields, at, records: [] }));
      await set({ failedReason: 'a reason' }, LATER);
      await set({ status: 'queued', dueAt: LATER }, LATER + 1);
      await set({ status: 'sending' }, LATER + 2);
      await set({ fence: 'token' }, LATER + 3);
      await set({ status: 'queued' }, LATER + 4);
      await set({ status: 'sending' }, LATER + 4);
      await set({ status: 'sent_to_mta' }, LATER + 1);
      expect(await messages.history(id)).toEqual([
        { status: 'queued', at: createdAt },
        { status: 'sending', at: LATER + 2 },
        { status: 'queued', at: LATER + 4 },
        { status: 'sending', at: LATER + 4 },
        { status: 'sent_to_mta', at: LATER + 1 },
      ]);
    });
  });
}

function describeParts(open: OpenEngine): void {
  describe('change of the parts', () => {
    const subject = sharedEngine(open);
    const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') };

    it('marks the attempt, field by field', async () => {
      const { id, workspaceId } = await acceptAndClaim(subject, await createSender(subject.stores));
      const { messages } = subject.stores;
      await messages.change(id, () => ({ set: { fence: 'f' }, at: LATER, attempt: { fencedAt: LATER }, records: [] }));
      const open = { messageId: id, workspaceId, n: 1, claimedAt: TEST_START, fencedAt: LATER };
      expect(await messages.attempts(id)).toEqual([{ ...open, finishedAt: null, outcome: null, reply: null }]);
      const end = { finishedAt: LATER + 1, outcome: 'refused_temporarily', reply: '451 “nanti” 🌼' } as const;
      await messages.change(id, () => ({ set: {}, at: LATER + 1, attempt: end, records: [] }));
      expect(await messages.attempts(id)).toEqual([{ ...open, ...end }]);
    });

    it('marks the current attempt and no earlier one', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptAndClaim(subject, sender);
      const { messages } = subject.stores;
      const first = { finishedAt: LATER, outcome: 'not_sent', reply: 'connection refused' } as const;
      await messages.change(id, () => ({
        set: { status: 'queued', dueAt: LATER },
        at: LATER,
        attempt: first,
        records: [],
      }));
      await acceptAndClaim(subject, sender, {}, { now: LATER });
      const second = { finishedAt: LATER + 9, outcome: 'sent', reply: '250 ok' } as const;
      await messages.change(id, () => ({
        set: { status: 'sent_to_mta' },
        at: LATER + 9,
        attempt: second,
        records: [],
      }));
      const attempts = await messages.attempts(id);
      expect(attempts.map(({ n, claimedAt }) => [n, claimedAt])).toEqual([
        [1, TEST_START],
        [2, LATER],
      ]);
      expect(attempts).toEqual([expect.objectContaining(first), expect.objectContaining(second)]);
    });

    it('replaces the links as a whole, in order', async () => {
      const { id } = await newMessage(subject);
      const { messages } = subject.stores;
      const store = (links: readonly string[]) =>
        messages.change(id, () => ({ set: {}, at: LATER, links, records: [] }));
      const many = Array.from({ length: 120 }, (_, n) => `https://contoh.test/${120 - n}?q="🌼"&n=${n}`);
      await store([...many, ...many]);
      expect(await messages.links(id)).toEqual([...many, ...many]);
      await store(['https://contoh.test/satu']);
      await messages.change(id, () => ({ set: { failedReason: 'x' }, at: LATER, records: [] }));
      expect(await messages.links(id)).toEqual(['https://contoh.test/satu']);
      await store([]);
      expect(await messages.links(id)).toEqual([]);
    });

    // spec: docs/contract.md#attachment-retention: files are kept only until hand-off
    it('drops the attachments, the body stays', async () => {
      const sender = await createSender(subject.stores);
      const options = { attachments: [file, file], attachmentsUntil: LATER };
      const [dropped, kept] = [
        await acceptMessage(subject.stores, sender, options),
        await acceptMessage(subject.stores, sender, options),
      ];
      const { messages } = subject.stores;
      await messages.change(dropped.id, () => ({ set: {}, at: LATER, dropAttachments: true, records: [] }));
      expect(await messages.job(dropped.id)).toMatchObject({ attachments: [], body: { text: null } });
      expect((await messages.job(kept.id))?.attachments).toEqual([file, file]);
    });
  });
}

/** The compare-and-set by which every state moves. */
export function describeChange(open: OpenEngine): void {
  describeState(open);
  describeHistory(open);
  describeParts(open);
}
