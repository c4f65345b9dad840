import type { Workspace } from '../../domain/settings/workspace';
import type { Webhook } from '../../domain/webhooks/webhook';
import { replay, retryDelivery, sendTest } from '../../operations/webhooks/redeliver';
import { deliveryAnswer, deliveryPageAnswer, presentDelivery, replayAnswer } from '../../schemas/responses/delivery';
import { validationMessage } from '../../schemas/rules/validation-messages';
import {
  deliveryListRules,
  deliveryListShape,
  replayRules,
  replayShape,
} from '../../schemas/webhooks/webhook-requests';
import type { PageQuery } from '../../stores/ports/page';
import type { ApiDeps } from '../deps';
import { ApiError, invalidFields } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault, integerId } from '../openapi/operation';
import { paged } from '../paged';
import { found, owned, pathId } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Webhooks', scope: 'manage_webhooks' });
const id = integerId('The subscription', 4);

interface WebhookCall {
  workspace: Workspace;
  params: { id: string };
}

/** The webhook in the path; ApiError 404 unless it belongs to the workspace. */
const ownWebhook = async ({ stores }: ApiDeps, { workspace, params }: WebhookCall): Promise<Webhook> =>
  owned(await stores.webhooks.get(pathId(params)), workspace);

/** The same for what only an active webhook can do; ApiError 409 when it is not. */
async function activeWebhook(deps: ApiDeps, call: WebhookCall): Promise<Webhook> {
  const webhook = await ownWebhook(deps, call);
  if (!webhook.isActive) throw new ApiError('webhook_inactive');
  return webhook;
}

/** What was delivered to a subscription, and what is to be delivered again (docs/contract.md#webhook-log). */
export const deliveries = [
  route('GET /webhooks/:id/deliveries', {
    id: 'listDeliveries',
    summary: 'List the deliveries of a subscription',
    description:
      'Deliveries with their attempts, newest event first, 50 per page. They are kept for 30 days. `total` and the pages end ' +
      'at 10,000.',
    parameters: { id },
    query: { shape: deliveryListShape, rules: deliveryListRules },
    fields: {
      state: 'Only deliveries in this state.',
      event: 'Only deliveries of this event.',
      page: 'From 1. A page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of deliveries.',
        schema: deliveryPageAnswer,
        examples: { page: examplePage('/webhooks/4/deliveries', exampleOf(deliveryAnswer)) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
    async handle(deps, call) {
      const { id } = await ownWebhook(deps, call);
      const { page, ...filters } = call.query;
      const read = (cut: PageQuery) => deps.stores.deliveries.list(id, { ...filters, ...cut });
      return paged(deps, { path: `/webhooks/${id}/deliveries`, page, filters }, read, presentDelivery);
    },
  }),

  route('POST /webhooks/:id/deliveries/:delivery/retry', {
    id: 'retryDelivery',
    summary: 'Retry a delivery',
    description: 'One more attempt, immediately and beyond the five. The delivery keeps its id.',
    parameters: {
      id,
      delivery: { description: 'The id of the delivery.', schema: { type: 'string', pattern: '^whd_[0-9a-f]{32}$' } },
    },
    answers: [{ status: 202, description: 'Queued.', schema: deliveryAnswer }],
    refusals: [{ code: 'webhook_inactive' }],
    async handle(deps, call) {
      const webhook = await activeWebhook(deps, call);
      return presentDelivery(found(await retryDelivery(deps.stores, webhook, call.params.delivery, deps.clock.now())));
    },
  }),

  route('POST /webhooks/:id/test', {
    id: 'testWebhook',
    summary: 'Send a test event',
    description: 'Queues an event `webhook.test`, signed like any other. It does not belong to a message.',
    parameters: { id },
    answers: [{ status: 202, description: 'Queued.', schema: deliveryAnswer }],
    refusals: [{ code: 'webhook_inactive' }],
    async handle(deps, call) {
      const webhook = await activeWebhook(deps, call);
      return presentDelivery(await sendTest(deps.stores, webhook, deps.newId(), deps.clock.now()));
    },
  }),

  route('POST /webhooks/:id/replay', {
    id: 'replayEvents',
    summary: 'Replay events',
    description:
      'Delivers the events of the last seven days between `from` and `to` again, with the same payload and id. A long ' +
      'replay continues in the background.',
    parameters: { id },
    body: { shape: replayShape, rules: replayRules },
    fields: {
      from: 'The first time, inclusive; UTC if it has no timezone.',
      to: 'The last time, inclusive. Default: now.',
      events: 'Only these events. Default: those of the subscription.',
    },
    requests: {
      'an hour': { from: '2026-09-22T03:00:00Z', to: '2026-09-22T04:00:00Z', events: ['delivered', 'bounce'] },
    },
    answers: [{ status: 202, description: 'Queued.', schema: replayAnswer }],
    refusals: [fieldFault('from', 'The from field must not be after the to field.'), { code: 'webhook_inactive' }],
    async handle(deps, call) {
      const webhook = await activeWebhook(deps, call);
      const now = deps.clock.now();
      const { from, to = now, events: names = webhook.eventTypes } = await call.fields();
      if (from > to) throw invalidFields({ from: [validationMessage('timestamp.order', 'from')] });
      return replay(deps.stores, webhook, { from, to, names }, deps.newId(), now);
    },
  }),
];
