import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import type { StoredRecord } from '../../../streams/records';
import { TOPICS, type GroupName } from '../../../streams/topics';
import { messageId } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { freshEngine, type OpenEngine, type Subject } from '../harness';
import { eventually } from '../helpers';
import { pollCount, pollRest, positionsAfter, withReader } from '../log-reading';
import { coinRecord, coinRecords, idsOf, idsRead, sorted } from './support';

const RETENTION = TOPICS['coins.entries'].retention;
const EXPIRED = TEST_START + RETENTION + 1;

/** Reads `count` records of the group and commits those that `done` picks. */
const settle = (
  subject: Subject,
  group: GroupName,
  count: number,
  done: (records: StoredRecord[]) => StoredRecord[] = (all) => all,
) =>
  withReader(subject.log, group, async (reader) => {
    const records = await pollCount(reader, count);
    await reader.commit(positionsAfter(done(records)));
  });

const read = (subject: Subject, count: number) =>
  withReader(subject.log, 'coins', async (reader) => [
    ...(await pollCount(reader, count)),
    ...(await pollRest(reader)),
  ]);

/** Trims until nothing more is deleted; returns the number of deleted records. */
async function trimAll(subject: Subject, now: number, limit = 1_000): Promise<number> {
  let gone = 0;
  for (;;) {
    const went = await subject.log.trim(now, limit);
    expect(went).toBeLessThanOrEqual(limit);
    if (went === 0) return gone;
    gone += went;
  }
}

/** A driver may keep the last record of a partition to continue its numbering. */
const exceptTheLast = (count: number) => [count - 1, count];

const ofOneKey = (count: number, from = 0) => Array.from({ length: count }, (_, n) => coinRecord('one key', from + n));
const dispatchOf = (count: number) => {
  const id = messageId();
  return Array.from(
    { length: count },
    (_, n) => ({ topic: 'messages.dispatch', key: id, value: { messageId: id, attempt: n + 1 } }) as const,
  );
};

/** Deletes only what every group has committed and retention no longer holds. */
export function describeTrim(open: OpenEngine): void {
  describe('trim', () => {
    const subject = freshEngine(open);

    it('keeps what is not committed, however old', async () => {
      const records = coinRecords(20);
      await subject.log.publish(records);
      expect(await trimAll(subject, TEST_START + 1_000 * DAY)).toBe(0);
      expect(sorted(idsRead(await read(subject, 20)))).toEqual(sorted(idsOf(records)));
    });

    it('keeps what is committed until retention has passed, then deletes it', async () => {
      await subject.log.publish(ofOneKey(20));
      await settle(subject, 'coins', 20);
      expect(await trimAll(subject, TEST_START + RETENTION - 1)).toBe(0);
      expect(exceptTheLast(20)).toContain(await trimAll(subject, EXPIRED));
      await eventually(async () => expect(await subject.log.lag('coins')).toBe(0));
    });

    it('goes by the time a record was written, so that younger ones stay', async () => {
      await subject.log.publish(ofOneKey(10));
      subject.clock.advance(5_000);
      await subject.log.publish(ofOneKey(7, 10));
      await settle(subject, 'coins', 17);
      expect(await trimAll(subject, EXPIRED)).toBe(10);
      expect(exceptTheLast(7)).toContain(await trimAll(subject, EXPIRED + 5_000));
    });

    it('deletes only up to the committed position of a partition', async () => {
      await subject.log.publish(ofOneKey(10));
      await settle(subject, 'coins', 10, (records) => records.slice(0, 6));
      expect(await trimAll(subject, EXPIRED)).toBe(6);
      expect(idsRead(await read(subject, 4))).toEqual([6, 7, 8, 9].map((n) => `one key:${n}`));
    });

    it('asks each topic for its own retention and its own group', async () => {
      await subject.log.publish([...ofOneKey(5), ...dispatchOf(5)]);
      await settle(subject, 'coins', 5);
      const commandsExpired = TEST_START + TOPICS['messages.dispatch'].retention + 1;
      expect(await trimAll(subject, commandsExpired)).toBe(0);
      await settle(subject, 'dispatch', 5);
      expect(exceptTheLast(5)).toContain(await trimAll(subject, commandsExpired));
      expect(exceptTheLast(5)).toContain(await trimAll(subject, EXPIRED));
    });

    it('deletes at most `limit` records a call, of all topics together', async () => {
      await subject.log.publish([...ofOneKey(25), ...dispatchOf(25)]);
      await settle(subject, 'coins', 25);
      await settle(subject, 'dispatch', 25);
      expect(await trimAll(subject, EXPIRED, 10)).toBeGreaterThanOrEqual(48);
    });

    it('of everything does not hide what is published next, also after a crash', async () => {
      await subject.log.publish(coinRecords(20));
      await settle(subject, 'coins', 20);
      await trimAll(subject, EXPIRED);
      await subject.log.publish(coinRecords(3, 10, 20));
      await settle(subject, 'coins', 3);
      await trimAll(subject, EXPIRED + DAY);
      await subject.crash();
      const next = coinRecords(5, 10, 23);
      await subject.log.publish(next);
      expect(sorted(idsRead(await read(subject, 5)))).toEqual(sorted(idsOf(next)));
    });
  });
}
