import type { Workspace } from '../../../domain/workspace';
import { messageListRules, messageListShape, type MessageListQuery } from '../../../schemas/list-messages';
import type { ApiDeps } from '../../deps';
import { presentMessageItem } from '../../presenters/message';
import { pageOffset, PER_PAGE, presentPage } from '../../presenters/page';
import { API_PREFIX, route } from '../../route';

const PATH = '/messages';

/**
 * GET /messages: newest first in pages, with the filter `status`; with `ids`, those messages in the requested order
 * (docs/contract.md#list-of-messages).
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

async function page(
  { stores, publicUrl }: ApiDeps,
  workspace: Workspace,
  { status, page = 1 }: MessageListQuery,
): Promise<object> {
  const { total, items } = await stores.messages.list(workspace.id, {
    ...(status && { status }),
    offset: pageOffset(page),
    limit: PER_PAGE,
  });
  return presentPage({
    path: `${publicUrl()}${API_PREFIX}${PATH}`,
    filters: status ? { status } : {},
    page,
    total,
    items: items.map(presentMessageItem),
  });
}
