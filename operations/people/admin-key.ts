import { noun } from '../../schemas/rules/nouns';
import { createAdminKey, listAdminKeys, revokeAdminKey, shortId, type AdminKey } from './admin-keys';
import type { PeopleDeps } from './people';
import { WORKSPACE_ROLES, type Role } from '../../domain/people/role';
import {
  argument,
  type Columns,
  duration,
  flag,
  ForbiddenError,
  jsonTime,
  needed,
  NotFoundError,
  oneOf,
  operation,
  OperationError,
  option,
  type Session,
  text,
  UsageError,
  workspaceOption,
  why,
} from '../definition';

const ROLES = [...WORKSPACE_ROLES, 'operator'] as const;

const present = (of: AdminKey) => ({
  id: shortId(of),
  workspace_id: of.workspaceId,
  name: of.body.name,
  role: of.body.role,
  created_at: jsonTime(of.body.createdAt),
  created_by: of.body.createdBy,
  last_used_at: jsonTime(of.body.lastUsedAt),
  expires_at: jsonTime(of.expiresAt),
});

const COLUMNS: Columns<ReturnType<typeof present>> = {
  id: 'id',
  workspace: ({ workspace_id: id }) => (id === null ? 'all' : String(id)),
  name: 'name',
  role: 'role',
  created: 'created_at',
  'last used': 'last_used_at',
  expires: 'expires_at',
};

const peopleOf = ({ stores, clock }: Session): PeopleDeps => ({ records: stores.records, clock });

/** Nobody gives what they do not hold. */
function refuseMore({ access }: Session, role: Role, workspaceId: number | null): void {
  if (!access) return;
  const isHeld = workspaceId === null ? access.may('operator', null) : access.may(role, workspaceId);
  if (!isHeld) throw new ForbiddenError(why('give_role', { role }), '', '--role');
}

async function refuseTaken(session: Session, name: string, workspaceId: number | null): Promise<void> {
  const keys = await listAdminKeys(peopleOf(session), workspaceId);
  if (!keys.some((key) => key.body.name.toLowerCase() === name.toLowerCase())) return;
  throw new OperationError(why('key_taken', { label: '<name>', name }), 'Choose another name.');
}

const create = operation('admin-key.create', 'owner', {
  summary: 'create a key of the management API and show it, once',
  arguments: { name: argument('what the key is for; it appears in the audit log', text(100)) },
  options: {
    workspace: workspaceOption('workspace that the key can access (id or name)'),
    installation: flag('access to all workspaces; with the role operator also to the installation'),
    role: needed('<role>', `role of the key: ${ROLES.join(', ')}`, oneOf(...ROLES)),
    expires: option('<duration>', 'expires after this time, such as 90d; default: never', duration),
  },
  examples: [
    ['admin-key create ci --workspace melati --role developer', 'a key for one workspace'],
    [
      'admin-key create terraform --installation --role operator --expires 90d',
      'a key with all permissions, for 90 days',
    ],
  ],
  check: ({ workspace, installation, role }) => {
    if (installation === (workspace !== undefined))
      throw new UsageError(why('either', { one: '--workspace', other: '--installation' }), 'see --help', '--workspace');
    if (role === 'operator' && !installation)
      throw new UsageError(why('installation_role'), 'Give --installation.', '--role');
  },
  handler: async ({ name, workspace, role, expires }, session) => {
    const workspaceId = workspace?.id ?? null;
    refuseMore(session, role, workspaceId);
    await refuseTaken(session, name, workspaceId);
    await session.note('admin-key create', `${name} (${role})`, workspaceId);
    const expiresAt = expires === undefined ? null : session.clock.now() + expires;
    const made = await createAdminKey(
      { ...peopleOf(session), keyring: await session.keyring() },
      { name, role, workspaceId, expiresAt, createdBy: session.actor },
    );
    return { ...present(made.key), key: made.text };
  },
  details: { ...COLUMNS, key: 'key' },
});

const OF_WORKSPACE = {
  workspace: workspaceOption('only keys of this workspace (id or name); default: all keys'),
};

const list = operation('admin-key.list', 'owner', {
  summary: 'list the keys of the management API, without their secrets',
  options: OF_WORKSPACE,
  examples: [
    ['admin-key list', 'all keys'],
    ['admin-key list --workspace melati', 'those of one workspace'],
  ],
  handler: async ({ workspace }, session) => ({
    data: (await listAdminKeys(peopleOf(session), workspace?.id)).map(present),
  }),
  columns: COLUMNS,
  none: 'No management API keys yet.',
});

const revoke = operation('admin-key.revoke', 'owner', {
  irreversible: true,
  summary: 'revoke a key of the management API immediately and permanently',
  arguments: { key: argument('id or name', text()) },
  options: OF_WORKSPACE,
  examples: [
    ['admin-key revoke terraform', 'by name'],
    ['admin-key revoke ci --workspace melati', 'a key of one workspace'],
  ],
  // The key is looked up here and not before: whoever names no workspace must be an operator to learn of any key.
  handler: async ({ key: named, workspace }, session) => {
    const keys = await listAdminKeys(peopleOf(session), workspace?.id);
    const byId = keys.filter((key) => shortId(key) === named);
    const matching = byId.length > 0 ? byId : keys.filter(({ body }) => body.name === named);
    const [only] = matching;
    const label = '<key>';
    if (!only)
      throw new NotFoundError(
        why('unknown', { label, what: noun('key'), text: named }),
        'kurir admin-key list shows them.',
      );
    if (matching.length > 1)
      throw new OperationError(why('several_keys', { label, name: named }), 'Use the id instead.');
    await session.note('admin-key revoke', `${shortId(only)} ${only.body.name}`, only.workspaceId);
    await revokeAdminKey(peopleOf(session), only);
    return present(only);
  },
  details: COLUMNS,
});

/** `kurir admin-key`. */
export const ADMIN_KEY = { create, list, revoke };
