import type { GroupStarts, Offsets } from '../../../streams/group-starts';

/** Start positions of groups in memory, for cases about the log. */
export function listedStarts(): GroupStarts {
  const starts = new Map<string, Map<number, number>>();
  return {
    noted: async (group, topic) => starts.get(`${group}/${topic}`) ?? null,
    begin: async (group, topic, at): Promise<Offsets> => {
      const noted = starts.get(`${group}/${topic}`) ?? new Map(at);
      starts.set(`${group}/${topic}`, noted);
      return new Map(noted);
    },
    settle: async (group, topic, partitions) => {
      for (const partition of partitions) starts.get(`${group}/${topic}`)?.delete(partition);
    },
  };
}
