import type { GroupStarts, Offsets } from '../../../streams/group-starts';
import { upsertAndRead } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { GroupStartDocument } from './log-documents';
import { guarded } from '../transactions/guard';

const offsetsOf = ({ next }: GroupStartDocument): Offsets =>
  new Map(Object.entries(next).map(([partition, offset]) => [Number(partition), offset]));

/** MongoDB driver of GroupStarts. */
export function groupStarts(mongo: Mongo): GroupStarts {
  const starts = documents(mongo.db, 'groupStarts');
  return guarded<GroupStarts>({
    noted: async (group, topic) => {
      const noted = await starts.findOne({ _id: `${group}/${topic}` });
      return noted && offsetsOf(noted);
    },
    begin: async (group, topic, at) => {
      const next = Object.fromEntries([...at].map(([partition, offset]) => [String(partition), offset]));
      return offsetsOf(await upsertAndRead(starts, { _id: `${group}/${topic}` }, { $setOnInsert: { next } }));
    },
    settle: async (group, topic, partitions) => {
      if (partitions.length === 0) return;
      const settled = Object.fromEntries(partitions.map((partition) => [`next.${partition}`, true as const]));
      await starts.updateOne({ _id: `${group}/${topic}` }, { $unset: settled });
    },
  });
}
