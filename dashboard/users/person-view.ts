import type { Fault } from '../../operations/definition';
import type { PersonView as Person } from '../../operations/people/user-view';
import { BASE } from '../kit/cookies';
import { html, NOTHING, type Html } from '../kit/html';
import { button, facts, fault as faultView, LABEL, QUESTION, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { provedText, statusTag } from './person';
import { roleForm } from './role-form';
import type { NamedWorkspace } from './views';

interface PersonPage {
  person: Person;
  workspaces: readonly NamedWorkspace[];
  /** Where the page lies, and its forms below it. */
  path: string;
  fault: Fault | null;
}

function rolesTable({ t, csrf }: Visit, { person, workspaces, path }: PersonPage): Html {
  const { email, roles, status } = person;
  const rows = roles.map(({ workspace_id: id, role }) => ({
    role,
    workspace: workspaces.find((one) => one.id === id) ?? { id, name: String(id) },
  }));
  const isMember = status !== 'invited';
  return table(
    t.usersRoles,
    rows,
    [
      { title: t.usersWorkspace, cell: ({ workspace }) => workspace.name },
      {
        title: t.usersRole,
        cell: ({ role, workspace }) =>
          isMember ? roleForm(t, csrf, { to: `${path}/role`, email, workspace, role }) : role,
      },
      {
        title: t.actions,
        cell: ({ workspace }) =>
          button(csrf, {
            to: `${path}/remove`,
            label: isMember ? t.usersRemove : t.usersWithdraw,
            confirm: filled(isMember ? t.usersRemoveSure : t.usersWithdrawSure, { email, workspace: workspace.name }),
            fields: { workspace: workspace.id },
            kind: 'danger',
          }),
      },
    ],
    t.usersNoRoles,
  );
}

function resetForm({ t, csrf }: Visit, { path, person }: PersonPage): Html {
  const question = filled(t.usersResetSure, { email: person.email });
  return html`<h2>${t.usersReset}</h2>
    <p>${t.usersResetHelp}</p>
    <form class="fields" method="post" action="${path}/reset" data-confirm="${question}">
      ${csrf}<input type="hidden" name="${QUESTION}" value="${question}" /><input
        type="hidden"
        name="${LABEL}"
        value="${t.usersResetButton}"
      />${
        person.second_factor
          ? html`<label><input type="checkbox" name="second_factor" value="on" />${t.usersResetFactor}</label>`
          : NOTHING
      }
      <label><input type="checkbox" name="keep_passkeys" value="on" />${t.usersResetKeep}</label>
      <div>
        <label for="reset-sender">${t.usersResetSender}</label><input id="reset-sender" name="sender" maxlength="253" />
        <p class="help">${t.usersSenderHelp}</p>
      </div>
      <p><button class="plain">${t.usersResetButton}</button></p>
    </form>`;
}

const operatorButton = ({ t, csrf }: Visit, { path, person }: PersonPage): Html =>
  button(csrf, {
    to: `${path}/operator`,
    label: person.operator ? t.usersOperatorOff : t.usersOperatorOn,
    confirm: filled(person.operator ? t.usersOperatorOffSure : t.usersOperatorOnSure, { email: person.email }),
    fields: { operator: person.operator ? 'off' : 'on' },
    ...(person.operator && { kind: 'danger' }),
  });

const withdrawButton = ({ t, csrf }: Visit, { path, person: { email } }: PersonPage): Html =>
  html`<div class="acts">
    ${button(csrf, {
      to: `${path}/remove`,
      label: t.usersWithdraw,
      confirm: filled(t.usersWithdrawOperatorSure, { email }),
      fields: { operator: 'on' },
      kind: 'danger',
    })}
  </div>`;

const signInButton = ({ t, csrf }: Visit, { path, person: { status, email } }: PersonPage): Html =>
  status === 'disabled'
    ? button(csrf, { to: `${path}/enable`, label: t.usersEnable })
    : button(csrf, {
        to: `${path}/disable`,
        label: t.usersDisable,
        confirm: filled(t.usersDisableSure, { email }),
        kind: 'danger',
      });

/** One person: the roles, and what an operator may do to the account. */
export function personView(visit: Visit, of: PersonPage): Html {
  const { t } = visit;
  const { person, fault } = of;
  const { email, name, second_factor: factor, operator, created_at: since } = person;
  return html`<p><a href="${BASE}/users">${t.navUsers}</a></p>
    <h1>${name ?? email}</h1>
    ${faultView(fault?.message ?? null)}
    ${facts([
      [t.signInEmail, email],
      [t.usersStatus, statusTag(t, person)],
      [t.usersOperator, operator ? t.yes : t.no],
      [t.meSecond, factor ? t.meOn : t.meOff],
      person.status !== 'invited' && [t.usersProved, provedText(t, person)],
      [t.usersSince, time(t, since)],
    ])}
    <h2>${t.usersRoles}</h2>
    ${rolesTable(visit, of)}
    ${
      person.status === 'invited'
        ? operator === true && withdrawButton(visit, of)
        : html`${resetForm(visit, of)}
            <h2>${t.usersAccount}</h2>
            <div class="acts">${operatorButton(visit, of)}${signInButton(visit, of)}</div>`
    }`;
}
