import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock';
import type { EventLog } from '../../event-log';
import type { ParkedRecords } from '../../parked-records';
import type { OutgoingRecord } from '../../records';

/**
 * Longer than publishing takes. A process that crashes while driving a record again blocks others from it for this
 * long, ms.
 */
const TAKEN_FOR = 60_000;

type Parking = Pick<EventLog, 'park' | 'parked' | 'redrive'>;

/** Dead letters, kept in a store: a topic cannot hold a list by id from which each record is removed once. */
export const parking = (records: ParkedRecords, clock: Clock, publish: EventLog['publish']): Parking => ({
  park: ({ topic, key, version, value }, group, reason) =>
    records.add({ topic, group, key, version, value, reason, parkedAt: clock.now() }),
  parked: (limit, after) => records.list(limit, after),
  redrive: async (id) => {
    const by = randomUUID();
    const record = await records.take(id, by, clock.now(), TAKEN_FOR);
    if (!record) return false;
    const { topic, key, version, value, group: forGroup } = record;
    await publish([{ topic, key, version, value, forGroup } as OutgoingRecord]);
    await records.remove(id, by);
    return true;
  },
});
