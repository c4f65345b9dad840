import type { Operation } from '../../operations/definition';
import { COINS } from '../../operations/ledger/coins';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { BASE } from '../kit/cookies';
import { filtersOf } from '../kit/filters';
import { refusedForm, type Sent } from '../kit/forms';
import type { Html } from '../kit/html';
import { count, facts } from '../kit/components';
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
import { listView, workspaceView, type SentTo } from './views';

const PATH = `${BASE}/workspaces`;
const LIMIT = 50;

async function showList(visit: Visit, sent: Sent | null): Promise<Answer> {
  const filters = filtersOf(visit.query, ['name', 'after']);
  const listed = await visit.read(WORKSPACE.list, { limit: LIMIT, ...filters });
  return page(visit.t.workspacesTitle, listView(visit, listed, sent), sent ? 422 : 200);
}

/** The workspace in the address. */
const chosen = ({ id }: Visit) => ({ workspace: id });

async function showOne(visit: Visit, sent: SentTo): Promise<Answer> {
  const of = await visit.read(WORKSPACE.show, chosen(visit));
  return page(of.name, workspaceView(visit, of, sent), sent ? 422 : 200);
}

/** What a form of a workspace does; `said`: the notice after it. */
const acting = <J extends object>(
  path: string,
  operation: Operation<{ workspace: string; state: boolean; coins: string }, J>,
  said: (visit: Visit, answer: J) => string,
): Screen =>
  action(`/workspaces/:id/${path}`, 'operator', async (visit) => {
    const done = await visit.submit(operation, chosen(visit));
    if (done.ok) return redirect(`${PATH}/${chosen(visit).workspace}`, said(visit, done.json));
    return showOne(visit, { path, sent: refusedForm(visit, done.fault) });
  });

const changed =
  (text: (visit: Visit) => string) =>
  (visit: Visit, { name }: { name: string }): string =>
    filled(text(visit), { name });
const booked = ({ t }: Visit, { coins, workspace: { name } }: { coins: number; workspace: { name: string } }): string =>
  filled(t.workspacesBooked, { coins, name });

/** Whose coins, how many, and the balance after. */
async function bookingFacts(visit: Visit): Promise<Html> {
  const { t, language, form } = visit;
  const { name, coins } = await visit.read(WORKSPACE.show, chosen(visit));
  const amount = Number(fieldOf(form, 'coins'));
  return facts([
    [t.workspacesFind, name],
    [t.workspacesBookedCoins, count(amount, language)],
    [t.workspacesBalanceNow, count(coins, language)],
    [t.workspacesBalanceAfter, count(coins + amount, language)],
  ]);
}

const create = action('/workspaces', 'operator', async (visit) => {
  const done = await visit.submit(WORKSPACE.create, {});
  if (!done.ok) return showList(visit, refusedForm(visit, done.fault));
  const { id, name } = done.json;
  return redirect(`${PATH}/${id}`, filled(visit.t.workspacesCreated, { name }));
});

export const WORKSPACES: readonly Screen[] = [
  screen('/workspaces', 'operator', (visit) => showList(visit, null)),
  create,
  screen('/workspaces/:id', 'operator', (visit) => showOne(visit, null)),
  acting(
    'suspend',
    WORKSPACE.suspend,
    changed(({ t }) => t.workspacesSuspended),
  ),
  acting(
    'resume',
    WORKSPACE.resume,
    changed(({ t }) => t.workspacesResumed),
  ),
  acting(
    'module',
    WORKSPACE.module,
    changed(({ t }) => t.workspacesModuleSaved),
  ),
  acting(
    'rate',
    WORKSPACE.rate,
    changed(({ t }) => t.workspacesRateSaved),
  ),
  { ...acting('top-up', COINS.topUp, booked), facts: bookingFacts },
  { ...acting('grant', COINS.grant, booked), facts: bookingFacts },
].map(ofInstallation);
