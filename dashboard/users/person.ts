import { WORKSPACE_ROLES } from '../../domain/people/role';
import type { PersonView as Person } from '../../operations/people/user-view';
import { html, NOTHING, type Html } from '../kit/html';
import { tag } from '../kit/components';
import type { Texts } from '../texts/texts';

/** The name of a person, with the address below. */
export const personCell = ({ name, email }: Pick<Person, 'name' | 'email'>, href: string | null): Html => {
  const shown = name ?? email;
  const link = href === null ? html`${shown}` : html`<a href="${href}">${shown}</a>`;
  return html`${link}${name === null ? NOTHING : html`<br /><small class="soft">${email}</small>`}`;
};

/** Whether somebody may sign in. */
export function statusTag(t: Texts, { status }: Person): Html {
  if (status === 'invited') return tag(t.usersInvited, 'warn');
  return status === 'active' ? tag(t.usersActive, 'good') : tag(t.usersDisabled, 'bad');
}

/** Whether the owner of the address has answered from it, and who says so. */
export function provedText(t: Texts, { address_proved: isProved, vouched_by: by }: Person): string {
  if (!isProved) return by === 'operator' ? t.usersProvedByOperator : t.usersNotProved;
  return by === 'mail' ? t.usersProvedByMail : t.usersProvedByProvider;
}

/** The roles within a workspace, with what each may do. */
export const roleChoices = (t: Texts): { value: string; label: string }[] => {
  const about = { viewer: t.usersViewer, editor: t.usersEditor, developer: t.usersDeveloper, owner: t.usersOwner };
  return WORKSPACE_ROLES.map((value) => ({ value, label: `${value}: ${about[value]}` }));
};
