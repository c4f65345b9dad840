import { DAY, HOUR } from '../../lib/clock';
import type { DirectoryEntry, TicketBody } from '../../domain/people/directory';
import { hashPassword } from './passwords';
import { allOf, changeUser, NEW_USER, setMembership, userOf, type PeopleDeps, type User } from './people';
import { endSessions } from './sessions';
import { hashToken, newToken } from './tokens';

/** How long a link works, ms. */
const LASTS: Readonly<Record<TicketBody['purpose'], number>> = { first: 7 * DAY, invite: 7 * DAY, reset: 24 * HOUR };

export type Ticket = DirectoryEntry<'ticket'>;
export type Grant = NonNullable<TicketBody['grant']>;

const OPERATOR: Grant = { operator: true, workspaceId: null, role: null };

/** A link of the future, by a clock that was ahead, lasts from now; null when it is right. */
export const ticketSetBack = ({ body }: Ticket, now: number): Pick<Ticket, 'body' | 'expiresAt'> | null =>
  body.createdAt <= now ? null : { body: { ...body, createdAt: now }, expiresAt: now + LASTS[body.purpose] };

/** Makes a link that works once. `user`: who it is for; null for the first operator. Returns its token. */
export async function makeTicket(
  deps: PeopleDeps,
  purpose: TicketBody['purpose'],
  user: string | null,
  grant: Grant | null,
): Promise<string> {
  const { directory, clock } = deps;
  const now = clock.now();
  // The newest link of a person is the one that works.
  const older = (await allOf(deps, 'ticket', user === null ? {} : { user })).filter(
    (ticket) => ticket.body.purpose === purpose && ticket.user === user && sameGrant(ticket.body.grant, grant),
  );
  await Promise.all(older.map(({ id }) => directory.take('ticket', id, now)));
  const token = newToken();
  const body = { purpose, createdAt: now, grant };
  const place = { kind: 'ticket', id: hashToken(token), user, workspaceId: grant?.workspaceId ?? null } as const;
  await directory.add({ ...place, expiresAt: now + LASTS[purpose], body }, now);
  return token;
}

const sameGrant = (one: Grant | null, other: Grant | null): boolean => one?.workspaceId === other?.workspaceId;

/** Makes links of a user work no more, those that `which` says. Returns how many. */
export async function withdrawTickets(
  deps: PeopleDeps,
  user: string,
  which: (body: TicketBody) => boolean,
): Promise<number> {
  const tickets = (await allOf(deps, 'ticket', { user })).filter(({ body }) => which(body));
  const taken = await Promise.all(tickets.map(({ id }) => deps.directory.take('ticket', id, deps.clock.now())));
  return taken.filter(Boolean).length;
}

/** A link for the first operator; null once there is a user. */
export async function firstTicket(deps: PeopleDeps): Promise<string | null> {
  return (await hasUsers(deps)) ? null : makeTicket(deps, 'first', null, OPERATOR);
}

const hasUsers = async ({ directory, clock }: PeopleDeps): Promise<boolean> =>
  (await directory.list('user', {}, { after: '', limit: 1, now: clock.now() })).length > 0;

/** The ticket of a link; null when it has expired or was used. */
export const findTicket = ({ directory, clock }: PeopleDeps, token: string): Promise<Ticket | null> =>
  directory.get('ticket', hashToken(token), clock.now());

/** What a person says when a link is used. `password`: null for somebody who has one already. */
export interface Claim {
  email: string;
  name: string | null;
  password: string | null;
}

/**
 * Uses a link: makes the user, or gives one that exists what the link grants; a reset sets the password and ends all
 * sessions. Null when the link was used meanwhile. A reset takes no second factor away.
 */
export async function claimTicket(deps: PeopleDeps, token: string, claim: Claim): Promise<User | null> {
  const { directory, clock } = deps;
  const password = claim.password === null ? null : await hashPassword(claim.password);
  const ticket = await directory.take('ticket', hashToken(token), clock.now());
  if (!ticket || (ticket.body.purpose === 'first' && (await hasUsers(deps)))) return null;
  const email = ticket.user ?? claim.email;
  await makeUser(deps, { email, name: claim.name });
  const { grant, purpose } = ticket.body;
  const changed = await changeUser(deps, email, (body) => ({
    ...body,
    name: claim.name ?? body.name,
    // Whoever holds an invitation may not take over somebody who can sign in already.
    password: purpose === 'invite' ? (body.password ?? password) : (password ?? body.password),
  }));
  const granted = grant && (await give(deps, email, grant));
  if (purpose === 'reset') await endSessions(deps, email);
  return granted ?? changed;
}

/** Gives a user what a link grants. */
async function give(deps: PeopleDeps, email: string, { operator, workspaceId, role }: Grant): Promise<User | null> {
  if (role !== null && workspaceId !== null) await setMembership(deps, { user: email, workspaceId, role });
  return changeUser(deps, email, (body) => ({ ...body, operator: body.operator || operator }));
}

/** Uses every invitation of an address that somebody trusted vouches for. Returns how many there were. */
export async function claimInvitations(deps: PeopleDeps, email: string, name: string | null): Promise<number> {
  const { directory, clock } = deps;
  const tickets = (await allOf(deps, 'ticket', { user: email })).filter(({ body }) => body.purpose === 'invite');
  const taken = (await Promise.all(tickets.map(({ id }) => directory.take('ticket', id, clock.now())))).filter(
    (ticket) => ticket !== null,
  );
  if (taken.length > 0) await makeUser(deps, { email, name });
  for (const { body } of taken) if (body.grant) await give(deps, email, body.grant);
  return taken.length;
}

export async function makeUser(deps: PeopleDeps, { email, name }: Pick<Claim, 'email' | 'name'>): Promise<void> {
  const now = deps.clock.now();
  if (await userOf(deps, email)) return;
  const body = { ...NEW_USER, name, createdAt: now };
  await deps.directory.add({ kind: 'user', id: email, user: email, workspaceId: null, expiresAt: null, body }, now);
}
