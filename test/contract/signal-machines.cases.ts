import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MachineReason } from '../../domain/engagement/machine';
import type { Message } from '../../domain/messages/message';
import type { NewHit } from '../../domain/engagement/signal';
import { HOUR, SECOND } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { acceptMessage, aSignal, createSender, messageId } from '../support/builders';
import { TEST_START } from '../support/clock';
import type { Subject } from './harness';
import { atOnce } from './helpers';

const AT = TEST_START + 2 * HOUR;

/** What every driver flags, and what it takes out of the counts of people. */
export function describeMachines(subject: Subject): void {
  describe('machines', () => {
    const newMessage = async (): Promise<Message> => acceptMessage(subject.stores, await createSender(subject.stores));
    const hitOn = ({ id }: Message, hit: Partial<NewHit>): NewHit => ({
      ...aSignal(id),
      at: AT,
      client: 'aaaa',
      ...hit,
    });
    const store = (message: Message, hit: Partial<NewHit>) =>
      subject.stores.signals.store(hitOn(message, hit), message.workspaceId, []);
    const reasonsOf = async ({ id }: Message): Promise<(MachineReason | null)[]> =>
      (await subject.stores.signals.ofMessage(id)).map(({ machine }) => machine);
    const countsOf = async ({ workspaceId }: Message) => {
      const query = { by: 'opens', since: null, audienceId: null, offset: 0, limit: 10 } as const;
      const { items } = await subject.stores.engagement.top(workspaceId, query);
      return items.map((row) => [
        [row.opened, row.clicked, row.totalClicks],
        [row.openedByPeople, row.clickedByPeople, row.totalClicksByPeople],
      ]);
    };

    it('keeps the reason that a signal comes with, and counts it for all, not for people', async () => {
      const message = await newMessage();
      await store(message, { kind: 'click', link: 0, machine: 'head' });
      expect(await reasonsOf(message)).toEqual(['head']);
      expect(await countsOf(message)).toEqual([
        [
          [1, 1, 1],
          [0, 0, 0],
        ],
      ]);
    });

    it('tells the strongest reason at a place, by kind, time and link', async () => {
      const message = await newMessage();
      const { signals } = subject.stores;
      const reasonAt = (kind: 'open' | 'click', link: number | null, at = AT) =>
        signals.reasonAt({ messageId: message.id, kind, at, link });
      expect(await reasonAt('click', 0)).toBeNull();
      await store(message, { kind: 'click', link: 0 });
      await store(message, { kind: 'click', link: 1, machine: 'prefetch' });
      await store(message, { kind: 'click', link: 1, machine: 'agent' });
      await store(message, { kind: 'open', machine: 'head' });
      expect(await Promise.all([reasonAt('click', 0), reasonAt('click', 1), reasonAt('open', null)])).toEqual([
        null,
        'agent',
        'head',
      ]);
      expect(await reasonAt('click', 1, AT + 1)).toBeNull();
      expect(await signals.reasonAt({ messageId: messageId(), kind: 'open', at: AT, link: null })).toBeNull();
    });

    // spec: docs/contract.md#machines: three different links within a second
    it('flags all clicks on three different links within one second, the earlier ones too', async () => {
      const message = await newMessage();
      await store(message, { kind: 'click', link: 0, at: AT });
      await store(message, { kind: 'click', link: 1, at: AT + 500 });
      expect(await reasonsOf(message)).toEqual([null, null]);
      await store(message, { kind: 'click', link: 2, at: AT + SECOND });
      await store(message, { kind: 'click', link: 0, at: AT + 3 * SECOND });
      expect(await reasonsOf(message)).toEqual(['burst', 'burst', 'burst', null]);
      expect(await countsOf(message)).toEqual([
        [
          [1, 1, 4],
          [1, 1, 1],
        ],
      ]);
    });

    it('leaves three clicks on two links to people, and three links in more than a second', async () => {
      const [message, slow] = [await newMessage(), await newMessage()];
      for (const link of [0, 1, 0]) await store(message, { kind: 'click', link });
      for (const link of [0, 1, 2]) await store(slow, { kind: 'click', link, at: AT + link * 501 });
      expect(await reasonsOf(message)).toEqual([null, null, null]);
      expect(await reasonsOf(slow)).toEqual([null, null, null]);
    });

    // spec: docs/contract.md#machines: the hidden link
    it('flags what the same client did around a hit on the hidden link, which is no signal itself', async () => {
      const message = await newMessage();
      await store(message, { at: AT - 10 * SECOND });
      await store(message, { at: AT - 11 * SECOND });
      await store(message, { kind: 'hidden', machine: 'hidden_link' });
      await store(message, { kind: 'click', link: 0, at: AT + SECOND });
      await store(message, { kind: 'click', link: 0, at: AT + 2 * SECOND, client: 'bbbb' });
      await store(message, { at: AT + 3 * SECOND, client: null });
      expect(await reasonsOf(message)).toEqual([null, 'hidden_link', 'hidden_link', null, null]);
      expect(await countsOf(message)).toEqual([
        [
          [1, 1, 2],
          [1, 1, 1],
        ],
      ]);
    });

    it('flags a time once more without counting twice, and never takes a stronger reason back', async () => {
      const message = await newMessage();
      await store(message, { machine: 'agent' });
      await store(message, { kind: 'click', link: 0, at: AT + SECOND });
      await store(message, { at: AT + 5 * SECOND });
      const time = { from: AT - 2 * SECOND, to: AT + 2 * SECOND, reason: 'delivery' } as const;
      await atOnce(3, () => subject.stores.signals.flag(message.id, message.workspaceId, time));
      expect(await reasonsOf(message)).toEqual(['agent', 'delivery', null]);
      expect(await countsOf(message)).toEqual([
        [
          [1, 1, 1],
          [1, 0, 0],
        ],
      ]);
    });

    // spec: docs/contract.md#machines: any order of arrival ends alike
    it('ends alike in any order of arrival, repeated, and several at once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(aRandomHit, { minLength: 1, maxLength: 12 }),
          fc.infiniteStream(fc.nat()),
          async (drawn, order) => {
            const hits = drawn.map((hit) => ({ ...hit, id: messageId() }));
            const [one, other] = [await newMessage(), await newMessage()];
            for (const hit of hits) await store(one, hit);
            const shuffled = [...hits, ...hits]
              .map((hit) => ({ hit, key: order.next().value }))
              .sort((a, b) => a.key - b.key);
            const renamed = ({ id, ...hit }: (typeof hits)[number]) => ({ ...hit, id: `other ${id}` });
            await Promise.all(shuffled.map(({ hit }) => store(other, renamed(hit))));
            expect(await judged(subject.stores, other, 'other ')).toEqual(await judged(subject.stores, one, ''));
            expect(await countsOf(other)).toEqual(await countsOf(one));
          },
        ),
        { numRuns: 10, seed: 22 },
      );
    });
  });
}

const aRandomHit = fc.record({
  kind: fc.constantFrom<NewHit['kind']>('click', 'click', 'click', 'open', 'hidden'),
  link: fc.nat(3),
  at: fc.nat(4_000).map((ms) => AT + ms * 3),
  client: fc.constantFrom('aaaa', 'bbbb', null),
  machine: fc.constantFrom<MachineReason | null>(null, null, null, 'head'),
});

async function judged({ signals }: Stores, { id }: Message, prefix: string) {
  const found = await signals.ofMessage(id);
  return found
    .map((signal) => [signal.id.slice(prefix.length), signal.kind, signal.at, signal.machine])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
