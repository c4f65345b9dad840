import type { Fault, Operation } from '../../operations/definition';
import { USER } from '../../operations/people/user';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { BASE } from '../kit/cookies';
import { refusedForm, type Sent } from '../kit/forms';
import { Refused } from '../kit/perform';
import { action, fieldOf, ofInstallation, page, redirect, screen, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { linkPage } from './link-page';
import { personView } from './person-view';
import { usersView } from './views';

const USERS = `${BASE}/users`;

const pathOf = (email: string): string => `${USERS}/${encodeURIComponent(email)}`;

const workspacesOf = async (visit: Visit) => (await visit.read(WORKSPACE.list, {})).data;

async function showAll(visit: Visit, sent: Sent | null = null) {
  const { data } = await visit.read(USER.list, {});
  const main = usersView(visit, { people: data, workspaces: await workspacesOf(visit), sent });
  return page(visit.t.navUsers, main, sent ? 422 : 200);
}

const list = ofInstallation(screen('/users', 'operator', (visit) => showAll(visit)));

const invite = ofInstallation(
  action('/users/invite', 'operator', async (visit) => {
    const { t } = visit;
    const done = await visit.submit(USER.invite, {});
    if (!done.ok) return showAll(visit, refusedForm(visit, done.fault));
    const { email, link, mailed } = done.json;
    const said = { title: t.usersInvitation, about: t.usersInvitationAbout };
    return linkPage(visit, { ...said, email, link, mailed, back: USERS });
  }),
);

async function showOne(visit: Visit, email: string, fault: Fault | null = null) {
  const { data } = await visit.read(USER.list, {});
  const person = data.find((one) => one.email === email);
  if (!person) throw new Refused({ status: 404, message: '', field: null });
  const main = personView(visit, { person, workspaces: await workspacesOf(visit), path: pathOf(email), fault });
  return page(email, main, fault ? 422 : 200);
}

const one = ofInstallation(screen('/users/:email', 'operator', (visit) => showOne(visit, visit.params['email'] ?? '')));

/** A form of the page of one person: does an operation and shows the page again. */
const change = (path: string, operation: Operation<{ email: string }>, notice: 'usersSaved' | 'usersRemoved'): Screen =>
  ofInstallation(
    action(`/users/:email/${path}`, 'operator', async (visit) => {
      const { t, params } = visit;
      const email = params['email'] ?? '';
      const done = await visit.submit(operation, { email });
      if (!done.ok) return showOne(visit, email, done.fault);
      return redirect(notice === 'usersRemoved' ? USERS : pathOf(email), filled(t[notice], { email }));
    }),
  );

const reset = ofInstallation(
  action('/users/:email/reset', 'operator', async (visit) => {
    const { t, form, params } = visit;
    const email = params['email'] ?? '';
    const [secondFactor, keepPasskeys] = ['second_factor', 'keep_passkeys'].map((one) => fieldOf(form, one) === 'on');
    const sender = fieldOf(form, 'sender').trim() || null;
    const input = { email, second_factor: secondFactor, keep_passkeys: keepPasskeys, sender };
    const done = await visit.perform(USER.reset, input);
    if (!done.ok) return showOne(visit, email, done.fault);
    const { link, mailed, passkeys_removed: ended } = done.json;
    const said = { title: t.usersReset, about: t.usersResetAbout, back: pathOf(email) };
    return linkPage(visit, { ...said, email, link, ...(sender !== null && { mailed }), ended });
  }),
);

/** Who may sign in to the installation. */
export const USERS_SCREENS: readonly Screen[] = [
  ...[list, invite, one, reset],
  change('role', USER.role, 'usersSaved'),
  change('remove', USER.remove, 'usersRemoved'),
  change('operator', USER.role, 'usersSaved'),
  change('disable', USER.disable, 'usersSaved'),
  change('enable', USER.enable, 'usersSaved'),
];
