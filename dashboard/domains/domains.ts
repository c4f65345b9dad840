import { DOMAIN } from '../../operations/domains/domain';
import { WARMUP } from '../../operations/installation/installation';
import { refusedForm, type Sent } from '../kit/forms';
import { ownOf, workspaceOf } from '../kit/workspace-scope';
import { answered } from '../kit/perform';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { recordsView, type ShownDomain } from './records';
import { domainView, listView, type Tried } from './views';

async function showList(visit: Visit, sent: Sent | null = null): Promise<Answer> {
  const { data } = await visit.read(DOMAIN.list, { workspace: workspaceOf(visit) });
  return page(visit.t.domainsTitle, listView(visit, data, sent), sent ? 422 : 200);
}

const add = action('/domains/add', 'developer', async (visit) => {
  const done = await visit.submit(DOMAIN.add, { workspace: workspaceOf(visit) });
  if (!done.ok) return showList(visit, refusedForm(visit, done.fault));
  const { id, domain } = done.json;
  return redirect(`${visit.base}/domains/${id}`, filled(visit.t.domainsAddDone, { domain }));
});

/** The domain in the address, by its id. */
const own = async (visit: Visit): Promise<ShownDomain> =>
  ownOf(visit, await visit.read(DOMAIN.show, { domain: visit.id }));

async function showDomain(visit: Visit, of: ShownDomain, tried: Tried): Promise<Answer> {
  const plan = await visit.read(WARMUP.plan, { domain: of.id });
  return page(of.domain, domainView(visit, of, plan, tried), tried.why === null ? 200 : 422);
}

const show = screen('/domains/:id', 'viewer', async (visit) => {
  const of = await own(visit);
  const looked = visit.query['look'] === undefined ? null : await visit.read(DOMAIN.check, { domain: of.id });
  if (visit.isPart) return { kind: 'part', main: recordsView(visit, of, looked) };
  return showDomain(visit, of, { looked, why: null });
});

const activate = action('/domains/:id/activate', 'developer', async (visit) => {
  const { base, t } = visit;
  const of = await own(visit);
  const done = await visit.submit(DOMAIN.activate, { domain: of.id });
  if (!done.ok) return showDomain(visit, of, { looked: null, why: done.fault.message });
  const looked = done.json;
  if (looked.ok === false) {
    return showDomain(visit, { ...of, status: looked.status }, { looked, why: t.domainsNotYet });
  }
  return redirect(`${base}/domains/${of.id}`, filled(t.domainsActivated, { domain: of.domain }));
});

const suspend = action('/domains/:id/suspend', 'developer', async (visit) => {
  const { id, domain } = await own(visit);
  await visit.read(DOMAIN.suspend, { domain: id });
  return redirect(`${visit.base}/domains/${id}`, filled(visit.t.domainsSuspendDone, { domain }));
});

const set = action('/domains/:id/set', 'developer', async (visit) => {
  const { id } = await own(visit);
  answered(await visit.submit(DOMAIN.set, { domain: id }));
  return redirect(`${visit.base}/domains/${id}`, visit.t.domainsSaved);
});

const ROTATED = {
  pending: 'domainsKeyMade',
  activated: 'domainsKeyActivated',
  cancelled: 'domainsKeyCancelled',
} as const;

const rotate = action('/domains/:id/rotate', 'developer', async (visit) => {
  const { base, t } = visit;
  const of = await own(visit);
  const done = await visit.submit(DOMAIN.rotate, { domain: of.id });
  if (!done.ok) return showDomain(visit, of, { looked: null, why: done.fault.message, rotating: true });
  const { rotation, ...looked } = done.json;
  if (rotation === 'pending' && looked.records.length > 0)
    return showDomain(visit, of, { looked, why: t.domainsKeyNotYet, rotating: true });
  return redirect(`${base}/domains/${of.id}`, filled(t[ROTATED[rotation]], { domain: of.domain }));
});

const warmup = action('/domains/:id/warmup', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const isEnd = form.has('stop');
  const done = isEnd
    ? await visit.perform(WARMUP.stop, { domain: of.id })
    : await visit.perform(WARMUP.start, { domain: of.id });
  if (!done.ok) return showDomain(visit, of, { looked: null, why: done.fault.message });
  const said = isEnd ? t.domainsWarmupStopped : t.domainsWarmupStarted;
  return redirect(`${base}/domains/${of.id}`, filled(said, { domain: of.domain }));
});

export const DOMAINS: readonly Screen[] = [
  screen('/domains', 'viewer', (visit) => showList(visit)),
  add,
  show,
  activate,
  suspend,
  set,
  rotate,
  warmup,
];
