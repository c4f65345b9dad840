import { describe, expect, it } from '@jest/globals';
import type { LogReader } from '../../../streams/event-log';
import type { StoredRecord } from '../../../streams/records';
import type { TopicPartition } from '../../../streams/topics';
import { aHit, messageId } from '../../support/builders';
import { freshEngine, type OpenEngine } from '../harness';
import { eventually } from '../helpers';
import { pollCount, positionsAfter, withReader } from '../log-reading';
import { coinRecords, idsOf, idsRead, sorted } from './support';

/** Reads and commits in the background until stopped; passes on each batch. */
function pump(
  reader: LogReader,
  onBatch: (batch: readonly StoredRecord[]) => void = () => {},
): { records: StoredRecord[]; stop(): Promise<void> } {
  const records: StoredRecord[] = [];
  const abort = new AbortController();
  const running = (async () => {
    while (!abort.signal.aborted) {
      const batch = await reader.poll(5, abort.signal);
      onBatch(batch);
      records.push(...batch);
      if (batch.length > 0) await reader.commit(positionsAfter(batch));
    }
  })();
  return {
    records,
    stop: async () => {
      abort.abort();
      await running;
      await reader.close();
    },
  };
}

/** Groups are independent; readers of one group share the records. */
export function describeGroups(open: OpenEngine): void {
  describe('a group', () => {
    const subject = freshEngine(open);

    it('sees what was published long before its first reader came, from the start', async () => {
      await subject.log.publish(coinRecords(10));
      await subject.crash();
      await subject.log.publish(coinRecords(10, 10, 10));
      const read = await withReader(subject.log, 'coins', (reader) => pollCount(reader, 20));
      expect(sorted(idsRead(read))).toEqual(sorted(idsOf(coinRecords(20))));
    });

    it('keeps a place of its own: what another group commits does not move it', async () => {
      const id = messageId();
      const hit = (n: number) => ({ topic: 'engagement.hits', key: id, value: aHit(id, { id: String(n) }) }) as const;
      await subject.log.publish([...coinRecords(5), hit(1), hit(2)]);
      await withReader(subject.log, 'coins', async (reader) =>
        reader.commit(positionsAfter(await pollCount(reader, 5))),
      );
      const hits = await withReader(subject.log, 'engagement', (reader) => pollCount(reader, 2));
      expect(hits.map(({ value }) => value)).toEqual([hit(1).value, hit(2).value]);
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(0));
      expect(await subject.log.lag('engagement')).toBe(2);
    });

    it('with two readers sees every record, whoever reads it', async () => {
      await subject.log.publish(coinRecords(40, 20));
      const one = pump(await subject.log.reader('coins'));
      const other = pump(await subject.log.reader('coins'));
      await subject.log.publish(coinRecords(40, 20, 40));
      const seen = () => sorted(idsRead([...one.records, ...other.records]));
      await eventually(async () => expect(seen()).toEqual(sorted(idsOf(coinRecords(80, 20)))));
      await Promise.all([one.stop(), other.stop()]);
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(0));
    });

    it('goes on with the reader that is left when the other closes', async () => {
      const one = pump(await subject.log.reader('coins'));
      const other = pump(await subject.log.reader('coins'));
      await subject.log.publish(coinRecords(20, 20));
      await eventually(async () => expect(idsRead([...one.records, ...other.records])).toHaveLength(20));
      await one.stop();
      await subject.log.publish(coinRecords(20, 20, 20));
      const late = idsOf(coinRecords(20, 20, 20));
      await eventually(async () => expect(idsRead(other.records)).toEqual(expect.arrayContaining(late)));
      await other.stop();
    });

    it('gives a partition to another reader only after the one that had it let go', async () => {
      const held = new Set<number>();
      const shared: StoredRecord[] = [];
      const onRevoked = async (partitions: readonly TopicPartition[]) => {
        await new Promise(setImmediate);
        for (const { partition } of partitions) held.delete(partition);
      };
      const first = await subject.log.reader('coins', { onRevoked });
      await subject.log.publish(coinRecords(40, 20));
      const early = await pollCount(first, 40);
      for (const { partition } of early) held.add(partition);
      const second = await subject.log.reader('coins');
      const [one, other] = [
        pump(first),
        pump(second, (batch) => shared.push(...batch.filter(({ partition }) => held.has(partition)))),
      ];
      await subject.log.publish(coinRecords(40, 20, 40));
      const all = idsOf(coinRecords(80, 20));
      await eventually(async () => {
        expect(sorted(idsRead([...early, ...one.records, ...other.records]))).toEqual(sorted(all));
      });
      await Promise.all([one.stop(), other.stop()]);
      expect(shared).toHaveLength(0);
    });
  });
}
