import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import type { StoredRecord } from '../../../streams/records';
import { readersOf, startsAtNewest, TOPICS, type TopicName } from '../../../streams/topics';
import { TEST_START } from '../../support/clock';
import { freshEngine, type OpenEngine, type Subject } from '../harness';
import { atOnce, eventually } from '../helpers';
import { pollCount, pollRest, positionsAfter, withReader } from '../log-reading';
import { BOTH, LATE, TEST_GROUPS } from '../test-groups';
import { eventRecord, placesRead, saleRecord, sorted } from './support';
import { PATIENCE } from '../../support/limits';

const EVENTS = 'message.events';
/** The groups that read events from the oldest one on. */
const EAGER = readersOf(TEST_GROUPS, 'message.events').filter((group) => !startsAtNewest(TEST_GROUPS, group));
const SALES = 'conversions';

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, n) => from + n);
const events = (count: number, from = 0) => numbers(count, from).map((n) => eventRecord(n));
const sales = (count: number, from = 0) => numbers(count, from).map((n) => saleRecord(n));
const named = (topic: TopicName, count: number, from = 0) => numbers(count, from).map((n) => `${topic} ${n}`);

/** The records a new reader of the group receives; `commit` picks those to commit. */
const read = (
  { log }: Subject,
  group: typeof BOTH,
  count: number,
  commit: (record: StoredRecord) => boolean = () => false,
) =>
  withReader(log, group, async (reader) => {
    const records = [...(await pollCount(reader, count)), ...(await pollRest(reader))];
    await reader.commit(positionsAfter(records.filter(commit)));
    return sorted(placesRead(records));
  });

function describeSeveral(open: OpenEngine): void {
  describe('a group that reads several topics', () => {
    const subject = freshEngine(open);

    it('sees every record of each, in order within a key', async () => {
      await subject.log.publish([...events(20), ...sales(20)]);
      const records = await withReader(subject.log, BOTH, (reader) => pollCount(reader, 40, 7));
      expect(sorted(placesRead(records))).toEqual(sorted([...named(EVENTS, 20), ...named(SALES, 20)]));
      for (const topic of [EVENTS, SALES]) {
        for (const key of new Set(records.filter((one) => one.topic === topic).map((one) => one.key))) {
          const offsets = records.filter((one) => one.topic === topic && one.key === key).map(({ offset }) => offset);
          expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
        }
      }
    });

    it('is woken by each of them, and lets no busy one keep the other waiting', async () => {
      await withReader(subject.log, BOTH, async (reader) => {
        for (const record of [eventRecord(1), saleRecord(2), eventRecord(3)]) {
          const waiting = pollCount(reader, 1);
          await subject.log.publish([record]);
          expect((await waiting).map(({ topic }) => topic)).toEqual([record.topic]);
        }
        await subject.log.publish(events(300, 10));
        await subject.log.publish([saleRecord(500)]);
        const first = await pollCount(reader, 290, 50);
        const rest = await pollCount(reader, 301 - first.length, 50);
        expect(placesRead([...first, ...rest])).toContain('conversions 500');
      });
    });

    it('has a place in each: what is committed in one leaves the other alone, also after a crash', async () => {
      await subject.log.publish([...events(10), ...sales(10)]);
      await read(subject, BOTH, 20, ({ topic }) => topic === EVENTS);
      await subject.crash();
      expect(await read(subject, BOTH, 10, () => true)).toEqual(sorted(named(SALES, 10)));
      await subject.log.publish([eventRecord(99)]);
      expect(await read(subject, BOTH, 1)).toEqual(['message.events 99']);
    });

    it('is behind by what it has not committed in all of them, and in each', async () => {
      await subject.log.publish(events(3));
      subject.clock.advance(1_000);
      await subject.log.publish(sales(4));
      const behind = () => {
        const { log } = subject;
        const asked = [log.lag(BOTH), log.lag(BOTH, EVENTS), log.lag(BOTH, SALES), log.behindSince(BOTH)];
        return Promise.all([...asked, log.behindSince(BOTH, SALES)]);
      };
      const is = (...expected: (number | null)[]) => eventually(async () => expect(await behind()).toEqual(expected));
      await is(7, 3, 4, TEST_START, TEST_START + 1_000);
      await read(subject, BOTH, 7, ({ topic }) => topic === EVENTS);
      await is(4, 0, 4, TEST_START + 1_000, TEST_START + 1_000);
      await read(subject, BOTH, 4, () => true);
      await is(0, 0, 0, null, null);
    });

    it('is given the partitions of all of them', async () => {
      const assigned = new Set<TopicName>();
      const onAssigned = (partitions: readonly { topic: TopicName }[]) =>
        partitions.forEach(({ topic }) => assigned.add(topic));
      const reader = await subject.log.reader(BOTH, { onAssigned });
      await subject.log.publish([...events(5), ...sales(5)]);
      await pollCount(reader, 10);
      await reader.close();
      expect([...assigned].sort()).toEqual([SALES, EVENTS]);
    });

    it('shares them with a second reader: together they see every record', async () => {
      const seen: StoredRecord[] = [];
      const abort = new AbortController();
      const pump = async () => {
        const reader = await subject.log.reader(BOTH);
        while (!abort.signal.aborted) {
          const batch = await reader.poll(5, abort.signal);
          seen.push(...batch);
          // A partition may have moved to another reader by now, which then reads this again.
          if (batch.length > 0) await reader.commit(positionsAfter(batch)).catch(() => undefined);
        }
        await reader.close();
      };
      const pumps = [pump(), pump()];
      await subject.log.publish([...events(40), ...sales(40)]);
      const all = sorted([...named(EVENTS, 40), ...named(SALES, 40)]);
      await eventually(async () => expect(sorted(placesRead(seen))).toEqual(all));
      abort.abort();
      await Promise.all(pumps);
    });
  });
}

function describeStart(open: OpenEngine): void {
  describe('a group that begins at the newest record', () => {
    const subject = freshEngine(open);
    /** The first reader opens and closes without reading anything. */
    const begin = () => withReader(subject.log, LATE, async () => undefined);

    it('sees nothing that was published before its first reader came, and all that was after', async () => {
      await subject.log.publish([...events(10), ...sales(10)]);
      await withReader(subject.log, LATE, async (reader) => {
        await subject.log.publish([...events(3, 20), ...sales(3, 20)]);
        const records = [...(await pollCount(reader, 6)), ...(await pollRest(reader))];
        expect(sorted(placesRead(records))).toEqual(sorted([...named(EVENTS, 3, 20), ...named(SALES, 3, 20)]));
      });
    });

    it('has a durable place from then on: it skips nothing through crashes, though it committed nothing', async () => {
      await subject.log.publish(events(10));
      await begin();
      await subject.log.publish(events(5, 20));
      await subject.crash();
      await subject.log.publish(sales(5, 20));
      const expected = sorted([...named(EVENTS, 5, 20), ...named(SALES, 5, 20)]);
      expect(await read(subject, LATE, 10)).toEqual(expected);
      await subject.crash();
      expect(await read(subject, LATE, 10, () => true)).toEqual(expected);
      await subject.log.publish(events(2, 30));
      await subject.crash();
      expect(await read(subject, LATE, 2)).toEqual(named(EVENTS, 2, 30));
    });

    it('begins once, however many readers come at the same moment', async () => {
      await subject.log.publish(events(10));
      const readers = await atOnce(4, async (n) => {
        const reader = await subject.log.reader(LATE);
        // A reader that has joined may rely on it, whether or not the others have joined.
        await subject.log.publish([eventRecord(20 + n)]);
        return reader;
      });
      const polls = readers.map((reader) => reader.poll(100, AbortSignal.timeout(PATIENCE)));
      await Promise.race(polls);
      await Promise.all(readers.map((reader) => reader.close()));
      expect(await read(subject, LATE, 4)).toEqual(named(EVENTS, 4, 20));
    });

    it('is behind by nothing before it began, and then by what came since', async () => {
      await subject.log.publish(events(10));
      expect([await subject.log.lag(LATE), await subject.log.behindSince(LATE)]).toEqual([0, null]);
      await withReader(subject.log, LATE, async (reader) => {
        const waiting = pollCount(reader, 2);
        await subject.log.publish(events(2, 20));
        await waiting;
        await eventually(async () => expect(await subject.log.lag(LATE)).toBe(2));
      });
    });

    it('keeps from being trimmed what it has not committed, as every group of the topic does', async () => {
      await begin();
      const key = 'one key';
      await subject.log.publish(numbers(10).map((n) => eventRecord(n, key)));
      for (const group of EAGER) await read(subject, group, 10, () => true);
      const expired = TEST_START + TOPICS[EVENTS].retention + DAY;
      expect(await subject.log.trim(expired, 1_000)).toBe(0);
      expect(await read(subject, LATE, 10, () => true)).toEqual(named(EVENTS, 10));
      expect([9, 10]).toContain(await subject.log.trim(expired, 1_000));
    });
  });
}

/** Groups may read several topics, and begin where the table of groups says. */
export function describeTopics(open: OpenEngine): void {
  describeSeveral(open);
  describeStart(open);
}
