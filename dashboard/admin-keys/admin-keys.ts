import type { Fault } from '../../operations/definition';
import { BASE } from '../kit/cookies';
import { inputOf, sentOf } from '../kit/forms';
import { workspaceOf } from '../kit/own';
import { action, fieldOf, ofInstallation, page, redirect, screen } from '../kit/screen';
import type { Answer, Screen, Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import type { NamedWorkspace } from '../users/views';
import { adminKeysView, madeView, type AdminKey } from './views';

/** The workspace that the page is of, as operations take it; nothing for the installation. */
const scopeOf = (visit: Visit): { workspace?: string } => (visit.workspace ? { workspace: workspaceOf(visit) } : {});
const pathOf = ({ workspace, base }: Visit): string =>
  workspace ? `${base}/settings/admin-keys` : `${BASE}/users/keys`;

async function show(
  visit: Visit,
  sent: { values: Record<string, unknown>; fault: Fault } | null = null,
): Promise<Answer> {
  const { data: keys } = await visit.read<{ data: AdminKey[] }>('admin-key.list', scopeOf(visit));
  const workspaces = visit.workspace ? null : (await visit.read<{ data: NamedWorkspace[] }>('workspace.list', {})).data;
  const main = await adminKeysView(visit, { keys, workspaces, path: pathOf(visit), sent });
  return page(visit.t.adminKeysTitle, main, sent ? 422 : 200);
}

async function create(visit: Visit): Promise<Answer> {
  const { form } = visit;
  // A key that names no workspace is one of the installation.
  const scope = visit.workspace ? scopeOf(visit) : { installation: fieldOf(form, 'workspace') === '' };
  const done = await visit.perform('admin-key.create', await inputOf('admin-key.create', form, scope));
  if (!done.ok) return show(visit, { values: sentOf(form), fault: done.fault });
  const made = done.json as unknown as { name: string; key: string };
  return page(visit.t.adminKeysTitle, madeView(visit, { ...made, back: pathOf(visit) }));
}

async function revoke(visit: Visit): Promise<Answer> {
  const input = { key: fieldOf(visit.form, 'key'), ...scopeOf(visit) };
  const done = await visit.perform('admin-key.revoke', input);
  if (!done.ok) return show(visit, { values: {}, fault: { ...done.fault, field: null } });
  return redirect(pathOf(visit), filled(visit.t.adminKeysRevoked, { name: String(done.json['name']) }));
}

const OF_WORKSPACE: readonly Screen[] = [
  screen('/settings/admin-keys', 'owner', (visit) => show(visit)),
  action('/settings/admin-keys/create', 'owner', create),
  action('/settings/admin-keys/revoke', 'owner', revoke),
];

/** Keys of the management API: those of the installation beside its users, those of a workspace in its settings. */
export const ADMIN_KEYS: readonly Screen[] = [
  ...OF_WORKSPACE,
  ofInstallation(screen('/users/keys', 'operator', (visit) => show(visit))),
  ofInstallation(action('/users/keys/create', 'operator', create)),
  ofInstallation(action('/users/keys/revoke', 'operator', revoke)),
];
