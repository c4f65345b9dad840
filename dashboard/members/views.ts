import { USER } from '../../operations/people/user';
import type { PersonView as Person } from '../../operations/people/user-view';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { button, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { personCell, roleChoices, statusTag } from '../users/person';
import { roleForm } from '../users/role-form';

interface MembersPage {
  people: readonly Person[];
  path: string;
  sent: Sent | null;
}

function membersTable({ t, csrf, workspace }: Visit, { people, path }: MembersPage): Html {
  const { id, name } = workspace ?? { id: 0, name: '' };
  const roleOf = ({ roles }: Person): string => roles[0]?.role ?? '';
  return table(
    t.membersTitle,
    people,
    [
      { title: t.usersPerson, cell: (one) => personCell(one, null) },
      { title: t.usersStatus, cell: (one) => statusTag(t, one) },
      {
        title: t.usersRole,
        cell: (one) =>
          one.status === 'invited'
            ? roleOf(one)
            : roleForm(t, csrf, { to: `${path}/role`, email: one.email, workspace: { id, name }, role: roleOf(one) }),
      },
      { title: t.meSecond, cell: (one) => (one.second_factor ? t.meOn : t.meOff) },
      { title: t.usersSince, cell: (one) => time(t, one.created_at), is: 'time' },
      {
        title: t.actions,
        cell: ({ email, status }) => {
          const isInvited = status === 'invited';
          return button(csrf, {
            to: `${path}/remove`,
            label: isInvited ? t.usersWithdraw : t.usersRemove,
            confirm: filled(isInvited ? t.usersWithdrawSure : t.usersRemoveSure, { email, workspace: name }),
            fields: { email },
            kind: 'danger',
          });
        },
      },
    ],
    t.membersNone,
  );
}

/** The members of a workspace, and the form that invites one. */
export function membersView(visit: Visit, of: MembersPage): Html {
  const { t } = visit;
  return html`<h1>${t.membersTitle}</h1>
    <p class="soft">${t.membersAbout}</p>
    ${membersTable(visit, of)}
    <h2>${t.usersInviteTitle}</h2>
    <p>${t.usersInviteAbout}</p>
    ${formOf(visit, {
      operation: USER.invite,
      fields: { email: { label: t.signInEmail }, role: { label: t.usersRole, choices: roleChoices(t) } },
      to: `${of.path}/invite`,
      button: t.usersInvite,
      sent: of.sent,
    })}`;
}
