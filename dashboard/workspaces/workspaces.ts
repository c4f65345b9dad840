import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { inputOf, sentOf } from '../kit/forms';
import type { Html } from '../kit/html';
import { count, facts } from '../kit/parts';
import {
  action,
  fieldOf,
  ofInstallation,
  page,
  redirect,
  screen,
  type Answer,
  type Screen,
  type Visit,
} from '../kit/screen';
import { filled } from '../texts/texts';
import type { Listed, ShownWorkspace, Workspace } from './shape';
import { listView, workspaceView, type Sent } from './views';

const PATH = `${BASE}/workspaces`;
const LIMIT = 50;

async function showList(visit: Visit, sent: Sent | null): Promise<Answer> {
  const filters = filtersOf(visit.query, ['name', 'after']);
  const listed = await visit.read<Listed>('workspace.list', { limit: LIMIT, ...filters });
  return page(visit.t.workspacesTitle, await listView(visit, listed, sent), sent ? 422 : 200);
}

async function showOne(visit: Visit, sent: Sent | null): Promise<Answer> {
  const of = await visit.read<ShownWorkspace>('workspace.show', { workspace: visit.params['id'] });
  return page(of.name, await workspaceView(visit, of, sent), sent ? 422 : 200);
}

/** What a form of a workspace does; `said`: the notice after it. */
const acting = (path: string, operation: string, said: (visit: Visit, answer: Answered) => string): Screen =>
  action(`/workspaces/:id/${path}`, 'operator', async (visit) => {
    const workspace = visit.params['id'];
    const done = await visit.perform(operation, await inputOf(operation, visit.form, { workspace }));
    if (done.ok) return redirect(`${PATH}/${workspace}`, said(visit, done.json as unknown as Answered));
    return showOne(visit, { operation, values: sentOf(visit.form), fault: done.fault });
  });

/** What the operations answer, as far as notices need it. */
interface Answered {
  name: string;
  workspace: { name: string };
  coins: number;
}

const changed =
  (what: (visit: Visit) => string) =>
  (visit: Visit, { name }: Answered): string =>
    filled(visit.t.workspacesChanged, { name, what: what(visit) });
const booked = ({ t }: Visit, { coins, workspace: { name } }: Answered): string =>
  filled(t.workspacesBooked, { coins, name });

/** Whose coins, how many, and the balance after. */
async function bookingFacts(visit: Visit): Promise<Html> {
  const { t, language, form, params } = visit;
  const { name, coins } = await visit.read<ShownWorkspace>('workspace.show', { workspace: params['id'] });
  const amount = Number(fieldOf(form, 'coins'));
  return facts([
    [t.workspacesFind, name],
    [t.workspacesBookedCoins, count(amount, language)],
    [t.workspacesBalanceNow, count(coins, language)],
    [t.workspacesBalanceAfter, count(coins + amount, language)],
  ]);
}

const create = action('/workspaces', 'operator', async (visit) => {
  const done = await visit.perform('workspace.create', await inputOf('workspace.create', visit.form));
  if (!done.ok) {
    return showList(visit, { operation: 'workspace.create', values: sentOf(visit.form), fault: done.fault });
  }
  const { id, name } = done.json as unknown as Workspace;
  return redirect(`${PATH}/${id}`, filled(visit.t.workspacesCreated, { name }));
});

export const WORKSPACES: readonly Screen[] = [
  screen('/workspaces', 'operator', (visit) => showList(visit, null)),
  create,
  screen('/workspaces/:id', 'operator', (visit) => showOne(visit, null)),
  acting(
    'suspend',
    'workspace.suspend',
    changed(({ t }) => t.workspacesSuspend),
  ),
  acting(
    'resume',
    'workspace.resume',
    changed(({ t }) => t.workspacesResume),
  ),
  acting(
    'module',
    'workspace.module',
    changed(({ t }) => t.workspacesModule),
  ),
  acting(
    'rate',
    'workspace.rate',
    changed(({ t }) => t.workspacesRate),
  ),
  { ...acting('top-up', 'coins.top-up', booked), facts: bookingFacts },
  { ...acting('grant', 'coins.grant', booked), facts: bookingFacts },
].map(ofInstallation);
