import type { ParkedRecord } from '../../../streams/event-log';
import type { ParkedRecords } from '../../../streams/parked-records';

type Listed = ParkedRecord & { by?: string; until?: number };

/** Dead letters in memory, for cases about the log. */
export function listedRecords(): ParkedRecords {
  const records = new Map<number, Listed>();
  let last = 0;
  const plain = ({ by: _by, until: _until, ...record }: Listed): ParkedRecord => record;
  return {
    add: async (record) => {
      last += 1;
      records.set(last, { ...record, id: last });
    },
    list: async (limit, after = 0) =>
      [...records.values()]
        .filter(({ id }) => id > after)
        .slice(0, limit)
        .map(plain),
    take: async (id, by, now, ttl) => {
      const record = records.get(id);
      if (!record || (record.until ?? 0) > now) return null;
      Object.assign(record, { by, until: now + ttl });
      return plain(record);
    },
    remove: async (id, by) => {
      if (records.get(id)?.by === by) records.delete(id);
    },
  };
}
