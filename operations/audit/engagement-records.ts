import type { EngagementRecord } from '../../domain/audit/check-engagement';
import { activitiesOf, type LastActivity, type MailActivity } from '../../domain/engagement/engagement';
import type { AuditRows, AuditSnapshot, Kept } from '../../stores/ports/audit-source';
import { byKey, find } from './rows';

/** The counts of the contacts of a workspace in the order of their ids, then the rows that name none of them. */
export async function* engagementRecords(
  rows: AuditSnapshot,
  kept: Kept,
  workspaceId: number,
): AsyncGenerator<EngagementRecord[]> {
  for await (const page of rows.scan('contacts', workspaceId)) {
    yield recordsOf(
      rows,
      kept,
      workspaceId,
      page.map(({ id }) => id),
    );
  }
  for await (const page of rows.scan('engagement', workspaceId)) {
    const ids = page.map(({ contactId }) => contactId);
    const contacts = await find(rows, 'contacts', 'id', ids);
    const known = new Set(contacts.filter((contact) => contact.workspaceId === workspaceId).map(({ id }) => id));
    yield page
      .filter(({ contactId }) => !known.has(contactId))
      .map((row) => ({
        contactId: row.contactId,
        exists: false,
        kept: [row],
        activities: [],
        noted: null,
        notedOfPeople: null,
      }));
  }
}

interface Found {
  contactId: number;
  kept: AuditRows['engagement'][];
  activities: MailActivity[];
  noted: { all: Map<string, LastActivity>; people: Map<string, LastActivity> };
}

async function recordsOf(
  rows: AuditSnapshot,
  { lastActivity }: Kept,
  workspaceId: number,
  ids: readonly number[],
): Promise<EngagementRecord[]> {
  const found = new Map<number, Found>(
    ids.map((contactId) => [
      contactId,
      { contactId, kept: [], activities: [], noted: { all: new Map(), people: new Map() } },
    ]),
  );
  for (const row of await find(rows, 'engagement', 'contactId', ids)) {
    if (row.workspaceId === workspaceId) found.get(row.contactId)?.kept.push(row);
  }
  for await (const mails of rows.find('mails', 'contactId', ids)) {
    const owners = byKey(mails, ({ id }) => id);
    const ofMail = (messageId: string) => found.get(owners.get(messageId)?.contactId ?? -1);
    for (const { id, noted } of mails) {
      if (!noted) continue;
      ofMail(id)?.noted.all.set(id, noted.all);
      ofMail(id)?.noted.people.set(id, noted.people);
    }
    const signals = await find(rows, 'signals', 'messageId', [...owners.keys()]);
    for (const activity of activitiesOf(signals)) ofMail(activity.messageId)?.activities.push(activity);
  }
  return [...found.values()].map(({ noted, ...record }) => ({
    ...record,
    exists: true,
    noted: lastActivity ? noted.all : null,
    notedOfPeople: lastActivity ? noted.people : null,
  }));
}
