import type { ParkedRecord } from '../../../streams/event-log';
import type { ParkedRecords } from '../../../streams/parked-records';
import { mapAll, pageAfter } from '../database/reads';
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
    list: (limit, after = 0) => mapAll(pageAfter(parked, {}, ['_id', after], limit), toRecord),
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
