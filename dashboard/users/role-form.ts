import { WORKSPACE_ROLES } from '../../domain/people/role';
import { html, NOTHING, type Html } from '../kit/html';
import type { Texts } from '../texts/texts';

interface RoleForm {
  to: string;
  email: string;
  workspace: { id: number; name: string };
  /** The role now. */
  role: string;
}

/** Changes the role of a member of a workspace, in a line of a table. */
export const roleForm = (t: Texts, csrf: Html, { to, email, workspace, role }: RoleForm): Html =>
  html`<form class="row flat" method="post" action="${to}">
    ${csrf}<input type="hidden" name="email" value="${email}" /><input
      type="hidden"
      name="workspace"
      value="${workspace.id}"
    />
    <select name="role" aria-label="${t.usersRoleOf} ${email}, ${workspace.name}">
      ${WORKSPACE_ROLES.map((one) => html`<option ${one === role ? html` selected` : NOTHING}>${one}</option>`)}
    </select>
    <button class="plain">${t.save}</button>
  </form>`;
