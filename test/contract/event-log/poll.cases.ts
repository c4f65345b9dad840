import { describe, expect, it } from '@jest/globals';
import { acceptMessage, createSender } from '../../support/builders';
import { freshEngine, type OpenEngine } from '../harness';
import { PATIENCE } from '../../support/limits';
import { isOf, pollCount, pollRest, withReader } from '../log-reading';
import { coinRecords, idsOf, idsRead, sorted } from './support';

const patient = () => AbortSignal.timeout(PATIENCE);

/** `poll` waits, wakes and gives up. */
export function describePolling(open: OpenEngine): void {
  describe('poll', () => {
    const subject = freshEngine(open);

    it('answers at most `limit` records, each once to the same reader', async () => {
      await subject.log.publish(coinRecords(40));
      await withReader(subject.log, 'coins', async (reader) => {
        const first = await reader.poll(15, patient());
        expect(first.length).toBeGreaterThan(0);
        expect(first.length).toBeLessThanOrEqual(15);
        const rest = await pollCount(reader, 40 - first.length, 15);
        expect(sorted(idsRead([...first, ...rest]))).toEqual(sorted(idsOf(coinRecords(40))));
        expect(await pollRest(reader)).toEqual([]);
      });
    });

    it('answers [] when the signal aborts while it waits, and goes on afterwards', async () => {
      await withReader(subject.log, 'coins', async (reader) => {
        const abort = new AbortController();
        const waiting = reader.poll(10, abort.signal);
        abort.abort();
        expect(await waiting).toEqual([]);
        await subject.log.publish(coinRecords(3));
        expect(sorted(idsRead(await pollCount(reader, 3)))).toEqual(sorted(idsOf(coinRecords(3))));
      });
    });

    it('answers [] to a signal that was aborted before, when there is nothing', async () => {
      await withReader(subject.log, 'coins', async (reader) => {
        expect(await reader.poll(10, AbortSignal.abort())).toEqual([]);
      });
    });

    it('wakes when records are published while it waits', async () => {
      await withReader(subject.log, 'coins', async (reader) => {
        const waiting = pollCount(reader, 5);
        await new Promise(setImmediate);
        await subject.log.publish(coinRecords(5));
        expect(sorted(idsRead(await waiting))).toEqual(sorted(idsOf(coinRecords(5))));
      });
    });

    it('wakes when a store commits with records while it waits', async () => {
      const sender = await createSender(subject.stores);
      await withReader(subject.log, 'throttle', async (reader) => {
        const waiting = pollCount(reader, 1);
        await new Promise(setImmediate);
        const { id } = await acceptMessage(subject.stores, sender);
        const values = (await waiting).filter(isOf('messages.accepted')).map(({ value }) => value);
        expect(values).toEqual([{ workspaceId: sender.workspace.id, messageId: id }]);
      });
    });

    it('wakes again and again, round after round', async () => {
      await withReader(subject.log, 'coins', async (reader) => {
        for (let round = 0; round < 20; round += 1) {
          const waiting = pollCount(reader, 2);
          await subject.log.publish(coinRecords(2, 10, round * 2));
          expect(sorted(idsRead(await waiting))).toEqual(sorted(idsOf(coinRecords(2, 10, round * 2))));
        }
      });
    });
  });
}
