import { HOUR } from '../lib/clock';
import type { Contact } from './contact';
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
  /** The last open or click, ms; only in the all-time row. */
  lastAt: number | null;
}

/** The last open and the last click of an email, ms; null = never. */
export interface LastActivity {
  openedAt: number | null;
  clickedAt: number | null;
}

type Hit = Pick<Signal, 'kind' | 'at'>;

/**
 * What a signal adds to the rows of its contact; always includes the all-time row. Empty for an unsubscribe. `before`
 * is the state of the email before the signal. The rows end the same in any order of signals.
 */
export function rollUpChanges(before: LastActivity, { kind, at }: Hit): RollUp[] {
  if (kind === 'unsubscribe') return [];
  const all: RollUp = { hour: ALL_TIME, opened: 0, clicked: 0, clicks: 0, lastAt: at };
  const rows = new Map([[ALL_TIME, all]]);
  const add = (hour: number, what: 'opened' | 'clicked' | 'clicks', by: number): void => {
    const row = rows.get(hour) ?? { hour, opened: 0, clicked: 0, clicks: 0, lastAt: null };
    row[what] += by;
    rows.set(hour, row);
  };
  const arrive = (last: number | null, what: 'opened' | 'clicked'): void => {
    if (last !== null && hourOf(last) >= hourOf(at)) return;
    add(last === null ? ALL_TIME : hourOf(last), what, last === null ? 1 : -1);
    add(hourOf(at), what, 1);
  };
  arrive(before.openedAt, 'opened');
  if (kind === 'click') {
    arrive(before.clickedAt, 'clicked');
    for (const hour of [ALL_TIME, hourOf(at)]) add(hour, 'clicks', 1);
  }
  return [...rows.values()];
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
}

/** The rows of a contact, computed from all activity on its emails, ascending by hour. */
export function rollUp(activities: readonly MailActivity[]): RollUp[] {
  const rows = new Map<number, RollUp>();
  const row = (hour: number): RollUp => {
    const found = rows.get(hour) ?? { hour, opened: 0, clicked: 0, clicks: 0, lastAt: null };
    rows.set(hour, found);
    return found;
  };
  for (const { lastAt, clicks } of activities) {
    const all = row(ALL_TIME);
    all.lastAt = Math.max(all.lastAt ?? lastAt, lastAt);
    all.clicks += clicks;
    if (clicks > 0) row(hourOf(lastAt)).clicks += clicks;
  }
  for (const { openedAt, clickedAt } of lastOfEach(activities).values()) {
    for (const hour of openedAt === null ? [] : [ALL_TIME, hourOf(openedAt)]) row(hour).opened += 1;
    for (const hour of clickedAt === null ? [] : [ALL_TIME, hourOf(clickedAt)]) row(hour).clicked += 1;
  }
  return [...rows.values()].sort((a, b) => a.hour - b.hour);
}

/** The last open and click of each email, by message id. */
export function lastOfEach(activities: readonly MailActivity[]): Map<string, LastActivity> {
  const last = new Map<string, LastActivity>();
  for (const { messageId, lastAt, lastClickAt } of activities) {
    let known = last.get(messageId) ?? { openedAt: null, clickedAt: null };
    known = lastActivity(known, { kind: 'open', at: lastAt });
    if (lastClickAt !== null) known = lastActivity(known, { kind: 'click', at: lastClickAt });
    last.set(messageId, known);
  }
  return last;
}

/** Start of the period of the last `days` times 24 hours, ms, rounded down to the hour. Null (all time) for 0. */
export function periodStart(now: number, days: number): number | null {
  return days === 0 ? null : Math.max(0, hourOf(now - days * 24 * HOUR));
}

/** Percent with two decimals. */
export const rate = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;
