import { describe, expect, test } from '@jest/globals';
import { MAX_WEBHOOKS, type Webhook } from '../../../domain/webhooks/webhook';
import { deliveryId, eventId, TEST_MESSAGE, type MessageEvent } from '../../../domain/webhooks/webhook-delivery';
import { SECOND } from '../../../lib/clock';
import { objectTime, webhookTime } from '../../../schemas/rules/timestamps';
import { at, present } from '../../contract/helpers';
import { acceptMessage, aContact, aWebhook, aWorkspace } from '../../support/builders';
import { openApiFixture, outcome, scopeCase } from './fixture';

const fixture = openApiFixture();
const now = () => fixture.api.clock.now();

const aSubscription = async (change: Partial<Webhook> = {}): Promise<Webhook> =>
  present(await fixture.api.stores.webhooks.create(aWebhook(fixture.workspaceId, change), MAX_WEBHOOKS));

/** Stores an event of a new message. */
async function happened(fields: Partial<MessageEvent> = {}): Promise<MessageEvent> {
  const { stores } = fixture.api;
  const { workspace, domain } = fixture.account;
  const contact = await stores.contacts.ensure(aContact(workspace.id));
  const { id: messageId } = await acceptMessage(stores, { workspace, domain, contact });
  const facts = { messageId, event: 'delivered', occurredAt: now(), reason: null, ...fields } as const;
  const event: MessageEvent = { workspaceId: workspace.id, link: null, ...facts, id: eventId(facts) };
  await stores.deliveries.fanOut(event, now());
  return event;
}

const isDue = async (webhook: Webhook) =>
  fixture.api.stores.dueTasks.claim({
    kind: 'webhook',
    lane: String(webhook.id),
    now: now(),
    leaseUntil: now() + SECOND,
    limit: 10,
  });

describe('GET /webhooks/{id}/deliveries', () => {
  // spec: docs/contract.md#webhook-log: deliveries
  test('200: the page of deliveries with their attempts, newest first', async () => {
    const webhook = await aSubscription();
    const [old, young] = [await happened({ occurredAt: now() - 5 }), await happened()];
    const task = present((await isDue(webhook)).find(({ id }) => id === deliveryId(old, webhook.id)));
    const attempt = { at: now(), status: 500, error: 'It answered 500.', durationMs: 7, answer: 'no' };
    const waiting = {
      state: 'waiting',
      attempts: [attempt],
      nextAt: now() + SECOND,
      allowed: 5,
      contactId: null,
    } as const;
    await fixture.api.stores.deliveries.finish(task, waiting);
    const { status, body } = await fixture.ask('get', `/webhooks/${webhook.id}/deliveries?state=waiting`);
    const common = { event: 'delivered', state: 'waiting', created_at: objectTime(now()) };
    expect([status, body['data'], body['total'], body['per_page']]).toEqual([
      200,
      [
        { id: deliveryId(young, webhook.id), message_id: young.messageId, ...common, attempts: [] },
        {
          id: deliveryId(old, webhook.id),
          message_id: old.messageId,
          ...common,
          attempts: [{ at: objectTime(now()), status: 500, error: 'It answered 500.', duration_ms: 7, answer: 'no' }],
        },
      ],
      2,
      50,
    ]);
    const none = await fixture.ask('get', `/webhooks/${webhook.id}/deliveries?state=delivered&event=click`);
    expect(none.body['data']).toEqual([]);
  });

  test.each([
    ['state=done', 'The state field must be one of waiting, delivered, given_up, cancelled.'],
    [
      'event=opened',
      'The event field must be one of delivered, bounce, complaint, open, click, unsubscribe, webhook.test.',
    ],
    ['page=0', 'The page field must be at least 1.'],
  ])('422: %s', async (query, sentence) => {
    const { id } = await aSubscription();
    expect(outcome(await fixture.ask('get', `/webhooks/${id}/deliveries?${query}`))).toEqual([422, sentence]);
  });

  scopeCase(fixture, 'manage_webhooks', () => fixture.ask('get', '/webhooks/1/deliveries'));
});

describe('POST /webhooks/{id}/deliveries/{delivery}/retry', () => {
  // spec: docs/contract.md#webhook-log: retry
  test('202: one more attempt at once, whatever became of it', async () => {
    const webhook = await aSubscription();
    const event = await happened();
    const done = { state: 'given_up', attempts: [], nextAt: null, allowed: 5, contactId: null } as const;
    await fixture.api.stores.deliveries.finish(at(await isDue(webhook), 0), done);
    const id = deliveryId(event, webhook.id);
    const { status, body } = await fixture.ask('post', `/webhooks/${webhook.id}/deliveries/${id}/retry`);
    expect([status, body]).toMatchObject([202, { id, state: 'waiting' }]);
    expect((await isDue(webhook)).map((task) => task.id)).toEqual([id]);
  });
});

describe('POST /webhooks/{id}/test', () => {
  // spec: docs/contract.md#webhook-log: test
  test('202: an event of no message, each time another one', async () => {
    const webhook = await aSubscription();
    const answers = [await fixture.ask('post', `/webhooks/${webhook.id}/test`)];
    answers.push(await fixture.ask('post', `/webhooks/${webhook.id}/test`));
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([
        202,
        { event: 'webhook.test', message_id: TEST_MESSAGE, state: 'waiting', attempts: [] },
      ]);
    }
    expect(await isDue(webhook)).toHaveLength(2);
  });
});

describe('POST /webhooks/{id}/replay', () => {
  // spec: docs/contract.md#webhook-log: replay
  test('202: queues the events of the time, both bounds included, under the same ids', async () => {
    const webhook = await aSubscription({ eventTypes: ['delivered'] });
    const events = [await happened({ occurredAt: now() - 2_000 }), await happened({ occurredAt: now() - 1_000 })];
    await happened({ event: 'bounce', occurredAt: now() - 1_000 });
    for (const task of await isDue(webhook)) {
      const done = { state: 'delivered', attempts: [], nextAt: null, allowed: 5, contactId: null } as const;
      await fixture.api.stores.deliveries.finish(task, done);
    }
    const [first, last] = events;
    const body = { from: objectTime(first!.occurredAt), to: objectTime(last!.occurredAt) };
    const answer = await fixture.ask('post', `/webhooks/${webhook.id}/replay`, body);
    expect([answer.status, answer.body]).toEqual([202, { queued: 2, complete: true }]);
    expect((await isDue(webhook)).map(({ id }) => id).sort()).toEqual(
      events.map((event) => deliveryId(event, webhook.id)).sort(),
    );
    const named = await fixture.ask('post', `/webhooks/${webhook.id}/replay`, { ...body, events: ['bounce'] });
    expect(named.body).toEqual({ queued: 1, complete: true });
  });

  test.each([
    [{}, 'The from field is required.'],
    [{ from: 'soon' }, 'The from field must be an ISO 8601 timestamp such as 2026-01-05T10:00:00Z.'],
    [{ from: '2026-01-06T00:00Z', to: '2026-01-05T00:00Z' }, 'The from field must not be after the to field.'],
    [
      { from: '2026-01-05T00:00Z', events: ['opened'] },
      'The events.0 field must be one of delivered, bounce, complaint, open, click, unsubscribe.',
    ],
  ])('422: %j', async (body, sentence) => {
    const { id } = await aSubscription();
    expect(outcome(await fixture.ask('post', `/webhooks/${id}/replay`, body))).toEqual([422, sentence]);
  });
});

test('409: what only an active webhook can do', async () => {
  const { id } = await aSubscription({ isActive: false });
  const inactive = [409, 'The webhook is not active.'];
  const body = { from: '2026-01-05T00:00Z' };
  expect(outcome(await fixture.ask('post', `/webhooks/${id}/test`))).toEqual(inactive);
  expect(outcome(await fixture.ask('post', `/webhooks/${id}/replay`, body))).toEqual(inactive);
  expect(outcome(await fixture.ask('post', `/webhooks/${id}/deliveries/whd_1/retry`))).toEqual(inactive);
});

// spec: docs/contract.md#cancelled-deliveries: deletion cancels what waits
test('DELETE /webhooks/{id} ends what waits', async () => {
  const webhook = await aSubscription();
  const { messageId } = await happened();
  await fixture.ask('delete', `/webhooks/${webhook.id}`);
  expect(await fixture.api.stores.deliveries.ofMessage(messageId)).toMatchObject([{ state: 'cancelled' }]);
  expect(await isDue(webhook)).toEqual([]);
});

// spec: docs/contract.md#webhook-log: a webhook that was deleted: 404
test('404: a webhook that was deleted, or is of another workspace, has no log and takes no order', async () => {
  const webhook = await aSubscription();
  const { messageId } = await happened();
  const [delivery] = await fixture.api.stores.deliveries.ofMessage(messageId);
  await fixture.ask('delete', `/webhooks/${webhook.id}`);
  const { id: other } = await fixture.api.stores.workspaces.create(aWorkspace());
  const theirs = present(await fixture.api.stores.webhooks.create(aWebhook(other), MAX_WEBHOOKS));
  const calls = [
    ['get', 'deliveries', undefined],
    ['post', `deliveries/${String(delivery?.id)}/retry`, undefined],
    ['post', 'test', undefined],
    ['post', 'replay', { from: '2026-01-05T00:00Z' }],
  ] as const;
  for (const { id } of [webhook, theirs]) {
    for (const [method, path, body] of calls) {
      expect((await fixture.ask(method, `/webhooks/${id}/${path}`, body)).status).toBe(404);
    }
  }
});

describe('GET /events', () => {
  // spec: docs/contract.md#event-feed: the feed
  test('200: the events after the cursor with their payloads; the cursor at the end goes on', async () => {
    const events = [await happened(), await happened({ event: 'bounce', reason: '550 5.1.1 no' })];
    const first = await fixture.ask('get', '/events?limit=1');
    expect(first.body['data']).toMatchObject([{ id: events[0]!.id, event: 'delivered', channel: 'api' }]);
    const second = await fixture.ask('get', `/events?after=${String(first.body['next'])}`);
    const { messageId, id } = events[1]!;
    expect(second.body['data']).toEqual([
      {
        id,
        event: 'bounce',
        message_id: messageId,
        occurred_at: webhookTime(now()),
        to: expect.any(String),
        channel: 'api',
        campaign_id: null,
        metadata: expect.any(Object),
        reason: '550 5.1.1 no',
      },
    ]);
    const end = await fixture.ask('get', `/events?after=${String(second.body['next'])}`);
    expect(end.body).toEqual({ data: [], next: second.body['next'] });
    const later = await happened({ event: 'open' });
    const more = await fixture.ask('get', `/events?after=${String(end.body['next'])}`);
    expect(more.body['data']).toMatchObject([{ id: later.id, event: 'open' }]);
  });

  // spec: docs/contract.md#event-feed: cursors
  test('cursors tell nothing of the number of events, and belong to their workspace', async () => {
    await happened();
    const next = async (): Promise<string> => String((await fixture.ask('get', '/events?limit=500')).body['next']);
    const first = await next();
    await happened();
    const second = await next();
    for (const cursor of [first, second]) expect(cursor).toMatch(/^[\w-]{22}$/);
    // Neighbours differ everywhere, not in their last digits.
    expect(second.slice(0, 8)).not.toBe(first.slice(0, 8));
    const other = await fixture.api.account();
    const cursors = [second, String((await fixture.api.ask('get', '/v1/events', other.key)).body['next'])];
    expect(cursors[1]).toMatch(/^[\w-]{22}$/);
    const answers = await Promise.all(
      [cursors[1]!, 'A'.repeat(22)].map((cursor) => fixture.ask('get', `/events?after=${cursor}`)),
    );
    for (const answer of answers) {
      const sentence = 'The after field must be a cursor from the next field of an earlier response.';
      expect(outcome(answer)).toEqual([422, sentence]);
    }
  });

  test.each([
    ['after=x', 'The after field must be a cursor from the next field of an earlier response.'],
    ['after=-1', 'The after field must be a cursor from the next field of an earlier response.'],
    ['limit=0', 'The limit field must be at least 1.'],
    ['limit=501', 'The limit field must not be greater than 500.'],
  ])('422: %s', async (query, sentence) => {
    expect(outcome(await fixture.ask('get', `/events?${query}`))).toEqual([422, sentence]);
  });

  scopeCase(fixture, 'manage_webhooks', () => fixture.ask('get', '/events'));
});
