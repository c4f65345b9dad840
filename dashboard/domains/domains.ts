import type { Fault } from '../../operations/definition';
import { inputOf, sentOf } from '../kit/forms';
import { readOwn, workspaceOf } from '../kit/own';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { recordsView } from './records';
import type { Domain, Looked, ShownDomain } from './shape';
import { domainView, listView, type Tried } from './views';
import type { WarmupPlan } from './warmup';

async function showList(visit: Visit, sent: { values: object; why: Fault } | null = null): Promise<Answer> {
  const { data } = await visit.read<{ data: Domain[] }>('domain.list', { workspace: workspaceOf(visit) });
  return page(visit.t.domainsTitle, await listView(visit, data, sent), sent ? 422 : 200);
}

const add = action('/domains/add', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const done = await visit.perform('domain.add', await inputOf('domain.add', form, { workspace: workspaceOf(visit) }));
  if (!done.ok) return showList(visit, { values: sentOf(form), why: done.fault });
  const { id, domain } = done.json as unknown as Domain;
  return redirect(`${base}/domains/${id}`, filled(t.domainsAddDone, { domain }));
});

/** The domain in the address, by its id. */
const own = (visit: Visit): Promise<ShownDomain> => readOwn(visit, 'domain.show', { domain: visit.params['id'] ?? '' });

async function showDomain(visit: Visit, of: ShownDomain, tried: Tried): Promise<Answer> {
  const plan = await visit.read<WarmupPlan>('warmup.plan', { domain: of.id });
  return page(of.domain, domainView(visit, of, plan, tried), tried.why === null ? 200 : 422);
}

const show = screen('/domains/:id', 'viewer', async (visit) => {
  const of = await own(visit);
  const looked = visit.query['look'] === undefined ? null : await visit.read<Looked>('domain.check', { domain: of.id });
  if (visit.isPart) return { kind: 'part', main: recordsView(visit, of, looked) };
  return showDomain(visit, of, { looked, why: null });
});

const activate = action('/domains/:id/activate', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const done = await visit.perform('domain.activate', await inputOf('domain.activate', form, { domain: of.id }));
  if (!done.ok) return showDomain(visit, of, { looked: null, why: done.fault.message });
  const looked = done.json as unknown as Looked;
  if (looked.ok === false) {
    return showDomain(visit, { ...of, status: looked.status }, { looked, why: t.domainsNotYet });
  }
  return redirect(`${base}/domains/${of.id}`, filled(t.domainsActivated, { domain: of.domain }));
});

const suspend = action('/domains/:id/suspend', 'developer', async (visit) => {
  const { id, domain } = await own(visit);
  await visit.read('domain.suspend', { domain: id });
  return redirect(`${visit.base}/domains/${id}`, filled(visit.t.domainsSuspendDone, { domain }));
});

const set = action('/domains/:id/set', 'developer', async (visit) => {
  const { id } = await own(visit);
  await visit.read('domain.set', await inputOf('domain.set', visit.form, { domain: id }));
  return redirect(`${visit.base}/domains/${id}`, visit.t.domainsSaved);
});

const ROTATED = {
  pending: 'domainsKeyMade',
  activated: 'domainsKeyActivated',
  cancelled: 'domainsKeyCancelled',
} as const;

const rotate = action('/domains/:id/rotate', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const done = await visit.perform('domain.rotate', await inputOf('domain.rotate', form, { domain: of.id }));
  if (!done.ok) return showDomain(visit, of, { looked: null, why: done.fault.message, rotating: true });
  const { rotation, ...looked } = done.json as unknown as Looked & { rotation: keyof typeof ROTATED };
  if (rotation === 'pending' && looked.records.length > 0)
    return showDomain(visit, of, { looked, why: t.domainsKeyNotYet, rotating: true });
  return redirect(`${base}/domains/${of.id}`, filled(t[ROTATED[rotation]], { domain: of.domain }));
});

const warmup = action('/domains/:id/warmup', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const isEnd = form.has('stop');
  const done = isEnd
    ? await visit.perform('warmup.stop', { domain: of.id })
    : await visit.perform('warmup.start', { domain: of.id });
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
