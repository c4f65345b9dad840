import { startsAfresh } from '../../domain/people/account-trust';
import type { UserBody, Voucher } from '../../domain/people/user';
import { forgetGuesses } from './attempts';
import { startAfresh, type NoteOfAccount } from './fresh-start';
import { hashPassword } from './passwords';
import { changeUser, NEW_USER, setMembership, USERS, userOf, type Account, type PeopleDeps, type User } from './people';
import { hasUsers, isSameLink, TICKETS, withdrawTickets, type Grant, type Ticket, type TicketBody } from './tickets';
import { hashToken } from './tokens';

/** What a person says when a link is used. `password`: null for somebody who keeps that of before. */
export interface Claim {
  email: string;
  name: string | null;
  password: string | null;
}

/** What a link has done. */
export interface Claimed {
  user: User;
  /** The account as the link has left it, for its password was chosen here; null: it lets nobody in. */
  chosen: Account | null;
}

/** Who vouches for the person that uses a link: nobody for one that a workspace was shown. */
const voucherOf = ({ purpose, grant, trust }: TicketBody): Voucher | null =>
  trust ?? (purpose === 'invite' && grant?.operator !== true ? null : 'operator');

/**
 * How a link is used. `new`: the person chooses a password, and what let somebody into the account before ends.
 * `accept`: an account that exists takes what the link gives, and must be signed in, since the link alone does not say
 * that it is the same person.
 */
export function wayOf({ body }: Ticket, user: User | null): 'new' | 'accept' {
  if (body.purpose !== 'invite' || user === null) return 'new';
  const by = voucherOf(body);
  if (by === null || user.body.disabledAt !== null || !startsAfresh(user.body, by, body.createdAt)) return 'accept';
  // Whoever runs the installation is more than a workspace can invite: its mail must not be a way around the factors.
  return user.body.operator && body.trust === 'mail' && body.grant?.operator !== true ? 'accept' : 'new';
}

/**
 * Uses a link: makes the user, or gives one that exists what the link grants. Null when the link was used meanwhile. A
 * reset takes no second factor away from an account that an operator or more vouches for already. What another link
 * made of the account meanwhile lets nobody in here.
 */
export async function claimTicket(
  deps: PeopleDeps,
  token: string,
  claim: Claim,
  note: NoteOfAccount,
): Promise<Claimed | null> {
  const { records, clock } = deps;
  const password = claim.password === null ? null : await hashPassword(claim.password);
  const ticket = await records.take(TICKETS, hashToken(token), clock.now());
  if (!ticket || (ticket.body.purpose === 'first' && (await hasUsers(deps)))) return null;
  const email = ticket.user ?? claim.email;
  const { grant, purpose } = ticket.body;
  const set = (body: UserBody): UserBody => granted({ ...body, name: claim.name ?? body.name }, grant);
  const by = voucherOf(ticket.body);
  // Of a link that nobody vouches for only an account that it makes itself gets the password.
  const made = await makeUser(deps, { email, name: claim.name, password: by === null ? password : null });
  let chosen: Account | null = by === null ? made : null;
  if (by !== null && password !== null) {
    const { keep = [], createdAt: madeAt } = ticket.body;
    const withChosen = (body: UserBody): UserBody => ({ ...set(body), password });
    await forgetGuesses(deps, email);
    chosen = await startAfresh(deps, email, { by, madeAt, isReset: purpose === 'reset', keep, note, set: withChosen });
  }
  const changed = await changeUser(deps, email, set);
  // The link that was shown may have been used by whoever made it: the one that was mailed goes on.
  if (by === 'mail') await withdrawTickets(deps, email, (body) => isSameLink(body, ticket.body));
  if (grant) await giveRole(deps, email, grant);
  return changed && { user: changed, chosen };
}

/** Operators are only those for whom somebody vouches: an inviter of a workspace cannot have that to give. */
const granted = (body: UserBody, grant: Grant | null): UserBody =>
  grant?.operator === true && body.trust ? { ...body, operator: true } : body;

async function giveRole(deps: PeopleDeps, user: string, { workspaceId, role }: Grant): Promise<void> {
  if (role !== null && workspaceId !== null) await setMembership(deps, { user, workspaceId, role });
}

/** Takes every invitation of an address, to be given what they grant (`give`). */
export async function takeInvitations({ records, clock }: PeopleDeps, email: string): Promise<Ticket[]> {
  const tickets = (await records.list(TICKETS, { user: email }, clock.now())).filter(
    ({ body }) => body.purpose === 'invite',
  );
  const taken = await Promise.all(tickets.map(({ id }) => records.take(TICKETS, id, clock.now())));
  return taken.filter((ticket) => ticket !== null);
}

/** Gives a user for whom somebody vouches what invitations grant. */
export async function give(deps: PeopleDeps, email: string, invitations: readonly Ticket[]): Promise<void> {
  for (const { body } of invitations) {
    if (!body.grant) continue;
    await giveRole(deps, email, body.grant);
    await changeUser(deps, email, (user) => granted(user, body.grant));
  }
}

/** Makes a user as it is then; null if there is one. */
export async function makeUser(deps: PeopleDeps, { email, name, password }: Claim): Promise<Account | null> {
  const now = deps.clock.now();
  if (await userOf(deps, email)) return null;
  const body = { ...NEW_USER, name, password, createdAt: now };
  return deps.records.add(USERS, { id: email, user: email, body }, now);
}
