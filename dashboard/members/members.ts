import { USER } from '../../operations/people/user';
import { refusedForm, type Sent } from '../kit/forms';
import { BASE } from '../kit/cookies';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { linkPage } from '../users/link-page';
import { membersView } from './views';

const pathOf = ({ base }: Visit): string => `${base}/settings/members`;

async function show(visit: Visit, sent: Sent | null = null): Promise<Answer> {
  const { data } = await visit.read(USER.list, { workspace: workspaceOf(visit) });
  const main = membersView(visit, { people: data, path: pathOf(visit), sent });
  return page(visit.t.membersTitle, main, sent ? 422 : 200);
}

const list = screen('/settings/members', 'owner', (visit) => show(visit));

const invite = action('/settings/members/invite', 'owner', async (visit) => {
  const { t } = visit;
  // The workspace is that of the address, and this is no place to make operators.
  const more = { workspace: workspaceOf(visit), operator: false };
  const done = await visit.submit(USER.invite, more);
  if (!done.ok) return show(visit, refusedForm(visit, done.fault));
  const { email, link, mailed } = done.json;
  const said = { title: t.usersInvitation, about: t.usersInvitationAbout };
  return linkPage(visit, { ...said, email, link, mailed, back: pathOf(visit) });
});

const role = action('/settings/members/role', 'owner', async (visit) => {
  const { form, t } = visit;
  const email = fieldOf(form, 'email');
  const input = { email, role: fieldOf(form, 'role'), workspace: workspaceOf(visit) };
  const done = await visit.perform(USER.role, input);
  return done.ok
    ? redirect(pathOf(visit), filled(t.usersSaved, { email }))
    : show(visit, { fault: { ...done.fault, field: null }, values: {} });
});

const remove = action('/settings/members/remove', 'owner', async (visit) => {
  const { form, t, user, access, workspace } = visit;
  const email = fieldOf(form, 'email');
  const done = await visit.perform(USER.remove, { email, workspace: workspaceOf(visit) });
  if (!done.ok) return show(visit, { fault: { ...done.fault, field: null }, values: {} });
  const isGone = email === user.id && !access.may('operator', null);
  return redirect(isGone ? BASE : pathOf(visit), filled(t.membersRemoved, { email, workspace: workspace?.name ?? '' }));
});

/** Who may do what in a workspace. */
export const MEMBERS: readonly Screen[] = [list, invite, role, remove];
