import { BASE } from '../kit/cookies';
import { inputOf, sentOf } from '../kit/forms';
import { Refused } from '../kit/perform';
import { action, fieldOf, ofInstallation, page, redirect, screen, type Screen, type Visit } from '../kit/screen';
import type { Fault } from '../../operations/definition';
import { filled } from '../texts/texts';
import { linkPage } from './link-page';
import type { Person } from './person';
import { personView } from './person-view';
import { usersView, type NamedWorkspace } from './views';

const USERS = `${BASE}/users`;

/** What `user.reset` answers, as far as it is shown. */
interface Reset {
  link: string;
  mailed: boolean;
  passkeys_removed: readonly string[];
}

const pathOf = (email: string): string => `${USERS}/${encodeURIComponent(email)}`;

const workspacesOf = async (visit: Visit): Promise<readonly NamedWorkspace[]> =>
  (await visit.read<{ data: NamedWorkspace[] }>('workspace.list', {})).data;

async function showAll(visit: Visit, sent?: { values: Record<string, unknown>; fault: Fault }) {
  const { data } = await visit.read<{ data: Person[] }>('user.list', {});
  const main = await usersView(visit, { people: data, workspaces: await workspacesOf(visit), ...(sent && { sent }) });
  return page(visit.t.navUsers, main, sent ? 422 : 200);
}

const list = ofInstallation(screen('/users', 'operator', (visit) => showAll(visit)));

const invite = ofInstallation(
  action('/users/invite', 'operator', async (visit) => {
    const { form, t } = visit;
    const done = await visit.perform('user.invite', await inputOf('user.invite', form));
    if (!done.ok) return showAll(visit, { values: sentOf(form), fault: done.fault });
    const { email, link, mailed } = done.json as { email: string; link: string; mailed: boolean };
    const said = { title: t.usersInvitation, about: t.usersInvitationAbout };
    return linkPage(visit, { ...said, email, link, mailed, back: USERS });
  }),
);

async function showOne(visit: Visit, email: string, fault: Fault | null = null) {
  const { data } = await visit.read<{ data: Person[] }>('user.list', {});
  const person = data.find((one) => one.email === email);
  if (!person) throw new Refused({ status: 404, message: '', field: null });
  const main = personView(visit, { person, workspaces: await workspacesOf(visit), path: pathOf(email), fault });
  return page(email, main, fault ? 422 : 200);
}

const one = ofInstallation(screen('/users/:email', 'operator', (visit) => showOne(visit, visit.params['email'] ?? '')));

/** A form of the page of one person: does an operation and shows the page again. */
const change = (path: string, name: string, notice: 'usersSaved' | 'usersRemoved', more: object = {}): Screen =>
  ofInstallation(
    action(`/users/:email/${path}`, 'operator', async (visit) => {
      const { form, t, params } = visit;
      const email = params['email'] ?? '';
      const done = await visit.perform(name, { ...(await inputOf(name, form)), ...more, email });
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
    const done = await visit.perform('user.reset', input);
    if (!done.ok) return showOne(visit, email, done.fault);
    const { link, mailed, passkeys_removed: ended } = done.json as unknown as Reset;
    const said = { title: t.usersReset, about: t.usersResetAbout, back: pathOf(email) };
    return linkPage(visit, { ...said, email, link, ...(sender !== null && { mailed }), ended });
  }),
);

/** Who may sign in to the installation. */
export const USERS_SCREENS: readonly Screen[] = [
  ...[list, invite, one, reset],
  change('role', 'user.role', 'usersSaved'),
  change('remove', 'user.remove', 'usersRemoved'),
  change('operator', 'user.role', 'usersSaved'),
  change('disable', 'user.disable', 'usersSaved'),
  change('enable', 'user.enable', 'usersSaved'),
];
