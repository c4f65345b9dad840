import { objectTime } from '../../schemas/rules/timestamps';
import type { Alarm, AlarmNotice } from '../../domain/alarms/alarm';

/** An alarm as JSON. */
export const presentAlarm = ({ kind, subject, workspaceId, text, raisedAt, seenAt, saidAt, endedAt }: Alarm) => ({
  kind,
  subject,
  workspace_id: workspaceId,
  text,
  raised_at: objectTime(raisedAt),
  seen_at: objectTime(seenAt),
  said_at: objectTime(saidAt),
  ended_at: endedAt === null ? null : objectTime(endedAt),
});

/** What an operator's URL gets, in the form that Standard Webhooks advises (docs/deliverability.md#alarms). */
export const alarmPayload = ({ event, at, alarm }: AlarmNotice, installationId: string) => ({
  type: `alarm.${event}`,
  timestamp: objectTime(at),
  data: { ...presentAlarm(alarm), installation_id: installationId },
});
