import { ValueError } from '../../lib/reason';
import { randomUUID } from 'node:crypto';
import { WEBHOOK_EVENTS, type Webhook } from '../../domain/webhooks/webhook';
import { DELIVERY_STATES, TEST_EVENT } from '../../domain/webhooks/webhook-delivery';
import { defined } from '../../lib/defined';
import { presentDelivery } from '../../schemas/responses/delivery';
import { replay as replayEvents, retryDelivery, sendTest } from './redeliver';
import { eventPayload } from './event-payload';
import { ATTEMPT_COLUMNS, DELIVERY_COLUMNS } from './delivery-columns';
import { eventNames } from './webhook-change';
import {
  argument,
  limit,
  needed,
  NotFoundError,
  oneOf,
  operation,
  OperationError,
  option,
  type Read,
  time,
  webhook,
  whole,
  why,
  rule,
} from '../definition';
import { counted } from '../../lib/counted';

const readDelivery: Read<string> = (raw) => {
  const id = raw.trim();
  if (!/^whd_[0-9a-f]{32}$/.test(id)) throw new ValueError(rule('delivery_id'));
  return id;
};

/** A webhook must be active to be sent to. */
function refuseInactive({ id, isActive }: Webhook): void {
  if (isActive) return;
  throw new OperationError(why('webhook_inactive', { id }), `kurir webhook enable ${id} activates it.`, '<webhook>');
}

const deliveries = operation('webhook.deliveries', 'developer', {
  summary: 'list the deliveries of a webhook, newest event first',
  arguments: { webhook },
  options: {
    state: option('<state>', DELIVERY_STATES.join(', '), oneOf(...DELIVERY_STATES)),
    event: option('<event>', [...WEBHOOK_EVENTS, TEST_EVENT].join(', '), oneOf(...WEBHOOK_EVENTS, TEST_EVENT)),
    limit: limit('deliveries'),
    page: option('<n>', 'page number, from 1; default: 1', whole(1, 1_000_000), 1),
  },
  examples: [
    ['webhook deliveries 4 --state given_up', 'those that failed five times'],
    ['webhook deliveries 4 --json', 'with every attempt and response'],
  ],
  handler: async ({ webhook: { id }, state, event, limit, page }, { stores }) => {
    const filter = { ...defined({ state, event }), offset: (page - 1) * limit, limit };
    const { total, items } = await stores.deliveries.list(id, filter);
    return { total, page, limit, data: items };
  },
  json: ({ data, ...cut }) => ({ ...cut, data: data.map(presentDelivery) }),
  columns: DELIVERY_COLUMNS,
  none: 'No deliveries.',
});

const unknownDelivery = ({ id }: Webhook, delivery: string): OperationError =>
  new NotFoundError(
    why('no_delivery', { label: '<delivery>', id, delivery }),
    `kurir webhook deliveries ${id} shows them.`,
  );

const one = operation('webhook.delivery', 'developer', {
  summary: 'show a delivery with every attempt, and its payload',
  arguments: { webhook, delivery: argument('its id', readDelivery) },
  examples: [['webhook delivery 4 whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c', 'with its responses and payload']],
  notes: 'The payload is the one that an attempt would send now; it may contain more than the last attempt did.',
  handler: async ({ webhook: of, delivery: id }, { stores }) => {
    const [delivery] = await stores.deliveries.getMany([id]);
    if (delivery?.webhookId !== of.id) throw unknownDelivery(of, id);
    const message = delivery.event === TEST_EVENT ? null : await stores.messages.get(delivery.messageId);
    return { delivery, payload: await eventPayload(stores, delivery, message) };
  },
  json: ({ delivery, payload }) => ({ ...presentDelivery(delivery), payload }),
  text: ({ delivery, payload }, view) =>
    `${view.table([delivery], DELIVERY_COLUMNS)}\n${view.table(delivery.attempts, ATTEMPT_COLUMNS)}\n${JSON.stringify(payload, null, 2)}\n`,
});

const QUEUED = { json: presentDelivery, text: ({ id }: { id: string }) => `${id} is queued\n` };

const retry = operation('webhook.retry', 'developer', {
  summary: 'retry a delivery right away, beyond the five attempts',
  arguments: { webhook, delivery: argument('its id', readDelivery) },
  examples: [['webhook retry 4 whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c', 'with the same id']],
  handler: async ({ webhook: of, delivery }, { stores, clock, note }) => {
    refuseInactive(of);
    await note('webhook retry', `${of.id} ${delivery}`, of.workspaceId);
    const queued = await retryDelivery(stores, of, delivery, clock.now());
    if (queued) return queued;
    throw unknownDelivery(of, delivery);
  },
  ...QUEUED,
});

const test = operation('webhook.test', 'developer', {
  summary: 'send a test event to a webhook',
  arguments: { webhook },
  examples: [['webhook test 4', 'kurir webhook deliveries 4 shows the response']],
  handler: async ({ webhook: of }, { stores, clock, note }) => {
    refuseInactive(of);
    await note('webhook test', String(of.id), of.workspaceId);
    return sendTest(stores, of, randomUUID(), clock.now());
  },
  ...QUEUED,
});

const replay = operation('webhook.replay', 'developer', {
  summary: 'replay the events of a period; events are kept for seven days',
  arguments: { webhook },
  options: {
    from: needed('<time>', 'start of the period, inclusive', time),
    to: option('<time>', 'end of the period, inclusive; default: now', time),
    events: option('<names>', 'only these events, comma-separated; default: those of the webhook', eventNames),
  },
  examples: [
    ['webhook replay 4 --from 2026-09-22T03:00:00Z', 'everything since then'],
    ['webhook replay 4 --from 2026-09-22T03:00Z --to 2026-09-22T04:00Z --events bounce', 'bounces within one hour'],
  ],
  handler: async ({ webhook: of, from, to: until, events }, { stores, clock, note, view }) => {
    refuseInactive(of);
    const now = clock.now();
    const to = until ?? now;
    if (from > to)
      throw new OperationError(why('not_after', { label: '--from', other: '--to' }), 'Choose an earlier time.');
    await note('webhook replay', `${of.id} ${view.time(from)} to ${view.time(to)}`, of.workspaceId);
    const range = { from, to, names: events ?? of.eventTypes };
    const { queued, complete } = await replayEvents(stores, of, range, randomUUID(), now);
    return { queued, complete };
  },
  text: ({ queued, complete }) =>
    `${counted(queued, 'event')} queued${complete ? '' : '; more follow in the background'}\n`,
});

/** The operations about deliveries. */
export const WEBHOOK_DELIVERIES = { deliveries, delivery: one, retry, test, replay };
