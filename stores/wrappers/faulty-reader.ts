import type { OperationFaults } from '../../lib/operation-faults';
import type { LogReader } from '../../streams/event-log';
import type { StoredRecord } from '../../streams/records';

/**
 * A reader of the log with faults. With `twice` on a poll, the next poll returns its records again, as after a
 * rebalance. After an error the next poll returns them too, so none is lost.
 */
export function faultyReader(reader: LogReader, name: string, faults: OperationFaults): LogReader {
  let again: StoredRecord[] = [];
  const poll: LogReader['poll'] = async (limit, signal) => {
    if (again.length > 0) return again.splice(0, limit);
    const records = await reader.poll(limit, signal);
    if (records.length === 0) return records;
    let calls = 0;
    try {
      // Counts as an operation only if there are records, since a poll may wait forever.
      return await faults.around(`${name}.poll`, null, async () => {
        calls += 1;
        if (calls > 1) again = [...records];
        return records;
      });
    } catch (error) {
      again = [...records];
      throw error;
    }
  };
  const commit: LogReader['commit'] = (positions) =>
    faults.around(`${name}.commit`, null, () => reader.commit(positions));
  return { poll, commit, close: () => reader.close() };
}
