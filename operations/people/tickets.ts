import { DAY, HOUR } from '../../lib/clock';
import type { RecordEntry, TicketBody } from '../../domain/people/records';
import { allOf, type PeopleDeps } from './people';
import { hashToken, newToken } from './tokens';

/** How long a link works, ms. */
const LASTS: Readonly<Record<TicketBody['purpose'], number>> = { first: 7 * DAY, invite: 7 * DAY, reset: 24 * HOUR };

export type Ticket = RecordEntry<'ticket'>;
export type Grant = NonNullable<TicketBody['grant']>;

const OPERATOR: Grant = { operator: true, workspaceId: null, role: null };

/** A link of the future, by a clock that was ahead, lasts from now; null when it is right. */
export const ticketSetBack = ({ body }: Ticket, now: number): Pick<Ticket, 'body' | 'expiresAt'> | null =>
  body.createdAt <= now ? null : { body: { ...body, createdAt: now }, expiresAt: now + LASTS[body.purpose] };

/**
 * Makes a link that works once. `user`: who it is for; null for the first operator. A mailed link stands beside the one
 * that is shown; a newer one of its kind takes its place. Returns its token.
 */
export async function makeTicket(
  deps: PeopleDeps,
  purpose: TicketBody['purpose'],
  user: string | null,
  grant: Grant | null,
  more: Pick<TicketBody, 'trust' | 'keep'> = {},
): Promise<string> {
  const { records, clock } = deps;
  const now = clock.now();
  // The newest link of a person is the one that works.
  const older = (await allOf(deps, 'ticket', user === null ? {} : { user })).filter(
    (ticket) =>
      ticket.user === user &&
      isSameLink(ticket.body, { purpose, grant }) &&
      (more.trust !== 'mail' || ticket.body.trust === 'mail'),
  );
  await Promise.all(older.map(({ id }) => records.take('ticket', id, now)));
  const token = newToken();
  const body = { purpose, createdAt: now, grant, ...more };
  const place = { kind: 'ticket', id: hashToken(token), user, workspaceId: grant?.workspaceId ?? null } as const;
  await records.add({ ...place, expiresAt: now + LASTS[purpose], body }, now);
  return token;
}

type Link = Pick<TicketBody, 'purpose' | 'grant'>;

/** True for links of a person that give the same. */
export const isSameLink = (one: Link, other: Link): boolean =>
  one.purpose === other.purpose && one.grant?.workspaceId === other.grant?.workspaceId;

/** Makes links of a user work no more, those that `which` says. Returns how many. */
export async function withdrawTickets(
  deps: PeopleDeps,
  user: string,
  which: (body: TicketBody) => boolean,
): Promise<number> {
  const tickets = (await allOf(deps, 'ticket', { user })).filter(({ body }) => which(body));
  const taken = await Promise.all(tickets.map(({ id }) => deps.records.take('ticket', id, deps.clock.now())));
  return taken.filter(Boolean).length;
}

/** A link for the first operator; null once there is a user. */
export async function firstTicket(deps: PeopleDeps): Promise<string | null> {
  return (await hasUsers(deps)) ? null : makeTicket(deps, 'first', null, OPERATOR, { trust: 'operator' });
}

export const hasUsers = async ({ records, clock }: PeopleDeps): Promise<boolean> =>
  (await records.list('user', {}, { after: '', limit: 1, now: clock.now() })).length > 0;

/** The ticket of a link; null when it has expired or was used. */
export const findTicket = ({ records, clock }: PeopleDeps, token: string): Promise<Ticket | null> =>
  records.get('ticket', hashToken(token), clock.now());
