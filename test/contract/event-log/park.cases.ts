import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import { TEST_START } from '../../support/clock';
import { freshEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { BOTH, LATE } from '../test-groups';
import { isOf, pollCount, pollUntil, positionsAfter, withReader } from '../log-reading';
import { coinRecord, coinRecords, eventRecord } from './support';

/**
 * A record that is given up becomes a dead letter with its reason, never deleted
 * (docs/architecture.md#the-log-and-the-runner).
 */
export function describeParking(open: OpenEngine): void {
  describe('a parked record', () => {
    const subject = freshEngine(open);
    const readCoins = (count: number) =>
      withReader(subject.log, 'coins', async (reader) => {
        const records = await pollCount(reader, count);
        await reader.commit(positionsAfter(records));
        return records.filter(isOf('coins.entries'));
      });

    it('is listed with what it was, for whom, why and when', async () => {
      expect(await subject.log.parked(10)).toEqual([]);
      const { topic, key, value } = coinRecord('kunci 🌼', 7);
      await subject.log.publish([{ topic, key, value }]);
      const record = at(await readCoins(1), 0);
      subject.clock.advance(5_000);
      await subject.log.park(record, 'coins', 'tidak dapat dibaca: “x” 🌼');
      const parked = await subject.log.parked(10);
      const why = { group: 'coins', reason: 'tidak dapat dibaca: “x” 🌼', parkedAt: TEST_START + 5_000 };
      expect(parked).toEqual([{ id: parked[0]?.id, topic, key, version: 1, value, ...why }]);
    });

    it('is one of several with ids of their own, listed up to the limit', async () => {
      await subject.log.publish(coinRecords(5));
      for (const record of await readCoins(5)) await subject.log.park(record, 'coins', `reason ${record.value.id}`);
      const all = await subject.log.parked(10);
      expect(new Set(all.map(({ id }) => id)).size).toBe(5);
      expect(all.map(({ reason }) => reason).sort()).toEqual([0, 1, 2, 3, 4].map((n) => `reason w${n}:${n}`));
      expect(await subject.log.parked(2)).toHaveLength(2);
    });

    it('is listed page by page', async () => {
      await subject.log.publish(coinRecords(3));
      for (const record of await readCoins(3)) await subject.log.park(record, 'coins', 'a reason');
      const all = await subject.log.parked(10);
      expect(await subject.log.parked(10, at(all, 0).id)).toEqual(all.slice(1));
      expect(await subject.log.parked(1, at(all, 0).id)).toEqual([all[1]]);
      expect(await subject.log.parked(10, at(all, 2).id)).toEqual([]);
    });

    it('that is driven again is read once more, as it was, and leaves the list', async () => {
      await subject.log.publish(coinRecords(2));
      const records = await readCoins(2);
      for (const record of records) await subject.log.park(record, 'coins', 'a reason');
      const [first, second] = await subject.log.parked(10);
      expect(await subject.log.redrive(first!.id)).toBe(true);
      expect(await subject.log.parked(10)).toEqual([second]);
      const [again] = await readCoins(1);
      expect({ topic: again?.topic, key: again?.key, value: again?.value }).toEqual({
        topic: first!.topic,
        key: first!.key,
        value: first!.value,
      });
    });

    it('that is driven again is for the group that parked it alone, in the version it was written in', async () => {
      await subject.log.publish([{ ...eventRecord(1), version: 7 }]);
      const readers = { [LATE]: await subject.log.reader(LATE), [BOTH]: await subject.log.reader(BOTH) };
      const [parked] = await pollCount(readers[BOTH]!, 1);
      expect([parked?.version, parked?.forGroup]).toEqual([7, null]);
      await subject.log.park(parked!, BOTH, 'an unknown version');
      const [listed] = await subject.log.parked(1);
      expect(listed).toMatchObject({ group: BOTH, version: 7 });
      await subject.log.redrive(listed!.id);
      for (const reader of Object.values(readers)) {
        const again = (await pollUntil(reader, (read) => read.at(-1)?.forGroup === BOTH)).at(-1);
        expect(again).toMatchObject({ key: parked!.key, value: parked!.value, version: 7 });
        await reader.close();
      }
    });

    it('wakes a reader that waits when it is driven again', async () => {
      await subject.log.publish(coinRecords(1));
      await subject.log.park(at(await readCoins(1), 0), 'coins', 'a reason');
      const [parked] = await subject.log.parked(1);
      const waiting = readCoins(1);
      await subject.log.redrive(parked!.id);
      expect(await waiting).toHaveLength(1);
    });

    it('is driven again by one of many who want to, and stays so through a crash', async () => {
      await subject.log.publish(coinRecords(1));
      await subject.log.park(at(await readCoins(1), 0), 'coins', 'a reason');
      const [parked] = await subject.log.parked(1);
      const answers = await atOnce(20, () => subject.log.redrive(parked!.id));
      expect(answers.filter(Boolean)).toHaveLength(1);
      await subject.crash();
      expect(await subject.log.parked(10)).toEqual([]);
      expect(await readCoins(1)).toHaveLength(1);
      expect(await subject.log.redrive(parked!.id)).toBe(false);
    });

    it('stays through a crash and after its topic was trimmed', async () => {
      await subject.log.publish(coinRecords(1));
      await subject.log.park(at(await readCoins(1), 0), 'coins', 'a reason');
      const before = await subject.log.parked(10);
      expect(before).toHaveLength(1);
      await subject.log.trim(TEST_START + 1_000 * DAY, 1_000);
      await subject.crash();
      expect(await subject.log.parked(10)).toEqual(before);
    });
  });
}
