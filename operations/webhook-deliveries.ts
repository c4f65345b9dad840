import { randomUUID } from 'node:crypto';
import { WEBHOOK_EVENTS, type Webhook } from '../domain/webhooks/webhook';
import { DELIVERY_STATES, TEST_EVENT } from '../domain/webhooks/webhook-delivery';
import { defined } from '../lib/defined';
import { presentDelivery } from '../presenters/delivery';
import { replay as replayEvents, retryDelivery, sendTest } from '../commands/webhooks/redeliver';
import { DELIVERY_COLUMNS } from './delivery-columns';
import {
  argument,
  limit,
  needed,
  oneOf,
  type Operation,
  operation,
  OperationError,
  option,
  type Read,
  time,
  webhook,
} from './spec';

const readDelivery: Read<string> = (raw) => {
  const id = raw.trim();
  if (!/^whd_[0-9a-f]{32}$/.test(id)) throw new RangeError('must be the id of a delivery, whd_ and 32 digits');
  return id;
};

/** A webhook must be active to be sent to. */
function refuseInactive({ id, isActive }: Webhook): void {
  if (isActive) return;
  throw new OperationError(`Webhook ${id} is not active.`, `kurir webhook enable ${id} sets it active.`, '<webhook>');
}

const deliveries = operation('webhook.deliveries', 'developer', {
  summary: 'what was delivered to a webhook, newest event first',
  arguments: { webhook },
  options: {
    state: option('<state>', DELIVERY_STATES.join(', '), oneOf(...DELIVERY_STATES)),
    event: option('<event>', [...WEBHOOK_EVENTS, TEST_EVENT].join(', '), oneOf(...WEBHOOK_EVENTS, TEST_EVENT)),
    limit: limit('deliveries'),
  },
  examples: [
    ['webhook deliveries 4 --state given_up', 'those that failed five times'],
    ['webhook deliveries 4 --json', 'with every attempt and the answers'],
  ],
  handler: async ({ webhook: { id }, state, event, limit }, { stores }) => {
    const filter = { ...defined({ state, event }), offset: 0, limit };
    const { total, items } = await stores.deliveries.list(id, filter);
    return { total, data: items };
  },
  json: ({ total, data }) => ({ total, data: data.map(presentDelivery) }),
  columns: DELIVERY_COLUMNS,
  none: 'No deliveries.',
});

const QUEUED = { json: presentDelivery, text: ({ id }: { id: string }) => `${id} is queued\n` };

const retry = operation('webhook.retry', 'developer', {
  summary: 'deliver an event once more, at once and beyond the five attempts',
  arguments: { webhook, delivery: argument('its id', readDelivery) },
  examples: [['webhook retry 4 whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c', 'under the same id']],
  handler: async ({ webhook: of, delivery }, { stores, clock, note }) => {
    refuseInactive(of);
    await note('webhook retry', `${of.id} ${delivery}`, of.workspaceId);
    const queued = await retryDelivery(stores, of, delivery, clock.now());
    if (queued) return queued;
    throw new OperationError(
      `<delivery>: webhook ${of.id} has no delivery "${delivery}".`,
      `kurir webhook deliveries ${of.id} lists what exists.`,
      '<delivery>',
    );
  },
  ...QUEUED,
});

const test = operation('webhook.test', 'developer', {
  summary: 'send a test event to a webhook',
  arguments: { webhook },
  examples: [['webhook test 4', 'kurir webhook deliveries 4 shows the answer']],
  handler: async ({ webhook: of }, { stores, clock, note }) => {
    refuseInactive(of);
    await note('webhook test', String(of.id), of.workspaceId);
    return sendTest(stores, of, randomUUID(), clock.now());
  },
  ...QUEUED,
});

const replay = operation('webhook.replay', 'developer', {
  summary: 'deliver the events of a time again; they are kept for seven days',
  arguments: { webhook },
  options: {
    from: needed('<time>', 'the first time, included', time),
    to: option('<time>', 'the last time, included; default: now', time),
    events: option('<names>', 'only these, comma-separated; default: those of the webhook', (raw) =>
      raw.split(',').map((name) => oneOf(...WEBHOOK_EVENTS)(name)),
    ),
  },
  examples: [
    ['webhook replay 4 --from 2026-09-22T03:00:00Z', 'everything since then'],
    ['webhook replay 4 --from 2026-09-22T03:00Z --to 2026-09-22T04:00Z --events bounce', 'the bounces of an hour'],
  ],
  handler: async ({ webhook: of, from, to: until, events }, { stores, clock, note, view }) => {
    refuseInactive(of);
    const now = clock.now();
    const to = until ?? now;
    if (from > to) throw new OperationError('--from must not be after --to.', 'Give an earlier time.', '--from');
    await note('webhook replay', `${of.id} ${view.time(from)} to ${view.time(to)}`, of.workspaceId);
    const range = { from, to, names: events ?? of.eventTypes };
    const { queued, complete } = await replayEvents(stores, of, range, randomUUID(), now);
    return { queued, complete };
  },
  text: ({ queued, complete }) => `${queued} events are queued${complete ? '' : '; more follow in the background'}\n`,
});

/** The operations about deliveries. */
export const WEBHOOK_DELIVERIES: readonly Operation[] = [deliveries, retry, test, replay];
