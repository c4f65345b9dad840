import { describe, expect, it } from '@jest/globals';
import { feedbackPipeline } from '../../consumers/mta-feedback/pipeline';
import type { BounceClass } from '../../domain/bounces/bounce-class';
import { MAX_UNREAD, unreadReport } from '../../domain/bounces/unread-report';
import type { Feedback } from '../../domain/messages/feedback';
import type { Message } from '../../domain/messages/message';
import { DAY, MINUTE } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { handOver } from '../consumers/mta-feedback/handed-over';
import { createSender, type Sender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';
import { inTurn } from './helpers';
import { giveUpAt } from '../support/limits';

/** Texts kept at once: as many may be too many where several processes write. */
const AT_ONCE = 50;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const feedback = (change: Partial<Feedback>): Feedback => ({
  kind: 'bounced',
  trusted: true,
  text: '552 5.2.2 full',
  class: 'mailbox_full',
  hard: false,
  at: TEST_START,
  ...change,
});

/** Hands a message over and applies a report to it. */
async function reported(subject: Subject, sender: Sender, change: Partial<Feedback>): Promise<Message> {
  const message = await handOver(subject, sender);
  await hear(subject, message, change);
  return (await subject.stores.messages.get(message.id))!;
}

const hear = (subject: Subject, { id: messageId }: Message, change: Partial<Feedback>) =>
  feedbackPipeline({ stores: subject.stores, flagsAtDelivery: false, evidenceWait: 60 * DAY, logger: SILENT })({
    messageId,
    feedback: feedback(change),
  });

/**
 * Kinds of the ledger entries of a message, sorted; on a cluster they reach the log a moment after the change, and may
 * do so twice.
 */
async function entriesOf(subject: Subject, { id }: Message, wanted: number): Promise<string[]> {
  for (const end = giveUpAt(); ;) {
    const records = subject.records('coins.entries').filter(({ value }) => value.messageId === id);
    const entries = new Map(records.map(({ value }) => [value.id, value.kind]));
    if (entries.size >= wanted || performance.now() > end) return [...entries.values()].sort();
    await sleep(50);
  }
}

/** Waits for the entries that are expected, so that none too many can be on its way unseen for long. */
async function penaltiesOf(subject: Subject, message: Message, wanted = 0): Promise<number> {
  return (await entriesOf(subject, message, wanted)).filter((kind) => kind === 'penalty').length;
}

function describeFull(open: OpenEngine): void {
  describe('a mailbox that stays full', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#classes-of-bounces: full three times in 14 days or more counts as hard
    it('counts as a hard bounce the third time, 14 days after the first, once', async () => {
      const sender = await createSender(subject.stores);
      const first = await reported(subject, sender, {});
      const second = await reported(subject, sender, { at: TEST_START + 7 * DAY });
      expect([first, second]).toMatchObject([
        { status: 'bounced', refusedClass: 'mailbox_full', hardBouncedAt: null },
        { status: 'bounced', hardBouncedAt: null },
      ]);
      const third = await reported(subject, sender, { at: TEST_START + 14 * DAY });
      expect(third).toMatchObject({ status: 'bounced', hardBouncedAt: TEST_START + 14 * DAY });
      for (const message of [first, second, third]) await hear(subject, message, { at: TEST_START + 15 * DAY });
      expect(await penaltiesOf(subject, third, 1)).toBe(1);
      expect([await penaltiesOf(subject, first), await penaltiesOf(subject, second)]).toEqual([0, 0]);
      const { workspace, contact } = sender;
      expect(await subject.stores.suppressions.reason(workspace.id, contact.emailHash)).toBe('hard_bounce');
      expect((await subject.stores.contacts.get(workspace.id, contact.id))!.status).toBe('bounced');
    });

    it.each([
      ['two times', [0, 20]],
      ['three times within 14 days', [0, 7, 13]],
    ])('does not count %s', async (_title, days) => {
      const sender = await createSender(subject.stores);
      const all: Message[] = [];
      for (const day of days) all.push(await reported(subject, sender, { at: TEST_START + day * DAY }));
      for (const message of all) expect(await penaltiesOf(subject, message)).toBe(0);
      expect((await subject.stores.contacts.get(sender.workspace.id, sender.contact.id))!.status).toBe('subscribed');
    });

    // spec: docs/contract.md#classes-of-bounces: a delivery in between begins again
    it('begins again with a delivery in between', async () => {
      const sender = await createSender(subject.stores);
      await reported(subject, sender, {});
      await reported(subject, sender, { at: TEST_START + 7 * DAY });
      await reported(subject, sender, { kind: 'delivered', class: null, text: '', at: TEST_START + 8 * DAY });
      const third = await reported(subject, sender, { at: TEST_START + 15 * DAY });
      expect(third).toMatchObject({ status: 'bounced', hardBouncedAt: null });
      expect(await subject.stores.bounces.refusedSince(sender.contact.id, ['mailbox_full'])).toEqual([
        { messageId: third.id, at: TEST_START + 15 * DAY, status: 'bounced', isHard: false },
      ]);
    });

    it('counts when the queue gave up too, with the coin taken again', async () => {
      const sender = await createSender(subject.stores);
      await reported(subject, sender, {});
      await reported(subject, sender, { at: TEST_START + 7 * DAY });
      const third = await reported(subject, sender, { kind: 'expired', at: TEST_START + 14 * DAY });
      expect(third).toMatchObject({ status: 'bounced', reopenable: null, hardBouncedAt: TEST_START + 14 * DAY });
      expect(await entriesOf(subject, third, 3)).toEqual(['debit', 'penalty', 'refund']);
    });
  });
}

function describeDoubtful(open: OpenEngine): void {
  describe('a refusal that leaves doubt', () => {
    const subject = sharedEngine(open);
    const DOUBTFUL: Partial<Feedback> = { class: 'address_unknown', text: '550 5.7.1 No such user' };

    /** Whether the recipient is on the suppression list, and what its contact is. */
    const standing = async ({ workspace, contact }: Sender): Promise<unknown[]> => [
      await subject.stores.suppressions.reason(workspace.id, contact.emailHash),
      (await subject.stores.contacts.get(workspace.id, contact.id))!.status,
    ];
    const UNCHANGED = [null, 'subscribed'];
    const SUPPRESSED = ['hard_bounce', 'bounced'];

    it('changes nothing for the recipient the first time, however often it is reported', async () => {
      const sender = await createSender(subject.stores);
      const message = await reported(subject, sender, DOUBTFUL);
      expect(message).toMatchObject({ status: 'bounced', refusedClass: 'address_unknown', hardBouncedAt: null });
      for (const day of [0, 1, 2]) await hear(subject, message, { ...DOUBTFUL, at: TEST_START + day * DAY });
      expect(await standing(sender)).toEqual(UNCHANGED);
    });

    // spec: docs/contract.md#classes-of-bounces: in doubt soft; a second doubtful refusal on another day suppresses,
    //   without a penalty
    it('suppresses the address the second time on another day, without a penalty', async () => {
      const sender = await createSender(subject.stores);
      const first = await reported(subject, sender, DOUBTFUL);
      await reported(subject, sender, { ...DOUBTFUL, at: TEST_START + MINUTE });
      expect(await standing(sender)).toEqual(UNCHANGED);
      const other = { ...DOUBTFUL, class: 'mailbox_disabled', at: TEST_START + DAY } as const;
      const second = await reported(subject, sender, other);
      expect(await standing(sender)).toEqual(SUPPRESSED);
      expect(second).toMatchObject({ status: 'bounced', hardBouncedAt: null });
      const [entry] = (await subject.stores.suppressions.page(sender.workspace.id, { offset: 0, limit: 10 })).items;
      expect(entry).toMatchObject({ reason: 'hard_bounce', messageId: second.id, createdAt: TEST_START + DAY });
      for (const message of [first, second]) expect(await penaltiesOf(subject, message)).toBe(0);
    });

    it('ends alike in any order of the reports, repeated or not', async () => {
      for (const order of [
        [0, 1],
        [1, 0],
        [1, 0, 0, 1],
      ]) {
        const sender = await createSender(subject.stores);
        const messages = [await handOver(subject, sender), await handOver(subject, sender)];
        for (const n of order) await hear(subject, messages[n]!, { ...DOUBTFUL, at: TEST_START + n * DAY });
        expect(await standing(sender)).toEqual(SUPPRESSED);
        const [entry] = (await subject.stores.suppressions.page(sender.workspace.id, { offset: 0, limit: 10 })).items;
        expect(entry).toMatchObject({ messageId: messages[1]!.id, createdAt: TEST_START + DAY });
      }
    });

    it('begins again with a delivery in between', async () => {
      const sender = await createSender(subject.stores);
      await reported(subject, sender, DOUBTFUL);
      await reported(subject, sender, { kind: 'delivered', class: null, text: '', at: TEST_START + DAY });
      await reported(subject, sender, { ...DOUBTFUL, at: TEST_START + 2 * DAY });
      expect(await standing(sender)).toEqual(UNCHANGED);
    });

    it('is not counted with soft ones, those given up, and those to others', async () => {
      const sender = await createSender(subject.stores);
      await reported(subject, sender, { class: 'policy', text: '550 5.7.1 no', at: TEST_START - DAY });
      await reported(subject, sender, { ...DOUBTFUL, kind: 'expired', at: TEST_START - DAY });
      await reported(subject, await createSender(subject.stores), { ...DOUBTFUL, at: TEST_START - DAY });
      await reported(subject, sender, DOUBTFUL);
      expect(await standing(sender)).toEqual(UNCHANGED);
    });
  });
}

function describeSoft(open: OpenEngine): void {
  describe('a refusal that is no hard bounce', () => {
    const subject = sharedEngine(open);
    const SOFT: BounceClass[] = [
      'mailbox_full',
      'sender_blocked',
      'policy',
      'content_refused',
      'mail_too_large',
      'unknown',
    ];

    // spec: docs/contract.md#classes-of-bounces: any other refusal: one coin, no penalty, no suppression, no change of
    //   the contact
    it.each(SOFT)(
      'of class %s is bounced with its reason, without penalty, suppression or change of the contact',
      async (found) => {
        const sender = await createSender(subject.stores);
        const message = await reported(subject, sender, { class: found, text: '550 no' });
        expect(message).toMatchObject({ status: 'bounced', failedReason: '550 no', refusedClass: found });
        expect(await penaltiesOf(subject, message)).toBe(0);
        const { workspace, contact } = sender;
        expect(await subject.stores.suppressions.reason(workspace.id, contact.emailHash)).toBeNull();
        expect((await subject.stores.contacts.get(workspace.id, contact.id))!.status).toBe('subscribed');
      },
    );

    it('is overtaken by a hard one, which has the penalty', async () => {
      const sender = await createSender(subject.stores);
      const message = await reported(subject, sender, { class: 'sender_blocked' });
      await hear(subject, message, {
        class: 'address_unknown',
        hard: true,
        text: '550 5.1.1',
        at: TEST_START + MINUTE,
      });
      expect(await subject.stores.messages.get(message.id)).toMatchObject({
        refusedClass: 'address_unknown',
        hardBouncedAt: TEST_START + MINUTE,
        failedReason: '550 5.1.1',
      });
      expect(await penaltiesOf(subject, message, 1)).toBe(1);
    });

    it('is listed by class and time, newest first', async () => {
      const sender = await createSender(subject.stores);
      const at = TEST_START + 100 * DAY;
      for (const n of [0, 1, 2])
        await reported(subject, sender, { class: 'rate_limited', text: `421 ${n}`, at: at + n });
      const found = await subject.stores.bounces.refusals('rate_limited', at + 1, 10);
      expect(found.map(({ reason }) => reason)).toEqual(['421 2', '421 1']);
      expect(found[0]).toEqual({ domainId: sender.domain.id, to: sender.contact.email, reason: '421 2', at: at + 2 });
      expect(await subject.stores.bounces.refusals('rate_limited', at, 1)).toHaveLength(1);
    });
  });
}

function describeHard(open: OpenEngine): void {
  describe('hardSince', () => {
    const subject = sharedEngine(open);

    it('counts hard bounces and complaints by workspace, of messages accepted since', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const hard = { class: 'address_unknown', hard: true, text: '550 5.1.1 No such user' } as const;
      const at = subject.clock.now();
      // All are handed over first: a hard bounce suppresses the address. Then three are hard, one soft, one in doubt.
      const senders = [sender, sender, other, sender, sender];
      const messages = await inTurn(senders.length, (n) => handOver(subject, senders[n]!));
      const changes = [hard, hard, hard, {}, { ...hard, hard: false }];
      for (const [n, message] of messages.entries()) await hear(subject, message, { ...changes[n], at });
      const [one, two] = [sender.workspace.id, other.workspace.id];
      const counted = async (kind: 'hardSince' | 'complainedSince', since: number) =>
        (await subject.stores.bounces[kind](since))
          .filter(({ workspaceId }) => [one, two].includes(workspaceId))
          .sort((a, b) => a.workspaceId - b.workspaceId);
      expect(await counted('hardSince', at - DAY)).toEqual([
        { workspaceId: one, count: 2 },
        { workspaceId: two, count: 1 },
      ]);
      expect(await counted('hardSince', at + 1)).toEqual([]);
      const complain = () => ({ set: { complainedAt: at }, at, records: [] });
      for (const n of [2, 3]) await subject.stores.messages.change(messages[n]!.id, complain);
      expect(await counted('complainedSince', at - DAY)).toEqual([
        { workspaceId: one, count: 1 },
        { workspaceId: two, count: 1 },
      ]);
      expect(await counted('complainedSince', at + 1)).toEqual([]);
    });
  });
}

function describeUnread(open: OpenEngine): void {
  describe('what was not understood', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#classes-of-bounces: what is not understood is kept without addresses
    it('is kept without addresses, once for all that differ in figures only, newest first', async () => {
      const { bounces } = subject.stores;
      await bounces.keepUnread(unreadReport('Code 17 for <ana@toko.example>', TEST_START));
      await bounces.keepUnread(unreadReport('Something else', TEST_START + 1));
      await bounces.keepUnread(unreadReport('Code 18 for <budi@toko.example>', TEST_START + 2));
      expect(await bounces.unread(10)).toMatchObject([
        { text: 'Code 17 for <***@toko.example>', count: 2, firstAt: TEST_START, lastAt: TEST_START + 2 },
        { text: 'Something else', count: 1 },
      ]);
      expect(await bounces.unread(1)).toHaveLength(1);
    });

    it('is deleted by the time it was last seen, and does not grow beyond its limit', async () => {
      const { bounces } = subject.stores;
      expect(await bounces.trimUnread(TEST_START + 2)).toBe(1);
      const letters = 'abcdefghijklmnopqrstuvwxyz';
      const texts = Array.from({ length: MAX_UNREAD + 5 }, (_, n) =>
        [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676)].map((i) => letters[i]).join(''),
      );
      for (let from = 0; from < texts.length; from += AT_ONCE) {
        const some = texts.slice(from, from + AT_ONCE);
        await Promise.all(some.map((one) => bounces.keepUnread(unreadReport(one, TEST_START + 3))));
      }
      const kept = (await bounces.unread(2 * MAX_UNREAD)).length;
      expect(kept).toBeGreaterThan(MAX_UNREAD / 2);
      expect(kept).toBeLessThanOrEqual(MAX_UNREAD + AT_ONCE);
      const more = unreadReport('one more than fits', TEST_START + 4);
      await bounces.keepUnread(more);
      expect((await bounces.unread(2 * MAX_UNREAD)).length).toBe(kept);
    });
  });
}

/** The contract of BounceStore, and what refusals do through it. */
function describeBounceStore(open: OpenEngine): void {
  describe('BounceStore', () => {
    describeFull(open);
    describeDoubtful(open);
    describeSoft(open);
    describeHard(open);
    describeUnread(open);
  });
}

onEveryDriver(describeBounceStore);
