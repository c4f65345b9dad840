import { describe, expect, it } from '@jest/globals';
import type { StoredRecord } from '../../../streams/records';
import { TEST_START } from '../../support/clock';
import { freshEngine, type OpenEngine, type Subject } from '../harness';
import { eventually } from '../helpers';
import { pollCount, pollRest, positionsAfter, withReader } from '../log-reading';
import { coinRecord, coinRecords, idsOf, idsRead, sorted } from './support';

/** Reads `count` records, commits those that `done` picks, and closes. */
const readAndCommit = (
  subject: Subject,
  count: number,
  done: (records: StoredRecord[]) => StoredRecord[] = (all) => all,
) =>
  withReader(subject.log, 'coins', async (reader) => {
    const records = await pollCount(reader, count);
    await reader.commit(positionsAfter(done(records)));
    return records;
  });

/** The records a new reader of the group receives. */
const readAgain = (subject: Subject, count: number) =>
  withReader(subject.log, 'coins', async (reader) => [
    ...(await pollCount(reader, count)),
    ...(await pollRest(reader)),
  ]);

/** `commit` is the group's place in the log. */
export function describeCommits(open: OpenEngine): void {
  describe('commit', () => {
    const subject = freshEngine(open);

    it('keeps what is done from being read again, by the next reader', async () => {
      await subject.log.publish(coinRecords(30));
      await readAndCommit(subject, 30);
      await subject.log.publish(coinRecords(4, 10, 30));
      expect(sorted(idsRead(await readAgain(subject, 4)))).toEqual(sorted(idsOf(coinRecords(4, 10, 30))));
    });

    it('keeps it from being read again after a crash too', async () => {
      await subject.log.publish(coinRecords(30));
      await readAndCommit(subject, 30);
      await subject.crash();
      await subject.log.publish(coinRecords(4, 10, 30));
      expect(sorted(idsRead(await readAgain(subject, 4)))).toEqual(sorted(idsOf(coinRecords(4, 10, 30))));
    });

    it('that never came leaves everything to be read again', async () => {
      const records = coinRecords(30);
      await subject.log.publish(records);
      await withReader(subject.log, 'coins', (reader) => pollCount(reader, 30));
      expect(sorted(idsRead(await readAgain(subject, 30)))).toEqual(sorted(idsOf(records)));
      await subject.crash();
      expect(sorted(idsRead(await readAgain(subject, 30)))).toEqual(sorted(idsOf(records)));
    });

    it('of a part leaves the rest of the partition to be read again, in order', async () => {
      await subject.log.publish(Array.from({ length: 10 }, (_, n) => coinRecord('one key', n)));
      await readAndCommit(subject, 10, (records) => records.slice(0, 4));
      const expected = [4, 5, 6, 7, 8, 9].map((n) => `one key:${n}`);
      expect(idsRead(await readAgain(subject, 6))).toEqual(expected);
    });

    it('of some partitions leaves the others alone', async () => {
      await subject.log.publish(coinRecords(60, 20));
      const records = await readAndCommit(subject, 60, (all) =>
        all.filter(({ partition }) => partition === all[0]?.partition),
      );
      const rest = records.filter(({ partition }) => partition !== records[0]?.partition);
      expect(sorted(idsRead(await readAgain(subject, rest.length)))).toEqual(sorted(idsRead(rest)));
    });

    it('of no positions changes nothing', async () => {
      await subject.log.publish(coinRecords(5));
      await readAndCommit(subject, 5, () => []);
      expect(idsRead(await readAgain(subject, 5))).toHaveLength(5);
    });

    it('does not make the reader that goes on skip or repeat', async () => {
      await subject.log.publish(coinRecords(40));
      await withReader(subject.log, 'coins', async (reader) => {
        const read: StoredRecord[] = [];
        while (read.length < 40) {
          const batch = await pollCount(reader, 1, 6);
          await reader.commit(positionsAfter(batch));
          read.push(...batch);
        }
        expect(read).toHaveLength(40);
        expect(sorted(idsRead(read))).toEqual(sorted(idsOf(coinRecords(40))));
      });
    });
  });

  describe('lag', () => {
    const subject = freshEngine(open);

    it('is what the group has not committed, read or not', async () => {
      expect(await subject.log.lag('coins')).toBe(0);
      await subject.log.publish(Array.from({ length: 10 }, (_, n) => coinRecord('one key', n)));
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(10));
      await readAndCommit(subject, 10, (records) => records.slice(0, 4));
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(6));
      await readAndCommit(subject, 6);
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(0));
    });

    it('is counted for each group by its own topic', async () => {
      await subject.log.publish(coinRecords(3));
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(3));
      expect(await subject.log.lag('engagement')).toBe(0);
    });

    it('is as old as the oldest record that is not committed', async () => {
      expect(await subject.log.behindSince('coins')).toBeNull();
      for (let n = 0; n < 3; n += 1) {
        await subject.log.publish([coinRecord('one key', n)]);
        subject.clock.advance(1_000);
      }
      const since = (at: number | null) =>
        eventually(async () => expect(await subject.log.behindSince('coins')).toBe(at));
      await since(TEST_START);
      expect(await subject.log.behindSince('engagement')).toBeNull();
      await readAndCommit(subject, 3, (records) => records.slice(0, 2));
      await since(TEST_START + 2_000);
      await readAndCommit(subject, 1);
      await since(null);
    });
  });
}
