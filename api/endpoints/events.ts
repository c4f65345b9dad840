import { eventPayload } from '../../operations/webhooks/event-payload';
import { feedAnswer } from '../../schemas/responses/event';
import { validationMessage } from '../../schemas/rules/validation-messages';
import { FEED_LIMIT, feedRules, feedShape } from '../../schemas/webhooks/webhook-requests';
import { invalidFields } from '../errors';
import { fieldFault } from '../openapi/operation';
import { resource } from '../route';

const route = resource({ tag: 'Webhooks', scope: 'manage_webhooks' });

/** The feed of events. */
export const events = [
  route('GET /events', {
    id: 'listEvents',
    summary: 'List events',
    description:
      'The events of the last seven days after a cursor, in the order they were stored, for receivers that were down. Start ' +
      'without `after`; then pass `next` of the previous response.',
    query: { shape: feedShape, rules: feedRules },
    fields: { after: 'The cursor: `next` of an earlier response.', limit: 'The most events to return.' },
    answers: [{ status: 200, description: 'A page of events.', schema: feedAnswer }],
    refusals: [fieldFault('after', 'The after field must be a cursor from the next field of an earlier response.')],
    async handle({ stores, keyring }, { workspace, query: { after, limit = FEED_LIMIT } }) {
      // The places count the events of all workspaces, so no caller sees them.
      const context = `feed ${workspace.id}`;
      const afterSeq = after === undefined ? 0 : keyring.revealNumber(after, context);
      if (afterSeq === null) throw invalidFields({ after: [validationMessage('cursor.invalid', 'after')] });
      const events = await stores.deliveries.events(workspace.id, { afterSeq }, limit);
      const ids = [...new Set(events.map(({ messageId }) => messageId))];
      const messages = new Map((await stores.messages.getMany(workspace.id, ids)).map((each) => [each.id, each]));
      const data = await Promise.all(
        events.map(async (event) => ({
          id: event.id,
          ...(await eventPayload(stores, event, messages.get(event.messageId) ?? null)),
        })),
      );
      return { data, next: keyring.hideNumber(events.at(-1)?.seq ?? afterSeq, context) };
    },
  }),
];
