import { DAY, HOUR } from '../../lib/clock';
import type { WorkspaceRole } from '../../domain/people/role';
import type { Voucher } from '../../domain/people/user';
import { bodySetBack, record, type RecordEntry } from '../../domain/records/record';
import { USERS, type PeopleDeps } from './people';
import { hashToken, newToken } from './tokens';

/** How long a link works, ms. */
const LASTS: Readonly<Record<TicketBody['purpose'], number>> = { first: 7 * DAY, invite: 7 * DAY, reset: 24 * HOUR };

/** A link that works once. The id is the SHA-256 of its token. */
export interface TicketBody {
  purpose: 'invite' | 'reset' | 'first';
  createdAt: number;
  /** What an invited person gets; null for a reset. */
  grant: { operator: boolean; workspaceId: number | null; role: WorkspaceRole | null } | null;
  /** Who vouches for the person when it is used; left out for the link that somebody of a workspace was shown. */
  trust?: Exclude<Voucher, 'provider'>;
  /** Of a reset: the ids of the passkeys that it leaves. */
  keep?: readonly string[];
}

export const TICKETS = record<TicketBody, 'user' | 'workspaceId'>('ticket', {
  expiresAt: ({ purpose, createdAt }) => createdAt + LASTS[purpose],
  // It lasts from now.
  setBack: bodySetBack((body, now) => (body.createdAt <= now ? null : { ...body, createdAt: now })),
});
export type Ticket = RecordEntry<TicketBody>;
export type Grant = NonNullable<TicketBody['grant']>;

const OPERATOR: Grant = { operator: true, workspaceId: null, role: null };

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
  const older = (await records.list(TICKETS, { user }, now)).filter(
    ({ body }) => isSameLink(body, { purpose, grant }) && (more.trust !== 'mail' || body.trust === 'mail'),
  );
  await Promise.all(older.map(({ id }) => records.take(TICKETS, id, now)));
  const token = newToken();
  const body = { purpose, createdAt: now, grant, ...more };
  await records.add(TICKETS, { id: hashToken(token), user, workspaceId: grant?.workspaceId ?? null, body }, now);
  return token;
}

type Link = Pick<TicketBody, 'purpose' | 'grant'>;

/** True for links of a person that give the same. */
export const isSameLink = (one: Link, other: Link): boolean =>
  one.purpose === other.purpose && one.grant?.workspaceId === other.grant?.workspaceId;

/** Makes links of a user work no more, those that `which` says. Returns how many. */
export async function withdrawTickets(
  { records, clock }: PeopleDeps,
  user: string,
  which: (body: TicketBody) => boolean,
): Promise<number> {
  const tickets = (await records.list(TICKETS, { user }, clock.now())).filter(({ body }) => which(body));
  const taken = await Promise.all(tickets.map(({ id }) => records.take(TICKETS, id, clock.now())));
  return taken.filter(Boolean).length;
}

/** A link for the first operator; null once there is a user. */
export async function firstTicket(deps: PeopleDeps): Promise<string | null> {
  return (await hasUsers(deps)) ? null : makeTicket(deps, 'first', null, OPERATOR, { trust: 'operator' });
}

export const hasUsers = async ({ records, clock }: PeopleDeps): Promise<boolean> =>
  (await records.list(USERS, { limit: 1 }, clock.now())).length > 0;

/** The ticket of a link; null when it has expired or was used. */
export const findTicket = ({ records, clock }: PeopleDeps, token: string): Promise<Ticket | null> =>
  records.get(TICKETS, hashToken(token), clock.now());
