import { listAlarms, listNotices } from './list-alarms';
import { alarmId, type AlarmWay } from '../../domain/alarms/alarm';
import { presentAlarm } from './alarm-payload';
import { operation, type Session, upTo } from '../definition';

/** The alarms that stand or ended lately, and what of their notices has not arrived; the standing ones first. */
export async function alarmsOf({ stores: { records }, clock }: Pick<Session, 'stores' | 'clock'>) {
  const now = clock.now();
  const [alarms, notices] = [await listAlarms(records, now), await listNotices(records, now)];
  const failing = new Map<string, Partial<Record<AlarmWay, string>>>();
  for (const { body } of notices) {
    const id = alarmId(body.alarm);
    failing.set(id, { ...failing.get(id), ...body.failing });
  }
  return alarms
    .map(({ id, body }) => ({
      ...presentAlarm(body),
      not_arrived: { url: failing.get(id)?.url ?? null, mail: failing.get(id)?.mail ?? null },
    }))
    .sort((a, b) => Number(a.ended_at !== null) - Number(b.ended_at !== null));
}

const list = operation('alarm.list', 'operator', {
  summary: 'list deliverability alarms: complaints, bounces, stops, blocklists and certificates',
  examples: [
    ['alarm list', 'active alarms, and those that ended in the last 30 days'],
    ['alarm list --json', 'with the reason why a notice was not delivered'],
  ],
  notes: 'docs/deliverability.md#alarms says when each alarm is raised, and where it is sent.',
  handler: async (_input, session) => ({ data: await alarmsOf(session) }),
  columns: {
    alarm: 'kind',
    of: 'subject',
    since: 'raised_at',
    ended: 'ended_at',
    what: upTo(120, 'text'),
    'not sent': ({ not_arrived: { url, mail } }) => url ?? mail,
  },
  none: 'No alarms.',
});

/** `kurir alarm`. */
export const ALARM = { list };
