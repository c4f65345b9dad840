import type { Filter } from 'mongodb';
import type { RecordEntry } from '../../../domain/records/record';
import type { RecordTable } from '../../shared/record-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { mapAll, mapOne } from '../database/reads';
import { compareAndSet, insertNew } from '../database/writes';
import { guarded } from '../transactions/guard';
import type { RecordDocument } from './record-document';

const keyOf = (kind: string, id: string): string => `${kind}:${id}`;

const entryOf = ({ _id, key, body, ...rest }: RecordDocument): RecordEntry => ({
  ...rest,
  id: key,
  body: JSON.parse(body) as unknown,
});

const live = (now: number): Filter<RecordDocument> => ({
  $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
});

/** MongoDB driver of RecordStore. */
export function recordTable(mongo: Mongo): RecordTable {
  const entries = documents(mongo.db, 'directory');
  return guarded<RecordTable>({
    add: async ({ id, body, ...rest }, now) => {
      const _id = keyOf(rest.kind, id);
      await entries.deleteOne({ _id, expiresAt: { $lte: now } });
      return insertNew(entries, { _id, key: id, ...rest, body: JSON.stringify(body) });
    },
    get: (kind, id, now) => mapOne(entries.findOne({ _id: keyOf(kind, id), ...live(now) }), entryOf),
    list: (kind, { prefix, after, limit, ...owner }, now) => {
      const within = prefix === undefined ? {} : { $gte: prefix, $lt: `${prefix}\u{10FFFF}` };
      const filter = { ...owner, kind, ...live(now), key: { $gt: after, ...within } };
      return mapAll(entries.find(filter).sort({ key: 1 }).limit(limit), entryOf);
    },
    replace: ({ kind, id, version }, { body, expiresAt }) =>
      compareAndSet(
        entries,
        { _id: keyOf(kind, id), version },
        { $set: { body: JSON.stringify(body), expiresAt }, $inc: { version: 1 } },
      ),
    take: (kind, id, now) => mapOne(entries.findOneAndDelete({ _id: keyOf(kind, id), ...live(now) }), entryOf),
    removeOf: async (kind, user, except) => {
      const { deletedCount } = await entries.deleteMany({ kind, user, key: { $ne: except ?? '' } });
      return deletedCount;
    },
    trim: async (now, limit) => {
      const old = entries.find({ expiresAt: { $lte: now } }, { projection: { _id: 1 } }).limit(limit);
      const ids = (await old.toArray()).map(({ _id }) => _id);
      const { deletedCount } = await entries.deleteMany({ _id: { $in: ids }, expiresAt: { $lte: now } });
      return deletedCount;
    },
  });
}
