import type { Clock } from '../../lib/clock';
import { accessOf, type Access } from '../../domain/people/access';
import type { RecordEntry, RecordKind, UserBody } from '../../domain/people/records';
import type { WorkspaceRole } from '../../domain/people/role';
import type { RecordStore } from '../../stores/ports/record-store';

export interface PeopleDeps {
  records: RecordStore;
  clock: Clock;
}

export type User = RecordEntry<'user'>;
/** A user as it was at some time. */
export type Account = Pick<User, 'id' | 'body'>;
export type Membership = RecordEntry<'membership'>;

/** Entries of a list that are read at a time. */
const PAGE = 500;
/** How often a change is decided anew when somebody else was first. */
const TRIES = 10;

/** All entries of a kind that belong to a user or a workspace, or of the installation. */
export async function allOf<K extends RecordKind>(
  { records, clock }: PeopleDeps,
  kind: K,
  filter: { user?: string; workspaceId?: number } = {},
): Promise<RecordEntry<K>[]> {
  const all: RecordEntry<K>[] = [];
  for (let after = ''; ;) {
    const page = await records.list(kind, filter, { after, limit: PAGE, now: clock.now() });
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)!.id;
  }
}

/** The user of an address in its canonical spelling; null when there is none. */
export const userOf = ({ records, clock }: PeopleDeps, email: string): Promise<User | null> =>
  records.get('user', email, clock.now());

/**
 * Changes a user as `decide` says, anew if somebody else was first. Null if the user is gone, or `decide` says null.
 */
export async function changeUser(
  deps: PeopleDeps,
  email: string,
  decide: (body: UserBody) => UserBody | null,
): Promise<User | null> {
  for (let n = 0; n < TRIES; n += 1) {
    const user = await userOf(deps, email);
    const body = user && decide(user.body);
    if (!user || !body) return null;
    if (await deps.records.change({ ...user, body })) return { ...user, body, version: user.version + 1 };
  }
  throw new Error(`the user ${email} is being changed by others all the time`);
}

/** A new user without a password or a role. */
export const NEW_USER: Omit<UserBody, 'createdAt'> = {
  ...{ name: null, operator: false, password: null, totp: null, recovery: [], disabledAt: null },
};

/** Gives a user a role in a workspace, in place of the one there was. */
export async function setMembership(
  { records, clock }: PeopleDeps,
  { user, workspaceId, role }: { user: string; workspaceId: number; role: WorkspaceRole },
): Promise<void> {
  const now = clock.now();
  const id = `${user} ${workspaceId}`;
  const body = { role, since: now };
  for (let n = 0; n < TRIES; n += 1) {
    if (await records.add({ kind: 'membership', id, user, workspaceId, expiresAt: null, body }, now)) return;
    const held = await records.get('membership', id, now);
    if (held && (held.body.role === role || (await records.change({ ...held, body })))) return;
  }
  throw new Error(`the role of ${user} is being changed by others all the time`);
}

/** Takes the role of a user in a workspace away. False if there was none. */
export const removeMembership = async (
  { records, clock }: PeopleDeps,
  user: string,
  workspaceId: number,
): Promise<boolean> => (await records.take('membership', `${user} ${workspaceId}`, clock.now())) !== null;

/** What a user may see and do. */
export async function accessOfUser(deps: PeopleDeps, { id, body }: User): Promise<Access> {
  const memberships = await allOf(deps, 'membership', { user: id });
  return accessOf({
    everywhere: body.operator ? 'operator' : null,
    workspaces: new Map(
      memberships.flatMap(({ workspaceId, body: { role } }) => (workspaceId === null ? [] : [[workspaceId, role]])),
    ),
  });
}
