import { alarmId, type AlarmKind } from '../../domain/alarms/alarm';
import type { RecordEntry } from '../../domain/people/records';
import type { RecordStore } from '../../stores/ports/record-store';

const PAGE = 200;

/** The alarms that stand, and those that ended lately, in the order of their ids. */
export const listAlarms = (records: Pick<RecordStore, 'list'>, now: number): Promise<RecordEntry<'alarm'>[]> =>
  readAll(records, 'alarm', '', now);

/** Those of a kind. */
export const alarmsOfKind = (
  records: Pick<RecordStore, 'list'>,
  kind: AlarmKind,
  now: number,
): Promise<RecordEntry<'alarm'>[]> => readAll(records, 'alarm', alarmId({ kind, subject: '' }), now);

/** What was said and is kept, in the order of ids. */
export const listNotices = (records: Pick<RecordStore, 'list'>, now: number): Promise<RecordEntry<'alarm_notice'>[]> =>
  readAll(records, 'alarm_notice', '', now);

/** The entries whose id begins with `prefix`. */
async function readAll<K extends 'alarm' | 'alarm_notice'>(
  records: Pick<RecordStore, 'list'>,
  kind: K,
  prefix: string,
  now: number,
): Promise<RecordEntry<K>[]> {
  const found: RecordEntry<K>[] = [];
  for (let after = prefix; ;) {
    const page = await records.list(kind, {}, { after, limit: PAGE, now });
    const own = page.filter(({ id }) => id.startsWith(prefix));
    found.push(...own);
    if (own.length < PAGE) return found;
    after = own.at(-1)!.id;
  }
}
