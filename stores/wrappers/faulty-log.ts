import type { EventLog, LogReader } from '../../streams/event-log';
import type { OutgoingRecord, StoredRecord } from '../../streams/records';
import { faultyPort } from './faulty-port';
import type { Faults } from './faults';

/** A log with faults. The operations of its readers are `log.<group>.poll` and `log.<group>.commit`. */
export function faultyLog(log: EventLog, faults: Faults): EventLog {
  const wrapped = faultyPort(log, 'log', faults, {
    publish: (records: readonly OutgoingRecord[]) => records[0]?.topic ?? null,
  });
  return new Proxy(wrapped, {
    get(target, key) {
      // It only computes a value, so nothing can fail.
      if (key === 'partitionOf') return log.partitionOf.bind(log);
      if (key !== 'reader') return Reflect.get(target, key) as unknown;
      const open: EventLog['reader'] = async (group, hooks) =>
        faultyReader(await target.reader(group, hooks), `log.${group}`, faults);
      return open;
    },
  });
}

/**
 * With `twice` on a poll, the next poll returns its records again, as after a rebalance. After an error the next poll
 * returns them too, so none is lost.
 */
function faultyReader(reader: LogReader, name: string, faults: Faults): LogReader {
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
