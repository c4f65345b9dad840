import type { Fault, Operation } from '../../operations/definition';
import { WEBHOOK } from '../../operations/webhooks/webhook';
import { filtersOf } from '../kit/filters';
import { boxesOf, sentOf, wibTimeOf, type Sent } from '../kit/forms';
import { ownOf, workspaceOf } from '../kit/workspace-scope';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { attemptsPart, deliveryView } from './deliveries';
import type { Webhook } from './tags';
import { listView, madeView, webhookView } from './views';

/** Deliveries of a page. */
const LIMIT = 50;

async function showList(visit: Visit, sent: Sent | null = null): Promise<Answer> {
  const { data } = await visit.read(WEBHOOK.list, { workspace: workspaceOf(visit) });
  return page(visit.t.webhooksTitle, listView(visit, data, sent), sent ? 422 : 200);
}

/** A form with boxes for events, as it was sent. */
const sent = ({ form }: Visit, fault: Fault): Sent => ({
  values: { ...sentOf(form), events: boxesOf(form, 'events') },
  fault,
});

const create = action('/webhooks/create', 'developer', async (visit) => {
  const more = { workspace: workspaceOf(visit), events: boxesOf(visit.form, 'events') };
  const done = await visit.submit(WEBHOOK.create, more);
  if (!done.ok) return showList(visit, sent(visit, done.fault));
  return page(visit.t.webhooksMade, madeView(visit, done.json));
});

const own = async (visit: Visit): Promise<Webhook> =>
  ownOf(visit, await visit.read(WEBHOOK.show, { webhook: visit.id }));

async function showWebhook(visit: Visit, of: Webhook, refused: Sent | null = null): Promise<Answer> {
  const filters = filtersOf(visit.query, ['state', 'event', 'page']);
  const done = await visit.perform(WEBHOOK.deliveries, { webhook: of.id, limit: LIMIT, ...filters });
  const listed = done.ok ? done.json : null;
  const why = done.ok ? null : done.fault.message;
  const main = webhookView(visit, of, { listed, why, sent: refused });
  return page(of.url, main, why === null && !refused ? 200 : 422);
}

/** What a button of a webhook's page does. */
const doing = (
  name: string,
  operation: Operation<{ webhook: number }>,
  notice: 'webhooksTested' | 'webhooksSwitched',
): Screen =>
  action(`/webhooks/:id/${name}`, 'developer', async (visit) => {
    const { id } = await own(visit);
    await visit.read(operation, { webhook: id });
    return redirect(`${visit.base}/webhooks/${id}`, visit.t[notice]);
  });

const remove = action('/webhooks/:id/delete', 'developer', async (visit) => {
  const { id } = await own(visit);
  await visit.read(WEBHOOK.delete, { webhook: id });
  return redirect(`${visit.base}/webhooks`, visit.t.webhooksDeleted);
});

const replay = action('/webhooks/:id/replay', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const of = await own(visit);
  const times = { from: wibTimeOf(form, 'from'), to: wibTimeOf(form, 'to') };
  const more = { webhook: of.id, events: boxesOf(form, 'events') || null, ...times };
  const done = await visit.submit(WEBHOOK.replay, more);
  if (!done.ok) return showWebhook(visit, of, sent(visit, done.fault));
  const { queued, complete } = done.json;
  const said = complete ? t.webhooksReplayed : t.webhooksReplayedMore;
  return redirect(`${base}/webhooks/${of.id}`, filled(said, { n: queued }));
});

const showDelivery = screen('/webhooks/:id/deliveries/:delivery', 'developer', async (visit) => {
  const webhook = await own(visit);
  const input = { webhook: webhook.id, delivery: visit.params['delivery'] ?? '' };
  const of = await visit.read(WEBHOOK.delivery, input);
  const path = `${visit.base}/webhooks/${webhook.id}/deliveries/${of.id}`;
  if (visit.isPart) return { kind: 'part', main: attemptsPart(visit, path, of) };
  return page(`${visit.t.webhooksDelivery}: ${of.event}`, deliveryView(visit, webhook, of));
});

const retry = action('/webhooks/:id/deliveries/:delivery/retry', 'developer', async (visit) => {
  const { id } = await own(visit);
  const delivery = visit.params['delivery'] ?? '';
  await visit.read(WEBHOOK.retry, { webhook: id, delivery });
  return redirect(`${visit.base}/webhooks/${id}/deliveries/${delivery}`, visit.t.webhooksRetried);
});

export const WEBHOOKS: readonly Screen[] = [
  screen('/webhooks', 'developer', (visit) => showList(visit)),
  create,
  screen('/webhooks/:id', 'developer', async (visit) => showWebhook(visit, await own(visit))),
  doing('test', WEBHOOK.test, 'webhooksTested'),
  doing('enable', WEBHOOK.enable, 'webhooksSwitched'),
  doing('disable', WEBHOOK.disable, 'webhooksSwitched'),
  remove,
  replay,
  showDelivery,
  retry,
];
