import type { Operation } from '../../operations/definition';
import { KEY } from '../../operations/workspaces/key';
import { SMTP } from '../../operations/workspaces/smtp';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { boxesOf, refusedForm } from '../kit/forms';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { Refused } from '../kit/perform';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { secretView, settingsView, type SentForms } from './views';

const keysOf = (visit: Visit) => visit.read(KEY.list, { workspace: workspaceOf(visit) });
const loginsOf = (visit: Visit) => visit.read(SMTP.list, { workspace: workspaceOf(visit) });

async function show(visit: Visit, sent: SentForms | null = null): Promise<Answer> {
  const profile = await visit.read(WORKSPACE.show, { workspace: workspaceOf(visit) });
  const isDeveloper = mayHere(visit, 'developer');
  const keys = isDeveloper ? (await keysOf(visit)).data : null;
  const logins = isDeveloper ? (await loginsOf(visit)).data : null;
  return page(visit.t.settingsTitle, settingsView(visit, { profile, keys, logins }, sent ?? {}), sent ? 422 : 200);
}

const profile = action('/settings/profile', 'owner', async (visit) => {
  const { form, base, t } = visit;
  // A field that is left empty is one to leave out for others, and here an address to take away.
  const more = { workspace: workspaceOf(visit), ...(form.has('address') && { address: fieldOf(form, 'address') }) };
  const done = await visit.submit(WORKSPACE.profile, more);
  if (!done.ok) return show(visit, { profile: refusedForm(visit, done.fault) });
  return redirect(`${base}/settings`, t.settingsSaved);
});

const keyPage = (visit: Visit, { name, key }: { name: string; key: string }): Answer => {
  const title = filled(visit.t.settingsKeyTitle, { name });
  return page(title, secretView(visit, title, [[visit.t.settingsKey, key]]));
};

const createKey = action('/settings/keys/create', 'developer', async (visit) => {
  // None checked is none, and not the default.
  const scopes = boxesOf(visit.form, 'scopes');
  const done = await visit.submit(KEY.create, { workspace: workspaceOf(visit), scopes });
  if (done.ok) return keyPage(visit, done.json);
  const { values, fault } = refusedForm(visit, done.fault);
  return show(visit, { key: { values: { ...values, scopes }, fault } });
});

/** A key of the workspace by the id in the address. */
const keyInput = (visit: Visit) => ({ workspace: workspaceOf(visit), key: visit.id });

const showKey = action('/settings/keys/:id/show', 'developer', async (visit) =>
  keyPage(visit, await visit.read(KEY.show, keyInput(visit))),
);

const revokeKey = action('/settings/keys/:id/revoke', 'developer', async (visit) => {
  const { name } = await visit.read(KEY.revoke, keyInput(visit));
  return redirect(`${visit.base}/settings`, filled(visit.t.settingsRevokeDone, { name }));
});

const loginPage = (visit: Visit, { username, password }: { username: string; password: string }): Answer => {
  const { t } = visit;
  const title = filled(t.settingsLoginTitle, { name: username });
  const facing = [
    [t.settingsUsername, username],
    [t.settingsPassword, password],
  ] as const;
  return page(title, secretView(visit, title, facing));
};

const createLogin = action('/settings/smtp/create', 'developer', async (visit) =>
  loginPage(visit, await visit.read(SMTP.create, { workspace: workspaceOf(visit) })),
);

/** Looked for in the list: what shows a password leaves a line in the trail. */
const ofLogin = (
  name: string,
  operation: Operation<{ login: number }, { username: string; password: string }>,
): Screen =>
  action(`/settings/smtp/:id/${name}`, 'developer', async (visit) => {
    const { data } = await loginsOf(visit);
    const login = data.find(({ id }) => String(id) === visit.id);
    if (!login) throw new Refused({ status: 404, message: '', field: null });
    return loginPage(visit, await visit.read(operation, { login: login.id }));
  });

export const SETTINGS: readonly Screen[] = [
  screen('/settings', 'viewer', (visit) => show(visit)),
  profile,
  createKey,
  showKey,
  revokeKey,
  createLogin,
  ofLogin('show', SMTP.show),
  ofLogin('rotate', SMTP.rotate),
];
