import { describe, expect, it } from '@jest/globals';
import type { LogReader } from '../../../streams/event-log';
import { freshEngine, type OpenEngine } from '../harness';
import { eventually } from '../helpers';
import { pollCount, positionsAfter, withReader } from '../log-reading';
import { coinRecords } from './support';

/** Readers learn which partitions they own. */
export function describeAssignment(open: OpenEngine): void {
  describe('partitions', () => {
    const subject = freshEngine(open);

    it('names the partition that the records of a key lie in', async () => {
      await subject.log.publish(coinRecords(40, 20));
      const read = await withReader(subject.log, 'coins', (reader) => pollCount(reader, 40));
      for (const { key, partition } of read) expect(subject.log.partitions().of('coins.entries', key)).toBe(partition);
    });

    it('says the same of one key for each topic of as many partitions, and after a crash', async () => {
      const before = subject.log.partitions().of('messages.accepted', '7');
      await subject.crash();
      expect(subject.log.partitions().of('messages.accepted', '7')).toBe(before);
      expect(subject.log.partitions().of('coins.entries', '7')).toBe(before);
    });
  });

  describe('onAssigned', () => {
    const subject = freshEngine(open);

    it('comes before any record of the partition, once', async () => {
      await subject.log.publish(coinRecords(40, 20));
      const assigned: number[] = [];
      const reader = await subject.log.reader('coins', {
        onAssigned: (partitions) => assigned.push(...partitions.map(({ partition }) => partition)),
      });
      const first = await pollCount(reader, 1);
      const early = [...assigned];
      const rest = await pollCount(reader, 40 - first.length);
      await reader.close();
      expect(early).toEqual(expect.arrayContaining(first.map(({ partition }) => partition)));
      expect(new Set(assigned).size).toBe(assigned.length);
      expect(assigned).toEqual(expect.arrayContaining(rest.map(({ partition }) => partition)));
    });

    it('gives each partition to one of two readers, and all to the one that is left', async () => {
      const held = [new Set<number>(), new Set<number>()] as const;
      const shared: number[] = [];
      const open = (mine: Set<number>, others: Set<number>): Promise<LogReader> =>
        subject.log.reader('coins', {
          onAssigned: (partitions) => {
            for (const { partition } of partitions) mine.add(partition);
            shared.push(...partitions.map(({ partition }) => partition).filter((partition) => others.has(partition)));
          },
          onRevoked: async (partitions) => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            for (const { partition } of partitions) mine.delete(partition);
          },
        });
      const one = await open(held[0], held[1]);
      const reading = pollCount(one, 20);
      await subject.log.publish(coinRecords(20, 20));
      const all = new Set((await reading).map(({ partition }) => partition));
      await one.commit(positionsAfter(await reading));
      const other = await open(held[1], held[0]);
      const idle = other.poll(1, AbortSignal.timeout(1_000));
      await eventually(async () => {
        const partitions = [...held[0], ...held[1]];
        expect(partitions).toEqual(expect.arrayContaining([...all]));
        expect(new Set(partitions).size).toBe(partitions.length);
      });
      await idle;
      held[0].clear();
      await one.close();
      const last = pollCount(other, 20);
      await subject.log.publish(coinRecords(20, 20, 20));
      await last;
      await other.close();
      expect([...held[1]]).toEqual(expect.arrayContaining([...all]));
      expect(shared).toEqual([]);
    });
  });
}
