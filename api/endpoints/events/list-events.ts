import { FEED_LIMIT, feedRules, feedShape } from '../../../schemas/webhook-requests';
import { eventPayload } from '../../../webhooks/event-payload';
import { route } from '../../route';

/**
 * GET /events: the events of the workspace after a cursor, in the order they were stored, for receivers that were down.
 * Events are kept for seven days.
 */
export const listEvents = route({
  method: 'GET',
  path: '/events',
  scope: 'manage_webhooks',
  emailModule: 'required',
  query: { shape: feedShape, rules: feedRules },
  async handle({ stores }, { workspace, query: { after = 0, limit = FEED_LIMIT } }) {
    const events = await stores.deliveries.events(workspace.id, { afterSeq: after }, limit);
    const messages = await stores.messages.getMany(workspace.id, [
      ...new Set(events.map(({ messageId }) => messageId)),
    ]);
    const byId = new Map(messages.map((message) => [message.id, message]));
    const data = await Promise.all(
      events.map(async (event) => {
        const payload = await eventPayload(stores, event, byId.get(event.messageId) ?? null);
        return { id: event.id, ...payload };
      }),
    );
    return { status: 200, body: { data, next: String(events.at(-1)?.seq ?? after) } };
  },
});
