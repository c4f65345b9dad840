import type { StoredConversion } from '../../domain/conversions/conversion';
import type { Message } from '../../domain/messages/message';
import { refusingStatus, type Contact } from '../../domain/contacts/contact';
import type { Consent } from '../../domain/contacts/opt-in';
import { presentSale } from '../conversions/conversion-view';
import { facts, jsonTime, type Session, type View } from '../definition';

/** A contact as operations answer it. */
export const present = (of: Contact) =>
  facts(of, 'id', 'workspaceId', 'email', 'name', 'status', 'subscribedAt', 'unsubscribedAt', 'createdAt', 'updatedAt');

/** What refuses mail to the contact: the reason of a suppression list, or its own status; null for nothing. */
export async function blockedBy(
  { stores }: Session,
  { workspaceId, emailHash, status }: Contact,
): Promise<string | null> {
  const reason = await stores.suppressions.reason(workspaceId, emailHash);
  return reason ?? refusingStatus(status);
}

const presentConsent = (of: Consent) => ({
  ...facts(of, 'at', 'source', 'audienceId'),
  ...(of.by !== undefined && { by: of.by }),
});

/** A consent on one line. */
export const consentText = (
  { at, source, audience_id: audience, by }: ReturnType<typeof presentConsent>,
  view: View,
): string =>
  `${view.time(at)} by ${source}${audience === null ? '' : `, audience ${audience}`}${by === undefined ? '' : `, stated by ${by}`}`;

async function membershipsOf({ stores }: Session, { workspaceId, id }: Contact) {
  const memberships = await stores.audiences.ofContact(workspaceId, id);
  if (memberships.length === 0) return [];
  const names = new Map((await stores.audiences.list(workspaceId)).map((of) => [of.id, of.name]));
  return memberships.map(({ audienceId, joinedAt, confirmedAt, pendingUntil }) => ({
    audience_id: audienceId,
    audience: names.get(audienceId) ?? null,
    membership: confirmedAt === null ? 'pending' : 'confirmed',
    joined_at: jsonTime(joinedAt),
    confirmed_at: jsonTime(confirmedAt),
    pending_until: jsonTime(confirmedAt === null ? pendingUntil : null),
  }));
}

async function journeysOf({ stores }: Session, { workspaceId, id }: Contact) {
  const enrollments = await stores.journeyRuns.ofContact(workspaceId, id);
  if (enrollments.length === 0) return [];
  const names = new Map((await stores.journeys.list(workspaceId)).map((of) => [of.id, of.name]));
  return enrollments.map((of) => ({
    journey_id: of.journeyId,
    journey: names.get(of.journeyId) ?? null,
    ...facts(of, 'status', 'reason', 'enrolledAt', 'endedAt'),
    goal_reached: of.goalAt !== null,
  }));
}

async function engagementOf({ stores }: Session, { workspaceId, id }: Contact) {
  const of = await stores.engagement.ofContact(workspaceId, id);
  if (!of) return null;
  return facts(
    of,
    ...(['opened', 'clicked', 'totalClicks', 'openedByPeople', 'clickedByPeople', 'totalClicksByPeople'] as const),
    'lastActivityAt',
  );
}

/** Sales of a contact by one way, and those that are shown. */
const MAX_SALES = 1_000;
const SHOWN_SALES = 20;
const SHOWN_MESSAGES = 50;

/** The sales that named the address, or one of these messages to it; newest first. */
export async function salesOf(
  { stores }: Session,
  { workspaceId, id: contactId }: Contact,
  messages: readonly Pick<Message, 'id'>[],
): Promise<StoredConversion[]> {
  const page = { offset: 0, limit: MAX_SALES };
  const ways = [{ contactId }, ...messages.map(({ id: messageId }) => ({ messageId }))];
  const lists = await Promise.all(ways.map((way) => stores.conversions.list(workspaceId, way, page)));
  const sales = new Map(lists.flatMap(({ items }) => items.map((sale) => [sale.id, sale] as const)));
  return [...sales.values()].sort((a, b) => b.occurredAt - a.occurredAt);
}

/** The newest sales of a contact that clicked: without a click there is none. */
async function newestSales(session: Session, contact: Contact) {
  const { workspaceId, id: contactId } = contact;
  const { items } = await session.stores.messages.list(workspaceId, { contactId, offset: 0, limit: SHOWN_MESSAGES });
  return (await salesOf(session, contact, items)).slice(0, SHOWN_SALES).map(presentSale);
}

/** What is known of a contact beside its mails. */
export async function readTimeline(session: Session, contact: Contact) {
  const engagement = await engagementOf(session, contact);
  return {
    ...present(contact),
    blocked_by: await blockedBy(session, contact),
    consent: (await session.stores.optIns.consents(contact.workspaceId, contact.id)).map(presentConsent),
    memberships: await membershipsOf(session, contact),
    journeys: await journeysOf(session, contact),
    engagement,
    conversions: engagement?.total_clicks ? await newestSales(session, contact) : [],
  };
}

export type Timeline = Awaited<ReturnType<typeof readTimeline>>;
