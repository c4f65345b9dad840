import { texts } from '../../domain/texts';
import { cancelMessage } from '../../operations/messages/cancel-message';
import {
  LISTED_TEXTS,
  messageListRules,
  messageListShape,
  type MessageListQuery,
  type RecipientRef,
} from '../../schemas/messages/list-messages';
import { either } from '../../schemas/responses/closed';
import {
  messageAnswer,
  messageBatchAnswer,
  messagePageAnswer,
  presentMessage,
  presentMessageItem,
} from '../../schemas/responses/message';
import { readUuid } from '../../schemas/rules/ids';
import { objectTime } from '../../schemas/rules/timestamps';
import type { PageQuery } from '../../stores/ports/page';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault, type OperationParameter } from '../openapi/operation';
import { paged } from '../paged';
import { found, owned } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Messages', scope: 'send_email' });

const MESSAGE_ID = '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21';
const item = exampleOf(messagePageAnswer, 'data');
const id: OperationParameter = {
  description: 'The message_id. Anything other than the UUID of a message of the account returns 404.',
  schema: { type: 'string', format: 'uuid' },
  example: MESSAGE_ID,
};

/** The id of a contact is looked for as it is: the contact may be deleted. Null for an address that no contact has. */
async function findContact({ contacts }: Pick<ApiDeps['stores'], 'contacts'>, workspaceId: number, to: RecipientRef) {
  if ('contactId' in to) return to.contactId;
  return (await contacts.find(workspaceId, to.address))?.id ?? null;
}

/** The filters as a query, for the links of the pages. */
const presentFilters = ({ to, since, until, page: _page, ids: _ids, ...words }: MessageListQuery) => ({
  ...(to && { to: 'address' in to ? to.address : String(to.contactId) }),
  ...(since !== undefined && { since: objectTime(since) }),
  ...(until !== undefined && { until: objectTime(until) }),
  ...words,
});

/** The status of messages (docs/contract.md#message-status). */
export const messages = [
  route('GET /messages/:id', {
    id: 'showMessage',
    summary: 'Show the status of a message',
    description: 'The status, the reason for a failure, the time it was sent, and its metadata.',
    parameters: { id },
    answers: [
      {
        status: 200,
        description: 'The message.',
        schema: messageAnswer,
        examples: {
          delivered: {
            message_id: MESSAGE_ID,
            status: 'delivered',
            failed_reason: null,
            dispatched_at: '2026-09-22T03:15:07.412000Z',
            metadata: { order: 'INV-2026-0917' },
          },
          failed: {
            message_id: MESSAGE_ID,
            status: 'failed',
            failed_reason: texts.noCoins,
            dispatched_at: null,
            metadata: {},
          },
        },
      },
    ],
    async handle({ stores }, { workspace, params }) {
      return presentMessage(owned(await stores.messages.get(found(readUuid(params.id))), workspace));
    },
  }),

  route('DELETE /messages/:id', {
    id: 'cancelMessage',
    summary: 'Cancel a message',
    description:
      'Cancels a message before its first attempt, such as one with send_at. It is kept as `failed` and costs no coin. ' +
      'Cancelling it again changes nothing.',
    parameters: { id },
    answers: [
      {
        status: 200,
        description: 'Cancelled.',
        schema: messageAnswer,
        examples: {
          cancelled: {
            message_id: MESSAGE_ID,
            status: 'failed',
            failed_reason: texts.cancelled,
            dispatched_at: null,
            send_at: '2026-09-23T01:00:00.000000Z',
            metadata: {},
          },
        },
      },
    ],
    refusals: [{ code: 'message_too_late' }],
    async handle(deps, { workspace, params }) {
      const outcome = await cancelMessage(deps, workspace.id, found(readUuid(params.id)));
      if (outcome === 'unknown') throw new ApiError('not_found');
      if (outcome === 'too_late') throw new ApiError('message_too_late');
      return presentMessage(outcome);
    },
  }),

  // Newest first in pages; with `ids`, those messages in the requested order (docs/contract.md#list-of-messages).
  route('GET /messages', {
    id: 'listMessages',
    summary: 'List messages, or check the status of up to 100',
    description:
      'Without `ids`: newest first, 50 per page; several filters apply together. With `ids`: those messages in the requested ' +
      'order; unknown and malformed ids are left out, repeated ids are returned once, and the other parameters are ignored.',
    query: { shape: messageListShape, rules: messageListRules },
    fields: {
      ids: 'Up to 100 message ids, separated by commas.',
      to: 'Only messages to this email address, or to the contact with this id, even a deleted one.',
      since: 'Only messages accepted at or after this time. Without a time zone it is UTC; a date means midnight.',
      until: 'Only messages accepted at or before this time, in the same format as `since`.',
      ...LISTED_TEXTS,
      status: 'Only messages with this status.',
      page: 'From 1. A page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'A page, or the requested messages.',
        schema: either(messagePageAnswer, messageBatchAnswer),
        examples: { page: examplePage('/messages', item), ids: { data: [item] } },
      },
    ],
    refusals: [
      fieldFault('ids', 'The ids field must not have more than 100 items.'),
      fieldFault('to', 'The to field must be a valid email address or the id of a contact.'),
      fieldFault(
        'since',
        'The since field must be an ISO 8601 timestamp or date such as 2026-01-05T10:00:00Z or 2026-01-05.',
      ),
      fieldFault('channel', 'The channel field must be one of api, smtp, app.'),
      fieldFault('status', 'The status field must be one of queued, sending, sent_to_mta, delivered, bounced, failed.'),
      fieldFault('page', 'The page field must be at least 1.'),
    ],
    async handle(deps, { workspace, query }) {
      const { stores } = deps;
      const { ids, to, page, ...narrowed } = query;
      if (ids) return { data: (await stores.messages.getMany(workspace.id, ids)).map(presentMessageItem) };
      const contactId = to && (await findContact(stores, workspace.id, to));
      const filter = { ...narrowed, ...(typeof contactId === 'number' && { contactId }) };
      const read = async (cut: PageQuery) =>
        contactId === null ? { total: 0, items: [] } : stores.messages.list(workspace.id, { ...filter, ...cut });
      return paged(deps, { path: '/messages', page, filters: presentFilters(query) }, read, presentMessageItem);
    },
  }),
];
