import { createHash } from 'node:crypto';
import { DAY, HOUR } from '../../lib/clock';

/** What an operator is warned of (docs/deliverability.md#alarms). */
export const ALARM_KINDS = [
  'complaints',
  'hard_bounces',
  'destination_stopped',
  'blocklist',
  'certificate',
  'domain',
  'dmarc',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** An alarm that stands is said again after this, ms. */
const AGAIN_AFTER = DAY;
/** What was not seen for so long is over, so that what comes and goes is said once, ms. */
const CALM = HOUR;
/** How long an alarm that is over is listed, ms. */
const LISTED_FOR = 30 * DAY;
/** No notice is tried for longer, ms. */
export const NOTICE_KEPT = 7 * DAY;

/** Something that a look found to be wrong. */
export interface Trouble {
  kind: AlarmKind;
  /** What it is about: a workspace, a destination, an address, a file, a domain. Unique within the kind. */
  subject: string;
  workspaceId: number | null;
  /** One sentence in English, without addresses of people. */
  text: string;
}

/** An alarm; its id is `<kind> <subject>`. Times in ms. */
export interface Alarm extends Trouble {
  raisedAt: number;
  /** When a look found it last. */
  seenAt: number;
  /** When it was said last. */
  saidAt: number;
  /** Null while it stands. */
  endedAt: number | null;
  /** Counts its notices. */
  said: number;
}

/** When a source was looked at last, ms, and where the next look goes on. */
export interface AlarmTurn {
  at: number;
  next: number;
}

export type NoticeEvent = 'raised' | 'repeated' | 'ended';
/** The ways to an operator. */
export const ALARM_WAYS = ['url', 'mail'] as const;
export type AlarmWay = (typeof ALARM_WAYS)[number];

/** What is said of an alarm. The id is the same for every attempt, and hides nothing but is no address. */
export interface AlarmNotice {
  event: NoticeEvent;
  at: number;
  alarm: Alarm;
  /** Why it has not arrived, by way; what has arrived has no entry. */
  failing: Partial<Record<AlarmWay, string>>;
}

export const alarmId = ({ kind, subject }: Pick<Trouble, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/** The id of the notice that an alarm says now; of several processes that say it, each has the same. */
export const noticeId = (alarm: Alarm): string =>
  createHash('sha256')
    .update(`${alarmId(alarm)} ${alarm.said} ${Math.floor(alarm.raisedAt / DAY)}`)
    .digest('hex')
    .slice(0, 32);

/** When an alarm is of no use any more, ms; null while it stands. */
export const listedUntil = ({ endedAt }: Alarm): number | null => (endedAt === null ? null : endedAt + LISTED_FOR);

/** An alarm after a look, and what is to be said of it. */
export interface Step {
  alarm: Alarm;
  event: NoticeEvent | null;
}

/**
 * What a look makes of an alarm: raised once, said again each day while it stands, ended after an hour without it.
 * Null: nothing changes. `found` is null when it is not there.
 */
export function nextStep(known: Alarm | null, found: Trouble | null, now: number): Step | null {
  const isStanding = known !== null && known.endedAt === null;
  const said = (known?.said ?? 0) + 1;
  if (found && !isStanding) {
    return { alarm: { ...found, raisedAt: now, seenAt: now, saidAt: now, endedAt: null, said }, event: 'raised' };
  }
  if (!isStanding) return null;
  if (found) {
    const seen = { ...known, ...found, seenAt: now };
    const isDue = now >= known.saidAt + AGAIN_AFTER;
    return isDue ? { alarm: { ...seen, saidAt: now, said }, event: 'repeated' } : { alarm: seen, event: null };
  }
  if (now < known.seenAt + CALM) return null;
  return { alarm: { ...known, saidAt: now, endedAt: now, said }, event: 'ended' };
}
