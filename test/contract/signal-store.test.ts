import { describe, expect, it } from '@jest/globals';
import type { Signal } from '../../domain/engagement/signal';
import { acceptMessage, aSignal, createSender, refundRecord } from '../support/builders';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';
import { describeMachines } from './signal-machines.cases';
import { valuesSeen } from './log-reading';

/** The SignalStore behaviour required of every driver. */
function describeSignalStore(open: OpenEngine): void {
  describe('SignalStore', () => {
    const subject = sharedEngine(open);
    const newMessage = async () => acceptMessage(subject.stores, await createSender(subject.stores));
    describeMachines(subject);

    it('answers the signals of a message in order of time, whatever order they came in', async () => {
      const [message, other] = [await newMessage(), await newMessage()];

      const click = aSignal(message.id, { kind: 'click', at: TEST_START + 3_000, link: 2 });
      const open = aSignal(message.id, { kind: 'open', at: TEST_START + 2_000 });
      const unsubscribe = aSignal(message.id, { kind: 'unsubscribe', at: TEST_START + 4_000 });
      for (const signal of [unsubscribe, click, open]) {
        expect(await subject.stores.signals.store(signal, message.workspaceId, [])).toBe('stored');
      }
      await subject.stores.signals.store(aSignal(other.id), other.workspaceId, []);
      expect(await subject.stores.signals.ofMessage(message.id)).toEqual([open, click, unsubscribe]);
    });

    it('answers no signals for a message without any', async () => {
      expect(await subject.stores.signals.ofMessage((await newMessage()).id)).toEqual([]);
    });

    it('stores a signal once, and the repeat emits nothing', async () => {
      const message = await newMessage();
      const signal = aSignal(message.id);
      const store = (attempt: number) =>
        subject.stores.signals.store(signal, message.workspaceId, [refundRecord(message, attempt)]);
      expect(await store(1)).toBe('stored');
      expect(await store(2)).toBe('exists');
      await subject.stores.signals.store(aSignal(message.id), message.workspaceId, [refundRecord(message, 3)]);
      const seen = await valuesSeen(subject.log, 'coins', 2, ({ messageId }) => messageId === message.id);
      expect(seen.map(({ id }) => id).sort()).toEqual([`refund:${message.id}:1`, `refund:${message.id}:3`]);
      expect(await subject.stores.signals.ofMessage(message.id)).toHaveLength(2);
    });

    it('stores one of 50 repeats that come at once, with the records of one', async () => {
      const message = await newMessage();
      const signal = aSignal(message.id, { kind: 'click', link: 0 });
      const outcomes = await atOnce(50, (index) =>
        subject.stores.signals.store(signal, message.workspaceId, [refundRecord(message, index)]),
      );
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
      const seen = await valuesSeen(subject.log, 'coins', 1, ({ messageId }) => messageId === message.id);
      expect(seen.map(({ id }) => id)).toEqual([`refund:${message.id}:${outcomes.indexOf('stored')}`]);
      expect(await subject.stores.signals.ofMessage(message.id)).toEqual([signal]);
    });

    it('keeps signals and their records through a crash', async () => {
      const message = await newMessage();
      const signals: Signal[] = Array.from({ length: 5 }, (_, index) =>
        aSignal(message.id, { at: TEST_START + index }),
      );
      await Promise.all(
        signals.map((signal, index) =>
          subject.stores.signals.store(signal, message.workspaceId, [refundRecord(message, index)]),
        ),
      );
      await subject.crash();
      expect(await subject.stores.signals.ofMessage(message.id)).toEqual(signals);
      const seen = await valuesSeen(subject.log, 'coins', 5, ({ messageId }) => messageId === message.id);
      expect(seen).toHaveLength(5);
    });
  });
}

onEveryDriver(describeSignalStore);
