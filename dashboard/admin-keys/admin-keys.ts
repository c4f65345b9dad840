import { ADMIN_KEY } from '../../operations/people/admin-key';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { BASE } from '../kit/cookies';
import { refusedForm, type Sent } from '../kit/forms';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, ofInstallation, page, redirect, screen } from '../kit/screen';
import type { Answer, Screen, Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { adminKeysView, madeView } from './views';

/** The workspace that the page is of, as operations take it; nothing for the installation. */
const scopeOf = (visit: Visit): { workspace?: string } => (visit.workspace ? { workspace: workspaceOf(visit) } : {});
const pathOf = ({ workspace, base }: Visit): string =>
  workspace ? `${base}/settings/admin-keys` : `${BASE}/users/keys`;

async function show(visit: Visit, sent: Sent | null = null): Promise<Answer> {
  const { data: keys } = await visit.read(ADMIN_KEY.list, scopeOf(visit));
  const workspaces = visit.workspace ? null : (await visit.read(WORKSPACE.list, {})).data;
  const main = adminKeysView(visit, { keys, workspaces, path: pathOf(visit), sent });
  return page(visit.t.adminKeysTitle, main, sent ? 422 : 200);
}

async function create(visit: Visit): Promise<Answer> {
  const { form } = visit;
  // A key that names no workspace is one of the installation.
  const scope = visit.workspace ? scopeOf(visit) : { installation: fieldOf(form, 'workspace') === '' };
  const done = await visit.submit(ADMIN_KEY.create, scope);
  if (!done.ok) return show(visit, refusedForm(visit, done.fault));
  return page(visit.t.adminKeysTitle, madeView(visit, { ...done.json, back: pathOf(visit) }));
}

async function revoke(visit: Visit): Promise<Answer> {
  const input = { key: fieldOf(visit.form, 'key'), ...scopeOf(visit) };
  const done = await visit.perform(ADMIN_KEY.revoke, input);
  if (!done.ok) return show(visit, { values: {}, fault: { ...done.fault, field: null } });
  return redirect(pathOf(visit), filled(visit.t.adminKeysRevoked, { name: done.json.name }));
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
