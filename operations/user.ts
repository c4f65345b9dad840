import { changeKeepingOperator } from '../commands/people/operators';
import { allOf, removeMembership, setMembership, userOf, type PeopleDeps, type User } from '../commands/people/people';
import { removeFactors } from '../commands/people/passkeys';
import { endSessions } from '../commands/people/sessions';
import { makeTicket, withdrawTickets } from '../commands/people/tickets';
import { WORKSPACE_ROLES } from '../domain/people/role';
import type { UserBody } from '../domain/people/directory';
import type { Workspace } from '../domain/settings/workspace';
import { mailInvitation, type InvitationSender } from '../app/operator/invitation-mail';
import { hostName } from './domain-view';
import { dashboardUrl } from './public-url';
import { peopleOf, presentUser, USER_COLUMNS, USER_DETAILS } from './user-view';
import {
  address,
  argument,
  flag,
  NotFoundError,
  oneOf,
  onOff,
  type Operation,
  operation,
  OperationError,
  option,
  type Session,
  UsageError,
  workspaceOption,
} from './spec';

const email = argument('the address that the person signs in with', address);
const role = (about: string) => option('<role>', about, oneOf(...WORKSPACE_ROLES));

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

const linkOf = (session: Session, token: string): string => `${dashboardUrl(session)}/app/claim/${token}`;

/** Who sends the link: the workspace, or for an operator the domain that was named. Null: nobody. */
async function senderOf(
  { stores }: Session,
  of: Workspace | null,
  name: string | undefined,
): Promise<InvitationSender | null> {
  if (of) return { workspace: of, domain: null };
  if (name === undefined) return null;
  const domain = await stores.domains.findByName(name);
  const workspace = domain && (await stores.workspaces.get(domain.workspaceId));
  if (workspace) return { workspace, domain };
  throw new NotFoundError(
    `--sender: no sending domain "${name}" found.`,
    'kurir domain list lists what exists.',
    '--sender',
  );
}

const NO_SENDER = 'No --sender is named: no workspace pays for the mail of an operator by itself.';

const invite = operation('user.invite', 'owner', {
  summary: 'invite somebody to sign in; answers a link that works once, and mails it where it can',
  arguments: { email },
  options: {
    role: role('what the person may do in the workspace'),
    workspace: workspaceOption('id or name of the workspace'),
    operator: flag('the person runs the installation, and may do all'),
    sender: option('<domain>', 'with --operator: the sending domain that mails the link; its workspace pays', hostName),
  },
  examples: [
    ['user invite siti@toko.example --role editor --workspace 1', 'a member of a workspace'],
    ['user invite budi@toko.example --operator', 'an operator'],
    ['user invite budi@toko.example --operator --sender toko.example', 'the link is mailed, too'],
  ],
  notes:
    'The link works for seven days. A newer invitation to the same workspace takes its place. The workspace mails it ' +
    'from its first active domain, for a coin; without one the link is only answered.',
  check: (given) => {
    checkRole(given);
    if (given.sender === undefined || given.operator) return;
    throw new UsageError('--sender goes with --operator.', 'A workspace sends from its own domain.', '--sender');
  },
  handler: async (input, session) => {
    const of = input.workspace ?? null;
    const what = input.role ?? 'operator';
    // Before the ticket: without an address of the service there is no link to give.
    const place = of?.name ?? new URL(dashboardUrl(session)).host;
    const sender = await senderOf(session, of, input.sender);
    await session.note('user invite', `${input.email}: ${what}`, of?.id ?? null);
    const grant = { operator: input.operator, workspaceId: of?.id ?? null, role: input.role ?? null };
    const link = linkOf(session, await makeTicket(depsOf(session), 'invite', input.email, grant));
    const why = sender ? await mailInvitation(session, { email: input.email, link, place }, sender) : NO_SENDER;
    return {
      ...{ email: input.email, role: what, workspace_id: of?.id ?? null, link },
      ...{ mailed: why === null, not_mailed: why },
    };
  },
  text: ({ email, link, mailed, not_mailed: why }) =>
    mailed
      ? `${email} gets this link by mail; it works once:\n${link}\n`
      : `Give this link to ${email}; it works once:\n${link}\nIt was not mailed: ${why}\n`,
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
    dashboardUrl(session);
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
    `<email>: ${address} is not invited as an operator.`,
    isOperator ? 'An operator until: kurir user role <email> --operator off' : 'kurir user list lists who is.',
    '<email>',
  );
}

const remove = operation('user.remove', 'owner', {
  irreversible: true,
  summary: 'take somebody out of a workspace, or withdraw an invitation',
  arguments: { email },
  options: {
    workspace: workspaceOption('id or name of the workspace'),
    operator: flag('withdraw the invitation to run the installation'),
  },
  examples: [
    ['user remove siti@toko.example --workspace 1', 'the person still signs in, and sees other workspaces'],
    ['user remove budi@toko.example --operator', 'the link of the invitation works no more'],
  ],
  check: ({ workspace: of, operator }) => {
    if (operator === (of === undefined)) return;
    throw new UsageError('Give --workspace or --operator, and not both.', 'See --help.', '--workspace');
  },
  handler: async (input, session) => {
    const of = input.workspace ?? null;
    await session.note('user remove', of ? input.email : `${input.email}: invitation as operator`, of?.id ?? null);
    if (!of) await withdrawOperator(session, input.email);
    else if (!(await removeFrom(session, input.email, of.id))) throw noMember(input.email, of);
    return { email: input.email, workspace_id: of?.id ?? null, removed: true };
  },
  text: ({ email, workspace_id: id }) =>
    id === null ? `${email} is invited no more\n` : `${email} is no member of workspace ${id} any more\n`,
});

const disable = operation('user.disable', 'operator', {
  irreversible: true,
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
