import type { Workspace } from '../../../domain/settings/workspace';
import {
  messageListRules,
  messageListShape,
  type MessageListQuery,
  type RecipientRef,
} from '../../../schemas/messages/list-messages';
import { objectTime } from '../../../schemas/rules/timestamps';
import type { ApiDeps } from '../../deps';
import { presentMessageItem } from '../../../schemas/responses/present-message';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/page';
import { API_PREFIX, route } from '../../route';

const PATH = '/messages';

/**
 * GET /messages: newest first in pages, filtered by recipient, time, channel and status; with `ids`, those messages in
 * the requested order (docs/contract.md#list-of-messages).
 */
export const listMessages = route({
  method: 'GET',
  path: PATH,
  scope: 'send_email',
  emailModule: 'required',
  query: { shape: messageListShape, rules: messageListRules },
  async handle(deps, { workspace, query }) {
    const body = query.ids ? await batch(deps, workspace, query.ids) : await page(deps, workspace, query);
    return { status: 200, body };
  },
});

async function batch({ stores }: ApiDeps, workspace: Workspace, ids: readonly string[]): Promise<object> {
  const messages = await stores.messages.getMany(workspace.id, ids);
  return { data: messages.map(presentMessageItem) };
}

async function page({ stores, publicUrl }: ApiDeps, workspace: Workspace, query: MessageListQuery): Promise<object> {
  const { to, page = 1, ids: _ids, ...filter } = query;
  const contactId = to && (await findContact(stores, workspace.id, to));
  const { total, items } =
    contactId === null
      ? { total: 0, items: [] }
      : await stores.messages.list(workspace.id, {
          ...filter,
          ...(contactId !== undefined && { contactId }),
          offset: pageOffset(page),
          limit: PER_PAGE,
        });
  return presentPage({
    path: `${publicUrl()}${API_PREFIX}${PATH}`,
    filters: presentFilters(query),
    page,
    total,
    items: items.map(presentMessageItem),
  });
}

/** The id of a contact is looked for as it is: the contact may be deleted. Null for an address that no contact has. */
async function findContact(
  { contacts }: Pick<ApiDeps['stores'], 'contacts'>,
  workspaceId: number,
  to: RecipientRef,
): Promise<number | null> {
  if ('contactId' in to) return to.contactId;
  return (await contacts.find(workspaceId, to.address))?.id ?? null;
}

/** The filters as a query, for the links of the pages. */
function presentFilters({
  to,
  since,
  until,
  page: _page,
  ids: _ids,
  ...words
}: MessageListQuery): Record<string, string> {
  return {
    ...(to && { to: 'address' in to ? to.address : String(to.contactId) }),
    ...(since !== undefined && { since: objectTime(since) }),
    ...(until !== undefined && { until: objectTime(until) }),
    ...words,
  };
}
