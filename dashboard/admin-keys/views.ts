import type { RowOf } from '../../operations/definition';
import { ADMIN_KEY } from '../../operations/people/admin-key';
import { BASE } from '../kit/cookies';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { button, copyable, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { roleChoices } from '../users/person';
import type { NamedWorkspace } from '../users/views';

type AdminKey = RowOf<typeof ADMIN_KEY.list>;

interface AdminKeysPage {
  keys: readonly AdminKey[];
  /** Which a key may be for; null: the page is of one. */
  workspaces: readonly NamedWorkspace[] | null;
  path: string;
  sent: Sent | null;
}

function reachOf({ t }: Visit, id: number | null, workspaces: readonly NamedWorkspace[]): string {
  return id === null ? t.adminKeysAll : (workspaces.find((one) => one.id === id)?.name ?? String(id));
}

function keysTable(visit: Visit, { keys, workspaces, path }: AdminKeysPage): Html {
  const { t, csrf } = visit;
  return table(
    t.adminKeysTitle,
    keys,
    [
      { title: t.adminKeysName, cell: ({ name }) => name },
      workspaces && { title: t.adminKeysReaches, cell: (key) => reachOf(visit, key.workspace_id, workspaces) },
      { title: t.usersRole, cell: ({ role }) => role },
      {
        title: t.adminKeysMade,
        cell: (key) => html`${time(t, key.created_at)}<br /><small class="soft">${key.created_by}</small>`,
      },
      { title: t.meSessionUsed, cell: (key) => time(t, key.last_used_at), is: 'time' },
      { title: t.adminKeysEnds, cell: (key) => (key.expires_at === null ? t.adminKeysNever : time(t, key.expires_at)) },
      {
        title: t.actions,
        cell: ({ id, name }) =>
          button(csrf, {
            to: `${path}/revoke`,
            label: t.settingsRevoke,
            fields: { key: id },
            kind: 'danger',
            confirm: filled(t.adminKeysRevokeSure, { name }),
          }),
      },
    ],
    t.adminKeysNone,
  );
}

function makeForm(visit: Visit, { workspaces, path, sent }: AdminKeysPage): Html {
  const { t } = visit;
  const operator = { value: 'operator', label: `operator: ${t.adminKeysOperator}` };
  return formOf(visit, {
    operation: ADMIN_KEY.create,
    fields: {
      name: { label: t.adminKeysName, help: t.adminKeysNameHelp },
      ...(workspaces && {
        workspace: {
          label: t.usersWorkspace,
          help: t.adminKeysWorkspaceHelp,
          choices: workspaces.map(({ id, name }) => ({ value: id, label: name })),
        },
      }),
      role: { label: t.usersRole, choices: [...roleChoices(t), ...(workspaces ? [operator] : [])] },
      expires: { label: t.adminKeysExpires, help: t.adminKeysExpiresHelp },
    },
    to: `${path}/create`,
    button: t.adminKeysMake,
    sent,
  });
}

/** The keys of the management API, and the form that makes one. */
export function adminKeysView(visit: Visit, of: AdminKeysPage): Html {
  const { t, base } = visit;
  const [to, label] = of.workspaces ? [`${BASE}/users`, t.navUsers] : [`${base}/settings`, t.settingsTitle];
  return html`<p><a href="${to}">${label}</a></p>
    <h1>${t.adminKeysTitle}</h1>
    <p class="soft">${t.adminKeysAbout}</p>
    ${keysTable(visit, of)}
    <h2>${t.adminKeysMake}</h2>
    ${makeForm(visit, of)}`;
}

/** A key that was made: it is shown in the answer itself, and kept nowhere. */
export const madeView = ({ t }: Visit, { name, key, back }: { name: string; key: string; back: string }): Html =>
  html`<h1>${filled(t.adminKeysMadeTitle, { name })}</h1>
    <p>${copyable(t, key)}</p>
    <p class="notice warn">${t.adminKeysOnce}</p>
    <p><a href="${back}">${t.back}</a></p>`;
