import type { Fault } from '../../operations/definition';
import { filtersOf } from '../kit/filters';
import { boxesOf, inputOf, sentOf, wibTimeOf } from '../kit/forms';
import { readOwn, workspaceOf } from '../kit/own';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { attemptsPart, deliveryView } from './deliveries';
import type { Listed, ShownDelivery, Webhook } from './shape';
import { listView, madeView, webhookView, type Sent } from './views';

/** Deliveries of a page. */
const LIMIT = 50;

async function showList(visit: Visit, sent: Sent | null = null): Promise<Answer> {
  const { data } = await visit.read<{ data: Webhook[] }>('webhook.list', { workspace: workspaceOf(visit) });
  return page(visit.t.webhooksTitle, await listView(visit, data, sent), sent ? 422 : 200);
}

/** A form with boxes for events, as it was sent. */
const sent = ({ form }: Visit, why: Fault): Sent => ({
  values: { ...sentOf(form), events: boxesOf(form, 'events') },
  why,
});

const create = action('/webhooks/create', 'developer', async (visit) => {
  const { form, t } = visit;
  const more = { workspace: workspaceOf(visit), events: boxesOf(form, 'events') };
  const done = await visit.perform('webhook.create', await inputOf('webhook.create', form, more));
  if (!done.ok) return showList(visit, sent(visit, done.fault));
  return page(t.webhooksMade, madeView(visit, done.json as unknown as { id: number; url: string; secret: string }));
});

const idOf = ({ params }: Visit): string => params['id'] ?? '';
const own = (visit: Visit): Promise<Webhook> => readOwn(visit, 'webhook.show', { webhook: idOf(visit) });

async function showWebhook(visit: Visit, of: Webhook, refused: Sent | null = null): Promise<Answer> {
  const filters = filtersOf(visit.query, ['state', 'event', 'page']);
  const done = await visit.perform('webhook.deliveries', { webhook: of.id, limit: LIMIT, ...filters });
  const listed = done.ok ? (done.json as unknown as Listed) : null;
  const why = done.ok ? null : done.fault.message;
  const main = await webhookView(visit, of, { listed, why, sent: refused });
  return page(of.url, main, why === null && !refused ? 200 : 422);
}

/** What a button of a webhook's page does. */
const doing = (name: 'test' | 'enable' | 'disable', notice: 'webhooksTested' | 'webhooksSwitched'): Screen =>
  action(`/webhooks/:id/${name}`, 'developer', async (visit) => {
    const { id } = await own(visit);
    await visit.read(`webhook.${name}`, { webhook: id });
    return redirect(`${visit.base}/webhooks/${id}`, visit.t[notice]);
  });

const remove = action('/webhooks/:id/delete', 'developer', async (visit) => {
  const { id } = await own(visit);
  await visit.read('webhook.delete', { webhook: id });
  return redirect(`${visit.base}/webhooks`, visit.t.webhooksDeleted);
});

const replay = action('/webhooks/:id/replay', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const times = { from: wibTimeOf(form, 'from'), to: wibTimeOf(form, 'to') };
  const more = { webhook: of.id, events: boxesOf(form, 'events') || null, ...times };
  const done = await visit.perform('webhook.replay', await inputOf('webhook.replay', form, more));
  if (!done.ok) return showWebhook(visit, of, sent(visit, done.fault));
  const { queued, complete } = done.json as unknown as { queued: number; complete: boolean };
  const said = complete ? t.webhooksReplayed : t.webhooksReplayedMore;
  return redirect(`${base}/webhooks/${of.id}`, filled(said, { n: queued }));
});

const showDelivery = screen('/webhooks/:id/deliveries/:delivery', 'developer', async (visit) => {
  const webhook = await own(visit);
  const input = { webhook: webhook.id, delivery: visit.params['delivery'] ?? '' };
  const of = await visit.read<ShownDelivery>('webhook.delivery', input);
  const path = `${visit.base}/webhooks/${webhook.id}/deliveries/${of.id}`;
  if (visit.isPart) return { kind: 'part', main: attemptsPart(visit, path, of) };
  return page(`${visit.t.webhooksDelivery}: ${of.event}`, deliveryView(visit, webhook, of));
});

const retry = action('/webhooks/:id/deliveries/:delivery/retry', 'developer', async (visit) => {
  const { id } = await own(visit);
  const delivery = visit.params['delivery'] ?? '';
  await visit.read('webhook.retry', { webhook: id, delivery });
  return redirect(`${visit.base}/webhooks/${id}/deliveries/${delivery}`, visit.t.webhooksRetried);
});

export const WEBHOOKS: readonly Screen[] = [
  screen('/webhooks', 'developer', (visit) => showList(visit)),
  create,
  screen('/webhooks/:id', 'developer', async (visit) => showWebhook(visit, await own(visit))),
  doing('test', 'webhooksTested'),
  doing('enable', 'webhooksSwitched'),
  doing('disable', 'webhooksSwitched'),
  remove,
  replay,
  showDelivery,
  retry,
];
