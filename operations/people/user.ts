import { changeKeepingOperator } from './operators';
import { MEMBERSHIPS, membershipId, membershipsOf, removeMembership, setMembership, userOf, type User } from './people';
import { endSessions } from './sessions';
import { withdrawTickets } from './tickets';
import type { UserBody } from '../../domain/people/user';
import type { Workspace } from '../../domain/settings/workspace';
import { checkRole, depsOf, email, invite, reset, role, unknownUser } from './user-links';
import { peopleOf, presentUser, USER_COLUMNS, USER_DETAILS } from './user-view';
import {
  flag,
  NotFoundError,
  onOff,
  operation,
  OperationError,
  option,
  type Session,
  UsageError,
  workspaceOption,
  why,
} from '../definition';

const noMember = (address: string, { name }: Workspace): NotFoundError =>
  new NotFoundError(
    why('no_member', { label: '<email>', email: address, name }),
    'kurir user list --workspace shows its members; kurir user invite adds one.',
  );

const list = operation('user.list', 'owner', {
  summary: 'list users and invitations, of a workspace or of the installation',
  options: { workspace: workspaceOption('only members of this workspace') },
  examples: [
    ['user list', 'everybody'],
    ['user list --workspace Demo', 'the members of a workspace'],
  ],
  handler: async (input, session) => ({ data: await peopleOf(depsOf(session), input.workspace?.id ?? null) }),
  columns: USER_COLUMNS,
  none: 'No users yet. Invite one: kurir user invite <email>',
});

/** Changes a user in a way that could leave nobody who runs the installation. */
async function changeSafely(session: Session, address: string, decide: (body: UserBody) => UserBody): Promise<User> {
  const changed = await changeKeepingOperator(depsOf(session), address, decide);
  if (changed === null) throw unknownUser(address);
  if (changed !== 'last') return changed;
  throw new OperationError(
    why('last_operator', { label: '<email>', email: address }),
    'Add another administrator first: kurir user invite <email> --operator',
  );
}

const shown = async (session: Session, { id }: { id: string }) => {
  const user = await userOf(depsOf(session), id);
  if (!user) throw unknownUser(id);
  return presentUser(user, await membershipsOf(depsOf(session), id));
};

/** What a member is to the workspace that asks: nothing of what the person is to others. */
async function shownMember(session: Session, address: string, workspaceId: number) {
  const member = (await peopleOf(depsOf(session), workspaceId)).find((one) => one.email === address);
  if (!member) throw unknownUser(address);
  return member;
}

/** Whoever invited the person to a workspace may have set the account up: that must not become an operator's. */
const notVouched = (address: string): OperationError =>
  new OperationError(
    why('not_vouched', { label: '<email>', email: address }),
    'Invite the user instead, which resets the account: kurir user invite <email> --operator',
  );

const setRole = operation('user.role', 'owner', {
  irreversible: ({ operator }) => operator !== undefined,
  summary: 'change the role of a member, or make a user an administrator',
  arguments: { email },
  options: {
    role: role('the new role in the workspace'),
    workspace: workspaceOption('id or name of the workspace'),
    operator: option('<state>', 'on or off: administrator of the installation', onOff),
  },
  examples: [
    ['user role siti@toko.example --role developer --workspace 1', 'in a workspace'],
    ['user role siti@toko.example --operator off', 'remove administrator rights'],
  ],
  check: ({ role, workspace, operator }) => checkRole({ role, workspace, operator: operator !== undefined }),
  handler: async (input, session) => {
    const { email: address, operator } = input;
    const deps = depsOf(session);
    if (input.role !== undefined && input.workspace) {
      const { id } = input.workspace;
      const held = await deps.records.get(MEMBERSHIPS, membershipId(address, id), deps.clock.now());
      if (!held) throw noMember(address, input.workspace);
      await session.note('user role', `${address}: ${input.role}`, id);
      await setMembership(deps, { user: address, workspaceId: id, role: input.role });
      return shownMember(session, address, id);
    }
    const user = await userOf(deps, address);
    if (!user) throw unknownUser(address);
    if (operator === true && !user.body.operator && !user.body.trust) throw notVouched(address);
    await session.note('user role', `${address}: operator ${operator === true ? 'on' : 'off'}`, null);
    return shown(session, await changeSafely(session, address, (body) => ({ ...body, operator: operator === true })));
  },
  details: USER_DETAILS,
});

/** Takes the membership or the invitation to the workspace away; false if there was neither. */
async function removeFrom(session: Session, address: string, id: number): Promise<boolean> {
  const deps = depsOf(session);
  const withdrawn = await withdrawTickets(deps, address, (body) => body.grant?.workspaceId === id);
  return (await removeMembership(deps, address, id)) || withdrawn > 0;
}

/** Withdraws the invitation to run the installation; who does so already keeps it. */
async function withdrawOperator(session: Session, address: string): Promise<void> {
  const isOperator = (await userOf(depsOf(session), address))?.body.operator === true;
  const withdrawn = await withdrawTickets(
    depsOf(session),
    address,
    ({ purpose, grant }) => purpose === 'invite' && grant?.operator === true,
  );
  if (withdrawn > 0) return;
  throw new NotFoundError(
    why('not_invited', { label: '<email>', email: address }),
    isOperator
      ? 'To remove administrator rights: kurir user role <email> --operator off'
      : 'kurir user list shows the members.',
  );
}

const remove = operation('user.remove', 'owner', {
  irreversible: true,
  summary: 'remove a user from a workspace, or withdraw an invitation',
  arguments: { email },
  options: {
    workspace: workspaceOption('id or name of the workspace'),
    operator: flag('withdraw the invitation as administrator'),
  },
  examples: [
    ['user remove siti@toko.example --workspace 1', 'the user can still sign in, and keeps other workspaces'],
    ['user remove budi@toko.example --operator', 'the link of the invitation stops working'],
  ],
  check: ({ workspace: of, operator }) => {
    if (operator === (of === undefined)) return;
    throw new UsageError(why('not_both', { one: '--workspace', other: '--operator' }), 'See --help.', '--workspace');
  },
  handler: async (input, session) => {
    const of = input.workspace ?? null;
    await session.note('user remove', of ? input.email : `${input.email}: invitation as operator`, of?.id ?? null);
    if (!of) await withdrawOperator(session, input.email);
    else if (!(await removeFrom(session, input.email, of.id))) throw noMember(input.email, of);
    return { email: input.email, workspace_id: of?.id ?? null, removed: true };
  },
  text: ({ email, workspace_id: id }) =>
    id === null ? `The invitation of ${email} was withdrawn\n` : `${email} is no longer a member of workspace ${id}\n`,
});

const disable = operation('user.disable', 'operator', {
  irreversible: true,
  summary: 'disable sign-in for a user: sessions end, links stop working; roles are kept',
  arguments: { email },
  examples: [['user disable siti@toko.example', 'kurir user enable allows it again']],
  handler: async (input, session) => {
    const deps = depsOf(session);
    if (!(await userOf(deps, input.email))) throw unknownUser(input.email);
    await session.note('user disable', input.email, null);
    const now = session.clock.now();
    const user = await changeSafely(session, input.email, (body) => ({ ...body, disabledAt: body.disabledAt ?? now }));
    await endSessions(deps, input.email);
    await withdrawTickets(deps, input.email, () => true);
    return shown(session, user);
  },
  details: USER_DETAILS,
});

const enable = operation('user.enable', 'operator', {
  summary: 'enable sign-in for a user again',
  arguments: { email },
  examples: [['user enable siti@toko.example', 'with the same roles as before']],
  handler: async (input, session) => {
    if (!(await userOf(depsOf(session), input.email))) throw unknownUser(input.email);
    await session.note('user enable', input.email, null);
    return shown(session, await changeSafely(session, input.email, (body) => ({ ...body, disabledAt: null })));
  },
  details: USER_DETAILS,
});

export const USER = { invite, list, reset, role: setRole, remove, disable, enable };
