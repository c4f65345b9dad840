import { ENGAGEMENT_COUNTS, SENT_STATUSES, type MessageHour } from '../../domain/messages/message-hour';
import { MESSAGE_STATUSES } from '../../domain/messages/message';
import { hourOf } from '../../domain/engagement/engagement';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import { DAY, HOUR } from '../../lib/clock';
import { jsonTime, moment, oneOf, operation, option, UsageError, workspace, why } from '../definition';

/** The longest time for each step, days. */
const MAX = { hour: 31, day: 366 } as const;
type Step = keyof typeof MAX;
const UNITS = { hour: why('hour'), day: why('day') };
const SINCE = { label: '--since' };

/** What happened to messages, with the sums that people ask for. */
function figuresOf(hours: readonly MessageHour[]) {
  const sum = (name: Exclude<keyof MessageHour, 'hour'>): number => hours.reduce((all, of) => all + of[name], 0);
  const counts = Object.fromEntries(ENGAGEMENT_COUNTS.map((name) => [name, sum(name)])) as Record<
    (typeof ENGAGEMENT_COUNTS)[number],
    number
  >;
  const byStatus = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, sum(status)])) as Record<
    (typeof MESSAGE_STATUSES)[number],
    number
  >;
  return {
    accepted: MESSAGE_STATUSES.reduce((all, status) => all + byStatus[status], 0),
    sent: SENT_STATUSES.reduce((all, status) => all + byStatus[status], 0),
    ...byStatus,
    complained: sum('complained'),
    opened: counts.openedByPeople,
    clicked: counts.clickedByPeople,
    opened_by_machines: counts.opened - counts.openedByPeople,
    clicked_by_machines: counts.clicked - counts.clickedByPeople,
  };
}

/** The beginnings of the steps of a time, ms: hours, or days of WIB, of which the first may be a part. */
function stepsOf(since: number, until: number, by: Step): number[] {
  const starts: number[] = [];
  for (let at = since; at < until; at = by === 'hour' ? at + HOUR : nextWibMidnight(at)) starts.push(at);
  return starts;
}

export const stats = operation('message.stats', 'viewer', {
  summary: 'count messages sent, delivered, bounced, opened and clicked, by hour or day',
  arguments: { workspace: { ...workspace, about: 'id or name; optional if there is only one' } },
  options: {
    since: option('<time>', 'from this hour on; default: the last seven days (WIB), including today', moment),
    until: option('<time>', 'up to this hour; default: now', moment),
    by: option('<step>', 'hour, or day (WIB); default: day', oneOf('hour', 'day'), 'day' as const),
  },
  examples: [
    ['message stats Demo', 'the last seven days'],
    ['message stats Demo --by hour --since 2026-09-01 --until 2026-09-02', 'each hour of a day'],
  ],
  handler: async ({ workspace: { id }, since, until, by }, { stores, clock }) => {
    const now = clock.now();
    const from = hourOf(since ?? nextWibMidnight(now) - 7 * DAY);
    // The hour of a time belongs to it.
    const to = hourOf(Math.min(until ?? now, now + HOUR) - 1) + HOUR;
    if (from >= to) throw new UsageError(why('end_first', SINCE));
    if (to - from > MAX[by] * DAY)
      throw new UsageError(why('most_days', { ...SINCE, most: MAX[by], unit: UNITS[by] }), 'Choose a shorter period.');
    const hours = await stores.messageHours.between(id, from, to);
    const starts = stepsOf(from, to, by);
    const data = starts.map((at, n) => {
      const end = starts[n + 1] ?? to;
      const own = hours.filter(({ hour }) => hour >= at && hour < end);
      return { at: jsonTime(at), day: wibDay(at), ...figuresOf(own) };
    });
    return { since: jsonTime(from), until: jsonTime(to), by, total: figuresOf(hours), data };
  },
  columns: {
    from: 'at',
    accepted: 'accepted',
    sent: 'sent',
    delivered: 'delivered',
    bounced: 'bounced',
    failed: 'failed',
    complained: 'complained',
    opened: 'opened',
    clicked: 'clicked',
  },
  none: 'No messages.',
});
