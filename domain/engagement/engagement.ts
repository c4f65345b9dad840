import { HOUR } from '../../lib/clock';
import type { Contact } from '../contacts/contact';
import type { Signal } from './signal';

export const ENGAGEMENT_ORDERS = ['opens', 'clicks'] as const;
/**
 * Ranking of contacts: `opens` = emails opened, then clicked, then total clicks; `clicks` = emails clicked, then total
 * clicks, then opened.
 */
export type EngagementOrder = (typeof ENGAGEMENT_ORDERS)[number];

/** The activity of a contact in a period (docs/contract.md#contact-engagement). */
export interface Engagement {
  contact: Pick<Contact, 'id' | 'email' | 'name' | 'status'>;
  /**
   * Emails the other numbers refer to: handed to the sending server in the period, or earlier and opened in it. So no
   * contact has more opens than received emails.
   */
  received: number;
  /** Emails with an open in the period; a click is an open too. */
  opened: number;
  /** Emails with a click in the period. */
  clicked: number;
  totalClicks: number;
  /** The same without the hits of machines (docs/machine-signals.md#counts). */
  openedByPeople: number;
  clickedByPeople: number;
  totalClicksByPeople: number;
  /** The last open or click, ms. */
  lastActivityAt: number;
}

/** Replaces the hour in all-time rows. */
export const ALL_TIME = -1;

/** Start of the hour that contains a time, both ms. */
export const hourOf = (at: number): number => at - (at % HOUR);

/**
 * The activity of a contact in one hour, or of all time. `opened` counts the emails whose last open is in the hour.
 * Periods always end now, so an email was opened in one exactly if its last open is in it, and a sum over the hours
 * counts each email once.
 */
export interface RollUp {
  /** Start of the hour in ms, or ALL_TIME. */
  hour: number;
  opened: number;
  /** The same for the last click. */
  clicked: number;
  /** All clicks in the hour. */
  clicks: number;
  /** The same three without the hits of machines. */
  openedByPeople: number;
  clickedByPeople: number;
  clicksByPeople: number;
  /** The last open or click, ms; only in the all-time row. */
  lastAt: number | null;
}

/** What the rows count. */
export const COUNTS = [
  'opened',
  'clicked',
  'clicks',
  'openedByPeople',
  'clickedByPeople',
  'clicksByPeople',
] as const satisfies readonly (keyof RollUp)[];
type Count = (typeof COUNTS)[number];

const emptyRow = (hour: number): RollUp => ({
  hour,
  opened: 0,
  clicked: 0,
  clicks: 0,
  openedByPeople: 0,
  clickedByPeople: 0,
  clicksByPeople: 0,
  lastAt: null,
});

/** Rows by hour, to which counts are added. */
class Rows extends Map<number, RollUp> {
  add(hour: number, what: Count, by: number): void {
    const row = this.get(hour) ?? emptyRow(hour);
    row[what] += by;
    this.set(hour, row);
  }
}

/** The last open and the last click of an email, ms; null = never. */
export interface LastActivity {
  openedAt: number | null;
  clickedAt: number | null;
}

export const NO_ACTIVITY: LastActivity = { openedAt: null, clickedAt: null };

type Hit = Pick<Signal, 'kind' | 'at'>;

/** What changed about the people who open and click one email. */
export interface PeopleChange {
  before: LastActivity;
  after: LastActivity;
  /** Clicks that count now (1), and clicks that do not count any more (-1). */
  clicks: readonly { at: number; by: 1 | -1 }[];
}

/**
 * What a signal adds to the rows of its contact; always includes the all-time row. Empty for an unsubscribe. `before`
 * is the state of the email before the signal. `people` is what the signal, and the machines that it shows, change in
 * the counts of people; `signal` is null when machines are found without a new signal. The rows end the same in any
 * order of signals.
 */
export function rollUpChanges(before: LastActivity, signal: Hit | null, people: PeopleChange): RollUp[] {
  if (signal?.kind === 'unsubscribe') return [];
  const rows = new Rows();
  if (signal) addSignal(rows, before, signal);
  addPeople(rows, people);
  return [...rows.values()];
}

function addSignal(rows: Rows, before: LastActivity, { kind, at }: Hit): void {
  rows.set(ALL_TIME, { ...emptyRow(ALL_TIME), lastAt: at });
  const arrive = (last: number | null, what: 'opened' | 'clicked'): void => {
    if (last !== null && hourOf(last) >= hourOf(at)) return;
    move(rows, what, last, at);
  };
  arrive(before.openedAt, 'opened');
  if (kind !== 'click') return;
  arrive(before.clickedAt, 'clicked');
  for (const hour of [ALL_TIME, hourOf(at)]) rows.add(hour, 'clicks', 1);
}

function addPeople(rows: Rows, { before, after, clicks }: PeopleChange): void {
  move(rows, 'openedByPeople', before.openedAt, after.openedAt);
  move(rows, 'clickedByPeople', before.clickedAt, after.clickedAt);
  for (const { at, by } of clicks) for (const hour of [ALL_TIME, hourOf(at)]) rows.add(hour, 'clicksByPeople', by);
}

/** Moves an email from the hour of its last open or click to that of another; null: it counts nowhere. */
function move(
  rows: Rows,
  what: Exclude<Count, 'clicks' | 'clicksByPeople'>,
  from: number | null,
  to: number | null,
): void {
  if (from !== null && to !== null && hourOf(from) === hourOf(to)) return;
  const places = (at: number | null): number[] => (at === null ? [] : [ALL_TIME, hourOf(at)]);
  for (const hour of places(from)) rows.add(hour, what, -1);
  for (const hour of places(to)) rows.add(hour, what, 1);
}

/** The state of an email after a signal. A click counts as an open (docs/contract.md#open-pixel). */
export function lastActivity(before: LastActivity, { kind, at }: Hit): LastActivity {
  if (kind === 'unsubscribe') return before;
  const later = (last: number | null): number => Math.max(last ?? at, at);
  return { openedAt: later(before.openedAt), clickedAt: kind === 'click' ? later(before.clickedAt) : before.clickedAt };
}

/** The activity on one email in one hour. */
export interface MailActivity {
  messageId: string;
  /** The last open or click of the hour, ms. */
  lastAt: number;
  /** The last click of the hour, ms. */
  lastClickAt: number | null;
  clicks: number;
  /** The same without the hits of machines. */
  people: { lastAt: number | null; lastClickAt: number | null; clicks: number };
}

/** What these opens and clicks of emails are by hour; other signals are left out. */
export function activitiesOf(
  signals: readonly Pick<Signal, 'messageId' | 'kind' | 'at' | 'machine'>[],
): MailActivity[] {
  const found = new Map<string, MailActivity>();
  for (const { messageId, kind, at, machine } of signals) {
    if (kind !== 'open' && kind !== 'click') continue;
    const key = `${messageId} ${hourOf(at)}`;
    const people = { lastAt: null, lastClickAt: null, clicks: 0 };
    const activity = found.get(key) ?? { messageId, lastAt: at, lastClickAt: null, clicks: 0, people };
    found.set(key, activity);
    for (const counts of machine === null ? [activity, activity.people] : [activity]) {
      counts.lastAt = Math.max(counts.lastAt ?? at, at);
      if (kind !== 'click') continue;
      counts.lastClickAt = Math.max(counts.lastClickAt ?? at, at);
      counts.clicks += 1;
    }
  }
  return [...found.values()];
}

/** The rows of a contact, computed from all activity on its emails, ascending by hour. */
export function rollUp(activities: readonly MailActivity[]): RollUp[] {
  const rows = new Rows();
  for (const { lastAt, clicks, people } of activities) {
    const all = rows.get(ALL_TIME) ?? emptyRow(ALL_TIME);
    all.lastAt = Math.max(all.lastAt ?? lastAt, lastAt);
    rows.set(ALL_TIME, all);
    for (const hour of [ALL_TIME, hourOf(lastAt)]) {
      if (clicks > 0) rows.add(hour, 'clicks', clicks);
      if (people.clicks > 0) rows.add(hour, 'clicksByPeople', people.clicks);
    }
  }
  for (const { openedAt, clickedAt } of lastOfEach(activities).values()) {
    move(rows, 'opened', null, openedAt);
    move(rows, 'clicked', null, clickedAt);
  }
  for (const { openedAt, clickedAt } of lastOfPeople(activities).values()) {
    move(rows, 'openedByPeople', null, openedAt);
    move(rows, 'clickedByPeople', null, clickedAt);
  }
  return [...rows.values()].sort((a, b) => a.hour - b.hour);
}

/** The last open and click of each email, by message id. */
export function lastOfEach(activities: readonly Omit<MailActivity, 'people'>[]): Map<string, LastActivity> {
  const last = new Map<string, LastActivity>();
  for (const { messageId, lastAt, lastClickAt } of activities) {
    let known = last.get(messageId) ?? NO_ACTIVITY;
    known = lastActivity(known, { kind: 'open', at: lastAt });
    if (lastClickAt !== null) known = lastActivity(known, { kind: 'click', at: lastClickAt });
    last.set(messageId, known);
  }
  return last;
}

/** The same of people; every email with any activity is there. */
export function lastOfPeople(activities: readonly MailActivity[]): Map<string, LastActivity> {
  const last = lastOfEach(
    activities.flatMap(({ messageId, people }) =>
      people.lastAt === null ? [] : [{ messageId, ...people, lastAt: people.lastAt }],
    ),
  );
  return new Map(activities.map(({ messageId }) => [messageId, last.get(messageId) ?? NO_ACTIVITY]));
}

/** Start of the period of the last `days` times 24 hours, ms, rounded down to the hour. Null (all time) for 0. */
export function periodStart(now: number, days: number): number | null {
  return days === 0 ? null : Math.max(0, hourOf(now - days * 24 * HOUR));
}

/** Percent with two decimals. */
export const rate = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;
