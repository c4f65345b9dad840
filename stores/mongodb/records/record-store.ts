import type { Filter } from 'mongodb';
import type { RecordEntry, RecordKind } from '../../../domain/people/records';
import type { RecordStore } from '../../ports/record-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { mapAll, mapOne, pageAfter } from '../database/reads';
import { compareAndSet, insertNew } from '../database/writes';
import { guarded } from '../transactions/guard';
import type { RecordDocument } from './record-document';

const keyOf = (kind: RecordKind, id: string): string => `${kind}:${id}`;

const entryOf = <K extends RecordKind>({ _id, key, body, ...rest }: RecordDocument): RecordEntry<K> =>
  ({ ...rest, id: key, body: JSON.parse(body) as unknown }) as RecordEntry<K>;

const live = (now: number): Filter<RecordDocument> => ({
  $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
});

/** MongoDB driver of RecordStore. */
export function recordStore(mongo: Mongo): RecordStore {
  const entries = documents(mongo.db, 'directory');
  return guarded<RecordStore>({
    add: async ({ id, body, ...rest }, now) => {
      const _id = keyOf(rest.kind, id);
      await entries.deleteOne({ _id, expiresAt: { $lte: now } });
      return insertNew(entries, { _id, key: id, ...rest, version: 1, body: JSON.stringify(body) });
    },
    get: async <K extends RecordKind>(kind: K, id: string, now: number) => {
      return mapOne(entries.findOne({ _id: keyOf(kind, id), ...live(now) }), entryOf<K>);
    },
    list: async <K extends RecordKind>(
      kind: K,
      filter: object,
      { after, limit, now }: { after: string; limit: number; now: number },
    ) => {
      return mapAll(pageAfter(entries, { ...filter, kind, ...live(now) }, ['key', after], limit), entryOf<K>);
    },
    change: ({ kind, id, version, expiresAt, body }) =>
      compareAndSet(
        entries,
        { _id: keyOf(kind, id), version },
        { $set: { body: JSON.stringify(body), expiresAt }, $inc: { version: 1 } },
      ),
    take: async <K extends RecordKind>(kind: K, id: string, now: number) => {
      return mapOne(entries.findOneAndDelete({ _id: keyOf(kind, id), ...live(now) }), entryOf<K>);
    },
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
