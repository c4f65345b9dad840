import type { EventLog, LogReader } from '../../streams/event-log';
import type { OutgoingRecord, StoredRecord } from '../../streams/records';
import { faultyPort } from './faulty-port';
import type { Faults } from './faults';

/** A log with faults; its readers' operations are `log.<group>.poll` and `log.<group>.commit`. */
export function faultyLog(log: EventLog, faults: Faults): EventLog {
  const wrapped = faultyPort(log, 'log', faults, {
    publish: (records: readonly OutgoingRecord[]) => records[0]?.topic ?? null,
  });
  return new Proxy(wrapped, {
    get(target, key) {
      // It computes and asks nobody, so there is nothing to fail.
      if (key === 'partitionOf') return log.partitionOf.bind(log);
      if (key !== 'reader') return Reflect.get(target, key) as unknown;
      const open: EventLog['reader'] = async (group, hooks) =>
        faultyReader(await target.reader(group, hooks), `log.${group}`, faults);
      return open;
    },
  });
}

/** `twice` on a poll hands its records out once more by the next one, as after a rebalance; so does an error, which loses none. */
function faultyReader(reader: LogReader, name: string, faults: Faults): LogReader {
  let again: StoredRecord[] = [];
  const poll: LogReader['poll'] = async (limit, signal) => {
    if (again.length > 0) return again.splice(0, limit);
    const records = await reader.poll(limit, signal);
    if (records.length === 0) return records;
    let calls = 0;
    try {
      // An operation only once there is a record, since a poll may wait for ever.
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
