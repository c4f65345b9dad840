import { FEED_LIMIT, feedRules, feedShape } from '../../../schemas/webhooks/webhook-requests';
import { eventPayload } from '../../../operations/webhooks/event-payload';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import { invalidFields } from '../../errors';
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
  async handle({ stores, keyring }, { workspace, query: { after, limit = FEED_LIMIT } }) {
    // The places count the events of all workspaces, so no caller sees them.
    const context = `feed ${workspace.id}`;
    const afterSeq = after === undefined ? 0 : keyring.revealNumber(after, context);
    if (afterSeq === null) throw invalidFields({ after: [validationMessage('cursor.invalid', 'after')] });
    const events = await stores.deliveries.events(workspace.id, { afterSeq }, limit);
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
    return { status: 200, body: { data, next: keyring.hideNumber(events.at(-1)?.seq ?? afterSeq, context) } };
  },
});
