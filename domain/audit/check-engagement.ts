import {
  ALL_TIME,
  lastOfEach,
  lastOfPeople,
  rollUp,
  type LastActivity,
  type MailActivity,
  type RollUp,
} from '../engagement/engagement';
import { showTime, type Difference } from './difference';

/** All roll-ups of one contact, and the signals they are computed from. */
export interface EngagementRecord {
  contactId: number;
  /** False when rows name a contact that the workspace does not have. */
  exists: boolean;
  /** The stored rows, ascending by hour. */
  kept: readonly RollUp[];
  /** From the signals of the contact's emails. */
  activities: readonly MailActivity[];
  /** The last open and click that a driver stores with each email, by message; null if it stores none. */
  noted: ReadonlyMap<string, LastActivity> | null;
  /** The same of people; every email that is in `noted` is in it. */
  notedOfPeople: ReadonlyMap<string, LastActivity> | null;
}

/** The roll-ups of a contact match the sum of its signals; a deleted contact has none. */
export function checkEngagement(record: EngagementRecord): Difference[] {
  const { contactId, exists, kept, activities, noted, notedOfPeople } = record;
  const wanted = new Map((exists ? rollUp(activities) : []).map((row) => [row.hour, row]));
  const found = new Map(kept.map((row) => [row.hour, row]));
  const hours = [...new Set([...wanted.keys(), ...found.keys()])].sort((a, b) => a - b);
  const rows = hours.flatMap((hour) =>
    differing(`contact ${contactId} ${showHour(hour)}`, showRow(wanted.get(hour)), showRow(found.get(hour))),
  );
  if (!exists) return rows;
  return [
    ...rows,
    ...(noted ? checkNoted(lastOfEach(activities), noted, '') : []),
    ...(notedOfPeople ? checkNoted(lastOfPeople(activities), notedOfPeople, ' by people') : []),
  ];
}

function checkNoted(
  wanted: ReadonlyMap<string, LastActivity>,
  noted: ReadonlyMap<string, LastActivity>,
  by: string,
): readonly Difference[] {
  const ids = new Set([...wanted.keys(), ...noted.keys()]);
  return [...ids].flatMap((id) => differing(`${id}${by}`, showLast(wanted.get(id)), showLast(noted.get(id))));
}

const differing = (subject: string, expected: string, found: string): readonly Difference[] =>
  expected === found ? [] : [{ rule: 'engagement', subject, expected, found }];

const showHour = (hour: number): string => (hour === ALL_TIME ? 'of all time' : `from ${showTime(hour)}`);

function showRow(row: RollUp | undefined): string {
  if (!row) return 'none';
  const last = row.lastAt === null ? '' : `, last at ${showTime(row.lastAt)}`;
  const { opened, clicked, clicks, openedByPeople, clickedByPeople, clicksByPeople } = row;
  const machines = opened !== openedByPeople || clicked !== clickedByPeople || clicks !== clicksByPeople;
  const people = machines ? `, by people ${openedByPeople}, ${clickedByPeople} and ${clicksByPeople}` : '';
  return `${opened} opened, ${clicked} clicked, ${clicks} clicks${last}${people}`;
}

const showLast = (last: LastActivity | undefined): string =>
  last ? `opened last at ${showTime(last.openedAt)}, clicked at ${showTime(last.clickedAt)}` : 'none';
