import { describe, expect, it } from '@jest/globals';
import type { OutgoingRecord, StoredRecord } from '../../../streams/records';
import { GROUPS, namesOf, newestVersion, startsAtNewest } from '../../../streams/topics';
import { aHit, messageId } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { freshEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { isOf, pollCount, pollRest, pollUntil, withReader } from '../log-reading';
import { coinRecord, coinRecords, eventRecord, idsOf, idsRead, saleRecord, sorted } from './support';

/** One record of every topic that a group reads. */
const oneOfEach = (): OutgoingRecord[] => {
  const id = messageId();
  const feedback = {
    kind: 'bounced',
    class: 'address_unknown',
    hard: true,
    trusted: true,
    text: '550 5.1.1 “tidak ada” 🌼',
    at: TEST_START,
  } as const;
  return [
    { topic: 'messages.accepted', key: '7', value: { workspaceId: 7, messageId: id } },
    { topic: 'messages.dispatch', key: id, value: { messageId: id, attempt: 3 } },
    { topic: 'mta.feedback', key: id, value: { messageId: id, feedback } },
    coinRecord('7', 1),
    { topic: 'engagement.hits', key: id, value: aHit(id, { kind: 'click', link: 3 }) },
    eventRecord(1, id),
    saleRecord(2, '7'),
    {
      topic: 'journeys.enrollments',
      key: '5',
      value: { enrollmentId: id, workspaceId: 7, journeyId: 2, contactId: 5 },
    },
  ];
};

function describeRecords(open: OpenEngine): void {
  describe('a published record', () => {
    const subject = freshEngine(open);

    it('is read by the group of its topic with key, value and time, and by no other', async () => {
      const records = oneOfEach();
      subject.clock.advance(1_234);
      await subject.log.publish(records);
      // A group that starts at the newest record has a case of its own.
      for (const group of namesOf(GROUPS).filter((name) => !startsAtNewest(GROUPS, name))) {
        const read = await withReader(subject.log, group, async (reader) => [
          ...(await pollCount(reader, GROUPS[group].topics.length)),
          ...(await pollRest(reader)),
        ]);
        const topics = [...GROUPS[group].topics].sort();
        const found = [...read].sort((a, b) => (a.topic < b.topic ? -1 : 1));
        expect(found.map(({ topic }) => topic)).toEqual(topics);
        for (const record of found) {
          const { topic, partition, offset } = record;
          const place = { partition, offset, version: newestVersion(topic), forGroup: null, at: TEST_START + 1_234 };
          expect(record).toEqual({ ...records.find((one) => one.topic === topic), ...place });
        }
      }
    });

    it('keeps large values and text of any language', async () => {
      const id = messageId();
      const text = `550 ${'🌼é\u0000"\\'.repeat(40_000)}`;
      const key = 'kunci 🌼 "a" \\ é';
      const feedback = {
        kind: 'bounced',
        class: 'address_unknown',
        hard: true,
        trusted: true,
        text,
        at: TEST_START,
      } as const;
      await subject.log.publish([{ topic: 'mta.feedback', key, value: { messageId: id, feedback } }]);
      const read = await withReader(subject.log, 'mta-feedback', (reader) => pollCount(reader, 1));
      const record = at(read.filter(isOf('mta.feedback')), 0);
      expect([record.key, record.value.feedback.text === text]).toEqual([key, true]);
      expect({ ...record.value.feedback, text }).toEqual(feedback);
    });

    it('is there after a crash, when publish had resolved', async () => {
      const records = coinRecords(50);
      await Promise.all(records.map((record) => subject.log.publish([record])));
      await subject.crash();
      const read = await withReader(subject.log, 'coins', (reader) =>
        pollUntil(reader, (some) => idsRead(some).length >= 50),
      );
      expect(sorted(idsRead(read))).toEqual(sorted(idsOf(records)));
    });

    it('is one of a thousand published at once, all of which are there', async () => {
      const records = coinRecords(1_000, 37);
      await subject.log.publish(records);
      const read = await withReader(subject.log, 'coins', (reader) =>
        pollUntil(reader, (some) => idsRead(some).length >= 1_000, 500),
      );
      expect(sorted(idsRead(read))).toEqual(sorted(idsOf(records)));
    });

    it('may be none: publishing nothing resolves', async () => {
      await subject.log.publish([]);
      expect(await subject.log.lag('coins')).toBe(0);
    });
  });
}

/** The amounts of each key in order of reading, repeats left out. */
function amountsByKey(records: readonly StoredRecord[]): Map<string, number[]> {
  const byKey = new Map<string, number[]>();
  for (const { key, value } of records.filter(isOf('coins.entries'))) {
    const amounts = byKey.get(key) ?? [];
    if (!amounts.includes(value.amount)) byKey.set(key, [...amounts, value.amount]);
  }
  return byKey;
}

function describeKeys(open: OpenEngine): void {
  describe('records of one key', () => {
    const subject = freshEngine(open);

    it('keep their order, in one publish and over many, read in small polls', async () => {
      await subject.log.publish(coinRecords(100, 20));
      for (let from = 100; from < 160; from += 3) await subject.log.publish(coinRecords(3, 20, from));
      const read = await withReader(subject.log, 'coins', (reader) =>
        pollUntil(reader, (some) => idsRead(some).length >= 160, 7),
      );
      const byKey = amountsByKey(read);
      expect(byKey.size).toBe(20);
      for (const amounts of byKey.values()) expect(amounts).toEqual([...amounts].sort((a, b) => a - b));
    });

    it('keep their order while other keys are published at the same time', async () => {
      await atOnce(8, async (key) => {
        for (let n = 0; n < 10; n += 1) await subject.log.publish([coinRecord(`k${key}`, n)]);
      });
      const read = await withReader(subject.log, 'coins', (reader) =>
        pollUntil(reader, (some) => idsRead(some).length >= 80),
      );
      expect([...amountsByKey(read).values()]).toEqual(Array(8).fill([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    });

    it('lie in one partition, whose offsets grow', async () => {
      await subject.log.publish(coinRecords(100, 12));
      const read = await withReader(subject.log, 'coins', (reader) => pollCount(reader, 100, 9));
      for (const partition of new Set(read.map((record) => record.partition))) {
        const offsets = read.filter((record) => record.partition === partition).map(({ offset }) => offset);
        expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
      }
      const homes = new Set(read.map(({ key, partition }) => `${key} in ${partition}`));
      expect(homes.size).toBe(12);
    });
  });
}

/** Durable once `publish` resolved; in order per key. */
export function describePublishing(open: OpenEngine): void {
  describeRecords(open);
  describeKeys(open);
}
