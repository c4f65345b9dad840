import type { GroupStarts, Offsets } from '../../../streams/group-starts';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { GroupStartDocument } from './log-documents';
import { guarded, upserting } from '../transactions/guard';

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
      const options = { upsert: true, returnDocument: 'after' } as const;
      const note = { $setOnInsert: { next } };
      const noted = await upserting(() => starts.findOneAndUpdate({ _id: `${group}/${topic}` }, note, options));
      return noted ? offsetsOf(noted) : new Map();
    },
    settle: async (group, topic, partitions) => {
      if (partitions.length === 0) return;
      const settled = Object.fromEntries(partitions.map((partition) => [`next.${partition}`, true as const]));
      await starts.updateOne({ _id: `${group}/${topic}` }, { $unset: settled });
    },
  });
}
