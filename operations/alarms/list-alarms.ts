import {
  alarmId,
  listedUntil,
  NOTICE_KEPT,
  type Alarm,
  type AlarmKind,
  type AlarmNotice,
  type AlarmTurn,
} from '../../domain/alarms/alarm';
import { bodySetBack, record, type RecordEntry } from '../../domain/records/record';
import type { RecordStore } from '../../stores/ports/record-store';

export const ALARMS = record<Alarm, 'workspaceId'>('alarm', { expiresAt: listedUntil });
export const ALARM_NOTICES = record<AlarmNotice, 'workspaceId'>('alarm_notice', {
  expiresAt: ({ at }) => at + NOTICE_KEPT,
});

/** The id is that of a source. */
export const ALARM_TURNS = record<AlarmTurn>('alarm_turn', {
  setBack: bodySetBack((body, now) => (body.at > now ? { ...body, at: now } : null)),
});

/** The alarms that stand, and those that ended lately, in the order of their ids; `kind`: those of a kind. */
export const listAlarms = (
  records: Pick<RecordStore, 'list'>,
  now: number,
  kind?: AlarmKind,
): Promise<RecordEntry<Alarm>[]> =>
  records.list(ALARMS, kind === undefined ? {} : { prefix: alarmId({ kind, subject: '' }) }, now);

/** What was said and is kept, in the order of ids. */
export const listNotices = (records: Pick<RecordStore, 'list'>, now: number): Promise<RecordEntry<AlarmNotice>[]> =>
  records.list(ALARM_NOTICES, {}, now);
