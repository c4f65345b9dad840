import { changeKeepingOperator } from '../commands/people/operators';
import { allOf, removeMembership, setMembership, userOf, type PeopleDeps, type User } from '../commands/people/people';
import { removeFactors } from '../commands/people/passkeys';
import { endSessions } from '../commands/people/sessions';
import { makeTicket, withdrawTickets } from '../commands/people/tickets';
import { WORKSPACE_ROLES } from '../domain/people/role';
import type { UserBody } from '../domain/people/directory';
import type { Workspace } from '../domain/settings/workspace';
import { publicUrl } from './public-url';
import { peopleOf, presentUser, USER_COLUMNS, USER_DETAILS } from './user-view';
import {
  address,
  argument,
  flag,
  NotFoundError,
  neededFound,
  oneOf,
  onOff,
  type Operation,
  operation,
  OperationError,
  option,
  type Session,
  UsageError,
  workspace,
  workspaceOption,
} from './spec';

const email = argument('the address that the person signs in with', address);
const role = (about: string) => option('<role>', about, oneOf(...WORKSPACE_ROLES));
const ofWorkspace = neededFound('<workspace>', 'id or name of the workspace', workspace);

const depsOf = ({ stores, clock }: Session): PeopleDeps => ({ directory: stores.directory, clock });

const unknownUser = (address: string): NotFoundError =>
  new NotFoundError(`<email>: nobody signs in as ${address}.`, 'kurir user list lists who does.', '<email>');

const noMember = (address: string, { name }: Workspace): NotFoundError =>
  new NotFoundError(
    `<email>: ${address} is not a member of ${name}.`,
    'kurir user list --workspace lists its members; kurir user invite makes one.',
    '<email>',
  );

/** A role goes with a workspace, and the installation has one role: operator. */
function checkRole({
  role,
  workspace,
  operator,
}: {
  role?: string | undefined;
  workspace?: string | undefined;
  operator: boolean;
}): void {
  if (operator && (role !== undefined || workspace !== undefined)) {
    throw new UsageError('--operator goes without --role and --workspace.', 'Give one or the other.', '--operator');
  }
  if (operator || (role !== undefined && workspace !== undefined)) return;
  const missing = role === undefined ? '--role' : '--workspace';
  throw new UsageError(`${missing} is missing.`, 'Give --role with --workspace, or --operator.', missing);
}

const linkOf = (session: Session, token: string): string => `${publicUrl(session)}/app/claim/${token}`;

const invite = operation('user.invite', 'owner', {
  summary: 'invite somebody to sign in; answers a link that works once',
  arguments: { email },
  options: {
    role: role('what the person may do in the workspace'),
    workspace: workspaceOption('id or name of the workspace'),
    operator: flag('the person runs the installation, and may do all'),
  },
  examples: [
    ['user invite siti@toko.example --role editor --workspace 1', 'a member of a workspace'],
    ['user invite budi@toko.example --operator', 'an operator'],
  ],
  notes: 'The link works for seven days. A newer invitation to the same workspace takes its place.',
  check: checkRole,
  handler: async (input, session) => {
    const of = input.workspace ?? null;
    const what = input.role ?? 'operator';
    // Before the ticket: without an address of the service there is no link to give.
    publicUrl(session);
    await session.note('user invite', `${input.email}: ${what}`, of?.id ?? null);
    const grant = { operator: input.operator, workspaceId: of?.id ?? null, role: input.role ?? null };
    const token = await makeTicket(depsOf(session), 'invite', input.email, grant);
    return { email: input.email, role: what, workspace_id: of?.id ?? null, link: linkOf(session, token) };
  },
  text: ({ email, link }) => `Give this link to ${email}; it works once:\n${link}\n`,
});

const list = operation('user.list', 'owner', {
  summary: 'who may sign in, and who is invited; of a workspace or of the installation',
  options: { workspace: workspaceOption('only members of this workspace') },
  examples: [
    ['user list', 'everybody'],
    ['user list --workspace Demo', 'the members of a workspace'],
  ],
  handler: async (input, session) => ({ data: await peopleOf(depsOf(session), input.workspace?.id ?? null) }),
  columns: USER_COLUMNS,
  none: 'Nobody yet. Invite somebody: kurir user invite <email>',
});

const reset = operation('user.reset', 'operator', {
  summary: 'a link with which somebody chooses a new password; it works once, for 24 hours',
  arguments: { email },
  options: { secondFactor: flag('take the second factor, its recovery codes and passkeys away, too') },
  examples: [
    ['user reset siti@toko.example', 'a forgotten password'],
    ['user reset siti@toko.example --second-factor', 'a lost phone'],
  ],
  handler: async (input, session) => {
    const deps = depsOf(session);
    if (!(await userOf(deps, input.email))) throw unknownUser(input.email);
    publicUrl(session);
    const what = input.secondFactor ? `${input.email}: password, second factor` : `${input.email}: password`;
    await session.note('user reset', what, null);
    if (input.secondFactor) await removeFactors(deps, input.email);
    const token = await makeTicket(deps, 'reset', input.email, null);
    return { email: input.email, second_factor_removed: input.secondFactor, link: linkOf(session, token) };
  },
  text: ({ email, link }) => `Give this link to ${email}; it works once:\n${link}\n`,
});

/** Changes a user in a way that could leave nobody who runs the installation. */
async function changeSafely(session: Session, address: string, decide: (body: UserBody) => UserBody): Promise<User> {
  const changed = await changeKeepingOperator(depsOf(session), address, decide);
  if (changed === null) throw unknownUser(address);
  if (changed !== 'last') return changed;
  throw new OperationError(
    `<email>: ${address} is the last operator.`,
    'Make another one first: kurir user invite <email> --operator',
    '<email>',
  );
}

const shown = async (session: Session, { id }: { id: string }) => {
  const user = await userOf(depsOf(session), id);
  if (!user) throw unknownUser(id);
  return presentUser(user, await allOf(depsOf(session), 'membership', { user: id }));
};

/** What a member is to the workspace that asks: nothing of what the person is to others. */
async function shownMember(session: Session, address: string, workspaceId: number) {
  const member = (await peopleOf(depsOf(session), workspaceId)).find((one) => one.email === address);
  if (!member) throw unknownUser(address);
  return member;
}

const setRole = operation('user.role', 'owner', {
  summary: 'change the role of a member, or whether somebody is an operator',
  arguments: { email },
  options: {
    role: role('the new role in the workspace'),
    workspace: workspaceOption('id or name of the workspace'),
    operator: option('<state>', 'on or off: whether the person runs the installation', onOff),
  },
  examples: [
    ['user role siti@toko.example --role developer --workspace 1', 'in a workspace'],
    ['user role siti@toko.example --operator off', 'no operator any more'],
  ],
  check: ({ role, workspace, operator }) => checkRole({ role, workspace, operator: operator !== undefined }),
  handler: async (input, session) => {
    const { email: address, operator } = input;
    const deps = depsOf(session);
    if (input.role !== undefined && input.workspace) {
      const { id } = input.workspace;
      const held = await deps.directory.get('membership', `${address} ${id}`, deps.clock.now());
      if (!held) throw noMember(address, input.workspace);
      await session.note('user role', `${address}: ${input.role}`, id);
      await setMembership(deps, { user: address, workspaceId: id, role: input.role });
      return shownMember(session, address, id);
    }
    if (!(await userOf(deps, address))) throw unknownUser(address);
    await session.note('user role', `${address}: operator ${operator === true ? 'on' : 'off'}`, null);
    return shown(session, await changeSafely(session, address, (body) => ({ ...body, operator: operator === true })));
  },
  details: USER_DETAILS,
});

const remove = operation('user.remove', 'owner', {
  summary: 'take somebody out of a workspace, or withdraw the invitation to it',
  arguments: { email },
  options: { workspace: ofWorkspace },
  examples: [['user remove siti@toko.example --workspace 1', 'the person still signs in, and sees other workspaces']],
  handler: async (input, session) => {
    const { id } = input.workspace;
    const deps = depsOf(session);
    await session.note('user remove', input.email, id);
    const withdrawn = await withdrawTickets(deps, input.email, (body) => body.grant?.workspaceId === id);
    const removed = await removeMembership(deps, input.email, id);
    if (!removed && withdrawn === 0) throw noMember(input.email, input.workspace);
    return { email: input.email, workspace_id: id, removed: true };
  },
  text: ({ email, workspace_id: id }) => `${email} is no member of workspace ${id} any more\n`,
});

const disable = operation('user.disable', 'operator', {
  summary: 'let somebody sign in no more: sessions end, links stop working; roles stay',
  arguments: { email },
  examples: [['user disable siti@toko.example', 'kurir user enable lets her in again']],
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
  summary: 'let somebody sign in again',
  arguments: { email },
  examples: [['user enable siti@toko.example', 'with the roles of before']],
  handler: async (input, session) => {
    if (!(await userOf(depsOf(session), input.email))) throw unknownUser(input.email);
    await session.note('user enable', input.email, null);
    return shown(session, await changeSafely(session, input.email, (body) => ({ ...body, disabledAt: null })));
  },
  details: USER_DETAILS,
});

export const USER_OPERATIONS: readonly Operation[] = [invite, list, reset, setRole, remove, disable, enable];
