import type { ParkedRecord } from '../../../streams/event-log';
import type { ParkedRecords } from '../../../streams/parked-records';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { ParkedDocument } from './log-documents';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

const toRecord = ({ _id: id, taken: _taken, value, version = 1, ...rest }: ParkedDocument): ParkedRecord => ({
  ...rest,
  id,
  version,
  value: JSON.parse(value) as unknown,
});

/** MongoDB driver of ParkedRecords. */
export function parkedRecords(mongo: Mongo): ParkedRecords {
  const parked = documents(mongo.db, 'parked');
  return guarded<ParkedRecords>({
    add: async ({ value, ...rest }) => {
      const id = await takeIds(mongo, 'parked');
      await parked.insertOne({ _id: id, ...rest, value: JSON.stringify(value ?? null) });
    },
    list: async (limit, after = 0) => {
      const page = parked
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit);
      return (await page.toArray()).map(toRecord);
    },
    take: async (id, by, now, ttl) => {
      const record = await parked.findOneAndUpdate(
        { _id: id, $or: [{ taken: { $exists: false } }, { 'taken.until': { $lte: now } }] },
        { $set: { taken: { by, until: now + ttl } } },
      );
      return record && toRecord(record);
    },
    remove: async (id, by) => {
      await parked.deleteOne({ _id: id, 'taken.by': by });
    },
  });
}
