import type { Workspace } from '../../domain/settings/workspace';
import { USER } from '../../operations/people/user';
import type { PersonView as Person } from '../../operations/people/user-view';
import { BASE } from '../kit/cookies';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { personCell, roleChoices, statusTag } from './person';

/** A workspace as it is chosen. */
export type NamedWorkspace = Pick<Workspace, 'id' | 'name'>;

export interface UsersPage {
  people: readonly Person[];
  workspaces: readonly NamedWorkspace[];
  /** What was sent to invite somebody, and why that was refused. */
  sent: Sent | null;
}

/** The roles of a person in words: `owner of Melati`. */
function rolesText({ t }: Visit, { operator, roles }: Person, workspaces: readonly NamedWorkspace[]): string {
  const nameOf = (id: number): string => workspaces.find((one) => one.id === id)?.name ?? String(id);
  return [
    ...(operator ? [t.usersOperator] : []),
    ...roles.map(({ workspace_id: id, role }) => `${role}, ${nameOf(id)}`),
  ].join(' · ');
}

const inviteForm = (visit: Visit, { workspaces, sent }: UsersPage): Html => {
  const { t } = visit;
  return formOf(visit, {
    operation: USER.invite,
    fields: {
      email: { label: t.signInEmail },
      workspace: {
        label: t.usersWorkspace,
        choices: workspaces.map(({ id, name }) => ({ value: id, label: name })),
      },
      role: { label: t.usersRole, choices: roleChoices(t) },
      operator: { label: t.usersOperatorLabel, help: t.usersOperatorHelp },
      sender: { label: t.usersSender, help: t.usersSenderHelp },
    },
    to: `${BASE}/users/invite`,
    button: t.usersInvite,
    sent,
  });
};

/** Everybody who may sign in or is invited, and the form that invites. */
export function usersView(visit: Visit, of: UsersPage): Html {
  const { t } = visit;
  return html`<h1>${t.navUsers}</h1>
    <p><a href="${BASE}/users/keys">${t.adminKeysTitle}</a></p>
    ${table(
      t.navUsers,
      of.people,
      [
        {
          title: t.usersPerson,
          cell: (one) => personCell(one, `${BASE}/users/${encodeURIComponent(one.email)}`),
        },
        { title: t.usersStatus, cell: (one) => statusTag(t, one) },
        { title: t.usersRoles, cell: (one) => rolesText(visit, one, of.workspaces) || null },
        { title: t.meSecond, cell: (one) => (one.second_factor ? t.meOn : t.meOff) },
        { title: t.usersSince, cell: (one) => time(t, one.created_at), is: 'time' },
      ],
      t.usersNone,
    )}
    <h2>${t.usersInviteTitle}</h2>
    <p>${t.usersInviteAbout}</p>
    ${inviteForm(visit, of)}`;
}
