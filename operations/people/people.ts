import type { Clock } from '../../lib/clock';
import { accessOf, type Access } from '../../domain/people/access';
import type { UserBody } from '../../domain/people/user';
import { record, type RecordEntry } from '../../domain/records/record';
import type { WorkspaceRole } from '../../domain/people/role';
import type { RecordStore } from '../../stores/ports/record-store';

export interface PeopleDeps {
  records: RecordStore;
  clock: Clock;
}

export const USERS = record<UserBody, 'user'>('user');
export type User = RecordEntry<UserBody>;
/** A user as it was at some time. */
export type Account = Pick<User, 'id' | 'body'>;

/** The id is `<address> <workspace>`. */
export interface MembershipBody {
  role: WorkspaceRole;
  since: number;
}
export const MEMBERSHIPS = record<MembershipBody, 'user' | 'workspaceId'>('membership');
export type Membership = RecordEntry<MembershipBody>;

/** An account at an OpenID provider. The id is `<issuer> <subject>`. */
export interface IdentityBody {
  linkedAt: number;
}
export const IDENTITIES = record<IdentityBody, 'user'>('identity');

/** The user of an address in its canonical spelling; null when there is none. */
export const userOf = ({ records, clock }: PeopleDeps, email: string): Promise<User | null> =>
  records.get(USERS, email, clock.now());

/**
 * Changes a user as `decide` says, anew if somebody else was first. Null if the user is gone, or `decide` says null.
 */
export const changeUser = (
  { records, clock }: PeopleDeps,
  email: string,
  decide: (body: UserBody) => UserBody | null,
): Promise<User | null> => records.change(USERS, email, (body) => body && decide(body), { now: clock.now() });

/** A new user without a password or a role. */
export const NEW_USER: Omit<UserBody, 'createdAt'> = {
  name: null,
  operator: false,
  password: null,
  totp: null,
  recovery: [],
  disabledAt: null,
};

export const membershipId = (user: string, workspaceId: number): string => `${user} ${workspaceId}`;

/** Gives a user a role in a workspace, in place of the one there was. */
export async function setMembership(
  { records, clock }: PeopleDeps,
  { user, workspaceId, role }: { user: string; workspaceId: number; role: WorkspaceRole },
): Promise<void> {
  const now = clock.now();
  const given = (held: MembershipBody | null) => (held?.role === role ? null : { role, since: now });
  await records.change(MEMBERSHIPS, membershipId(user, workspaceId), given, { now, user, workspaceId });
}

/** Takes the role of a user in a workspace away. False if there was none. */
export const removeMembership = async (
  { records, clock }: PeopleDeps,
  user: string,
  workspaceId: number,
): Promise<boolean> => (await records.take(MEMBERSHIPS, membershipId(user, workspaceId), clock.now())) !== null;

export const membershipsOf = ({ records, clock }: PeopleDeps, user: string): Promise<Membership[]> =>
  records.list(MEMBERSHIPS, { user }, clock.now());

/** What a user may see and do. */
export async function accessOfUser(deps: PeopleDeps, { id, body }: User): Promise<Access> {
  const memberships = await membershipsOf(deps, id);
  return accessOf({
    everywhere: body.operator ? 'operator' : null,
    workspaces: new Map(
      memberships.flatMap(({ workspaceId, body: { role } }) => (workspaceId === null ? [] : [[workspaceId, role]])),
    ),
  });
}
