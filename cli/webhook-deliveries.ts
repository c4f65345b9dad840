import { randomUUID } from 'node:crypto';
import { WEBHOOK_EVENTS } from '../domain/webhooks/webhook';
import { DELIVERY_STATES, TEST_EVENT, type WebhookDelivery } from '../domain/webhooks/webhook-delivery';
import { presentDelivery } from '../presenters/delivery';
import { replay as replayEvents, retryDelivery, sendTest } from '../commands/webhooks/redeliver';
import type { Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { oneOf, time, whole, type Input } from './support/input';
import { findWebhook } from './support/lookups';
import type { Answer } from './support/output';
import { deliveryTable } from './support/delivery-table';
import { showTime } from './support/times';

const WEBHOOK = ['<webhook>', 'its id'] as const;
const readWebhook = (input: Input): number => input.arg('webhook', whole(1, Number.MAX_SAFE_INTEGER));
const readDelivery = (raw: string): string => {
  const id = raw.trim();
  if (!/^whd_[0-9a-f]{32}$/.test(id)) throw new RangeError('must be the id of a delivery, whd_ and 32 digits');
  return id;
};
const readNames = (raw: string) => raw.split(',').map((name) => oneOf(...WEBHOOK_EVENTS)(name));

/** A webhook that may be sent to. */
async function findActive({ stores }: Session, id: number) {
  const webhook = await findWebhook(stores, id);
  if (webhook.isActive) return webhook;
  throw new CommandError(`Webhook ${id} is not active.`, `kurir webhook enable ${id} sets it active.`, '<webhook>');
}

const deliveries: VerbSpec = {
  name: 'deliveries',
  summary: 'what was delivered to a webhook, newest event first',
  args: [WEBHOOK],
  options: [
    ['--state <state>', DELIVERY_STATES.join(', ')],
    ['--event <event>', [...WEBHOOK_EVENTS, TEST_EVENT].join(', ')],
    ['--limit <n>', 'deliveries at most, 1 to 1000; default: 50'],
  ],
  examples: [
    ['webhook deliveries 4 --state given_up', 'those that failed five times'],
    ['webhook deliveries 4 --json', 'with every attempt and the answers'],
  ],
  run: (input) => {
    const id = readWebhook(input);
    const state = input.option('state', oneOf(...DELIVERY_STATES));
    const event = input.option('event', oneOf(...WEBHOOK_EVENTS, TEST_EVENT));
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    return async ({ stores, paint }) => {
      await findWebhook(stores, id);
      const filter = { ...(state && { state }), ...(event && { event }) };
      const { total, items } = await stores.deliveries.list(id, { ...filter, offset: 0, limit });
      return {
        text: deliveryTable(paint, items),
        json: { total, data: items.map(presentDelivery) },
      };
    };
  },
};

const queued = (delivery: WebhookDelivery): Answer => ({
  text: `${delivery.id} is queued\n`,
  json: presentDelivery(delivery),
});

const retry: VerbSpec = {
  name: 'retry',
  summary: 'deliver an event once more, at once and beyond the five attempts',
  args: [WEBHOOK, ['<delivery>', 'its id']],
  examples: [['webhook retry 4 whd_0199a1b2c3d44f5a6b7c8d9e0f1a2b3c', 'under the same id']],
  run: (input) => {
    const id = readWebhook(input);
    const deliveryId = input.arg('delivery', readDelivery);
    return async (session) => {
      const webhook = await findActive(session, id);
      await session.note('webhook retry', `${id} ${deliveryId}`, webhook.workspaceId);
      const delivery = await retryDelivery(session.stores, webhook, deliveryId, session.clock.now());
      if (delivery) return queued(delivery);
      throw new CommandError(
        `<delivery>: webhook ${id} has no delivery "${deliveryId}".`,
        `kurir webhook deliveries ${id} lists what exists.`,
        '<delivery>',
      );
    };
  },
};

const test: VerbSpec = {
  name: 'test',
  summary: 'send a test event to a webhook',
  args: [WEBHOOK],
  examples: [['webhook test 4', 'kurir webhook deliveries 4 shows the answer']],
  run: (input) => {
    const id = readWebhook(input);
    return async (session) => {
      const webhook = await findActive(session, id);
      await session.note('webhook test', String(id), webhook.workspaceId);
      return queued(await sendTest(session.stores, webhook, randomUUID(), session.clock.now()));
    };
  },
};

const replay: VerbSpec = {
  name: 'replay',
  summary: 'deliver the events of a time again; they are kept for seven days',
  args: [WEBHOOK],
  options: [
    ['--from <time>', 'the first time, included'],
    ['--to <time>', 'the last time, included; default: now'],
    ['--events <names>', 'only these, comma-separated; default: those of the webhook'],
  ],
  examples: [
    ['webhook replay 4 --from 2026-09-22T03:00:00Z', 'everything since then'],
    ['webhook replay 4 --from 2026-09-22T03:00Z --to 2026-09-22T04:00Z --events bounce', 'the bounces of an hour'],
  ],
  run: (input) => {
    const id = readWebhook(input);
    const from = input.needed('from', time);
    const until = input.option('to', time);
    const names = input.option('events', readNames);
    return async (session) => {
      const webhook = await findActive(session, id);
      const now = session.clock.now();
      const to = until ?? now;
      if (from > to) throw new CommandError('--from must not be after --to.', 'Give an earlier time.', '--from');
      await session.note(
        'webhook replay',
        `${id} ${showTime(from) ?? ''} to ${showTime(to) ?? ''}`,
        webhook.workspaceId,
      );
      const range = { from, to, names: names ?? webhook.eventTypes };
      const { queued: count, complete } = await replayEvents(session.stores, webhook, range, randomUUID(), now);
      const rest = complete ? '' : '; more follow in the background';
      return { text: `${count} events are queued${rest}\n`, json: { queued: count, complete } };
    };
  },
};

/** The verbs about deliveries. */
export const WEBHOOK_DELIVERY_VERBS: readonly VerbSpec[] = [deliveries, retry, test, replay];
