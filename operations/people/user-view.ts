import { MEMBERSHIPS, USERS, userOf, type Membership, type PeopleDeps, type User } from './people';
import { isProved } from '../../domain/people/account-trust';
import type { Voucher } from '../../domain/people/user';
import { TICKETS, type Ticket } from './tickets';
import { facts, jsonTime, status, type Columns } from '../definition';

/** Who may sign in, as operations answer it. */
export interface PersonView {
  email: string;
  name: string | null;
  status: 'active' | 'disabled' | 'invited';
  /** Left out for those who ask about a workspace, as what is of the account alone. */
  operator?: boolean;
  second_factor: boolean;
  /** True once the owner of the address has answered from it: by a mailed link, or at the OpenID provider. */
  address_proved: boolean;
  /** Null while nobody but an inviter of a workspace stands for the account. */
  vouched_by: Voucher | null;
  roles: { workspace_id: number; role: string; since: string | null }[];
  /** When the account was made, or the invitation; for a workspace when the person came to it. */
  created_at: string;
}

/** A user with these memberships. */
export const presentUser = ({ id, body }: User, memberships: readonly Membership[]): PersonView => ({
  email: id,
  name: body.name,
  status: body.disabledAt === null ? 'active' : 'disabled',
  operator: body.operator,
  second_factor: body.totp !== null,
  address_proved: isProved(body),
  vouched_by: body.trust?.by ?? null,
  roles: memberships
    .map((one) => ({ workspace_id: one.workspaceId ?? 0, role: one.body.role, since: jsonTime(one.body.since) }))
    .sort((a, b) => a.workspace_id - b.workspace_id),
  ...facts(body, 'createdAt'),
});

const presentInvited = ({ user, body, workspaceId }: Ticket): PersonView => ({
  email: user ?? '',
  name: null,
  status: 'invited',
  operator: body.grant?.operator ?? false,
  second_factor: false,
  address_proved: false,
  vouched_by: null,
  roles:
    workspaceId === null || !body.grant?.role
      ? []
      : [{ workspace_id: workspaceId, role: body.grant.role, since: null }],
  ...facts(body, 'createdAt'),
});

/**
 * Who may sign in and who is invited, by address: all, or the members of a workspace, and of these only what they are
 * to it.
 */
export async function peopleOf(deps: PeopleDeps, workspaceId: number | null): Promise<PersonView[]> {
  const filter = workspaceId === null ? {} : { workspaceId };
  const now = deps.clock.now();
  const [memberships, tickets] = await Promise.all([
    deps.records.list(MEMBERSHIPS, filter, now),
    deps.records.list(TICKETS, filter, now),
  ]);
  const of = (id: string): Membership[] => memberships.filter(({ user }) => user === id);
  const listed = workspaceId === null ? await deps.records.list(USERS, {}, now) : await membersOf(deps, memberships);
  const known = new Set<string | null>(listed.map(({ id }) => id));
  const invited = new Map(
    tickets
      .filter(({ user, body }) => body.purpose === 'invite' && !known.has(user))
      .map((ticket) => [ticket.user, presentInvited(ticket)]),
  );
  const people = [...listed.map((user) => presentUser(user, of(user.id))), ...invited.values()];
  return people.map(workspaceId === null ? (one) => one : asMember).sort((a, b) => (a.email < b.email ? -1 : 1));
}

async function membersOf(deps: PeopleDeps, memberships: readonly Membership[]): Promise<User[]> {
  const users = await Promise.all(memberships.map(({ user }) => userOf(deps, user ?? '')));
  return users.filter((user) => user !== null);
}

/** What a workspace may know of a person. */
const asMember = ({ operator: _, ...one }: PersonView): PersonView => ({
  ...one,
  created_at: one.roles[0]?.since ?? one.created_at,
});

const rolesText = ({ roles }: PersonView): string | null =>
  roles.map(({ workspace_id: id, role }) => `${role} of ${id}`).join(', ') || null;

export const USER_COLUMNS: Columns<PersonView> = {
  email: 'email',
  name: 'name',
  status: status('status'),
  operator: 'operator',
  '2FA': 'second_factor',
  'address proved': ({ address_proved: isKnown, vouched_by: by }) => (isKnown ? `by ${by}` : 'no'),
  roles: rolesText,
};

export const USER_DETAILS: Columns<PersonView> = { ...USER_COLUMNS, created: 'created_at' };
