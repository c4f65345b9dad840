import type { ListQuery, MessagePage } from '../../ports/message-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { MESSAGE } from './message-fields';
import { inSnapshot, type Snapshot } from '../transactions/snapshot';

/**
 * Messages of a workspace, newest first; the total and the page are from one moment. Both come from the index alone,
 * and the page is read from the nearer end of the list. Counters would cost more for every mail than an occasional list
 * costs (docs/decisions/0029-lists-are-counted-by-blocks.md).
 */
export async function listMessages(mongo: Mongo, workspaceId: number, query: ListQuery): Promise<MessagePage> {
  const { status, ...page } = query;
  const list: List =
    status === undefined
      ? { filter: { workspaceId }, hint: 'messages_of_workspace' }
      : { filter: { workspaceId, status }, hint: 'messages_by_status' };
  return inSnapshot(mongo, async (snapshot) => {
    const messages = documents(snapshot.db, 'messages');
    const total = await messages.countDocuments(list.filter, { ...snapshot.moment, hint: list.hint });
    const ids = await pageIds(snapshot, list, { ...page, total });
    if (ids.length === 0) return { total, items: [] };
    const found = await messages
      .find({ _id: { $in: ids } }, { ...snapshot.moment, projection: MESSAGE.projection })
      .sort({ _id: -1 })
      .toArray();
    return { total, items: found.map((document) => MESSAGE.decode(document)) };
  });
}

interface List {
  filter: { workspaceId: number; status?: NonNullable<ListQuery['status']> };
  /** The index that holds the list in order. */
  hint: string;
}

interface Cut {
  offset: number;
  limit: number;
  total: number;
}

/** The ids of a page, in any order. */
async function pageIds({ db, moment }: Snapshot, { filter, hint }: List, cut: Cut): Promise<string[]> {
  const { offset, total } = cut;
  const limit = Math.min(cut.limit, total - offset);
  if (limit <= 0) return [];
  const behind = total - offset - limit;
  const forward = behind < offset;
  const ids = documents(db, 'messages')
    .find(filter, { ...moment, hint, projection: { _id: 1 } })
    .sort({ _id: forward ? 1 : -1 })
    .skip(forward ? behind : offset)
    .limit(limit);
  return (await ids.toArray()).map(({ _id: id }) => id);
}
