import type { Filter } from 'mongodb';
import { CHANNELS, LISTED_FACTS, type ListedFacts } from '../../../domain/messages/message';
import { statusesOf, type EngagementFilter } from '../../../domain/messages/message-hour';
import type { ListQuery, MessageFilter, MessagePage } from '../../ports/message-store';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { MESSAGE } from './message-fields';
import { inSnapshot, type Snapshot } from '../transactions/snapshot';

/**
 * Messages of a workspace, newest first; the total and the page are from one moment. Both come from the index alone,
 * and the page is read from the nearer end of the list, or from the newest where not all are counted. Counters would
 * cost more for every mail than an occasional list costs (docs/decisions/0029-lists-are-counted-in-blocks.md,
 * docs/decisions/0052-message-search-has-its-own-indexes.md).
 */
export async function listMessages(mongo: Mongo, workspaceId: number, query: ListQuery): Promise<MessagePage> {
  const { offset, limit, countUpTo: most = Infinity } = query;
  const list = listOf(workspaceId, query);
  return inSnapshot(mongo, async (snapshot) => {
    const messages = documents(snapshot.db, 'messages');
    const counting = { ...snapshot.moment, hint: list.hint, ...(most < Infinity && { limit: most + 1 }) };
    const counted = await messages.countDocuments(list.filter, counting);
    const [total, isMore] = [Math.min(counted, most), counted > most];
    const ids = await pageIds(snapshot, list, { offset, limit, total: isMore ? Infinity : total });
    if (ids.length === 0) return { total, isMore, items: [] };
    const found = await messages
      .find({ _id: { $in: ids } }, { ...snapshot.moment, projection: MESSAGE.projection })
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return {
      total,
      isMore,
      items: ids.flatMap((id) => byId.get(id) ?? []).map((document) => MESSAGE.decode(document)),
    };
  });
}

/** What recipients did, by the fields of messages, and the index that has them. */
const ENGAGED: Readonly<Record<EngagementFilter, { filter: Filter<MessageDocument>; hint: string }>> = {
  opened: { filter: { openedAt: { $gte: 0 }, openedByPeopleAt: { $gte: 0 } }, hint: 'messages_opened' },
  clicked: { filter: { openedAt: { $gte: 0 }, clickedByPeopleAt: { $gte: 0 } }, hint: 'messages_opened' },
  'opened-by-machines': {
    filter: { openedAt: { $gte: 0 }, openedByPeopleAt: { $not: { $gte: 0 } } },
    hint: 'messages_opened',
  },
  'clicked-by-machines': {
    filter: { openedAt: { $gte: 0 }, clickedAt: { $gte: 0 }, clickedByPeopleAt: { $not: { $gte: 0 } } },
    hint: 'messages_opened',
  },
  complained: { filter: { complainedAt: { $gte: 0 } }, hint: 'messages_complained_by_time' },
};

interface List {
  filter: Filter<MessageDocument>;
  /** The index that holds the list in order. */
  hint: string;
  /** The fields of the index that order the list, from newest to oldest. */
  order: readonly ('createdAt' | '_id')[];
}

/** The time of acceptance that a list goes by; a moment when both ends are the same. */
function timesOf({ since, until }: MessageFilter): { createdAt?: number | { $gte?: number; $lte?: number } } {
  if (since === undefined && until === undefined) return {};
  if (since !== undefined && since === until) return { createdAt: since };
  return { createdAt: { ...(since !== undefined && { $gte: since }), ...(until !== undefined && { $lte: until }) } };
}

type Condition = Filter<MessageDocument>;
type Listed = Conditions<ListedFacts, Condition>;

/** What each filter asks of a message; the time of acceptance is apart. */
const CONDITIONS: Conditions<Omit<MessageFilter, 'since' | 'until'>, Condition> = {
  contactId: (contactId) => ({ contactId }),
  ...(Object.fromEntries(LISTED_FACTS.map((name) => [name, (value: unknown) => ({ [name]: value })])) as Listed),
  status: (status) => ({ status: { $in: [...statusesOf(status)] } }),
  engagement: (did) => ENGAGED[did].filter,
};

/** Where the messages of a filter are found. */
export function listOf(workspaceId: number, query: MessageFilter): List {
  const { channel, contactId, engagement, status } = query;
  const times = timesOf(query);
  const given = Object.assign({}, ...conditionsOf(CONDITIONS, query)) as Condition;
  const filter = { workspaceId, ...times, ...given };
  // Of a single moment, the server would sort the ranges instead of merging them.
  const order = typeof times.createdAt === 'number' ? (['_id'] as const) : (['createdAt', '_id'] as const);
  if (contactId !== undefined) return { filter, hint: 'messages_to_contact', order };
  if (engagement !== undefined) return { filter, hint: ENGAGED[engagement].hint, order };
  if (Object.keys(filter).length === 1) return { filter, hint: 'messages_of_workspace', order: ['_id'] };
  // Ranges of one channel each are in order, and the server merges them.
  const hint = status === undefined ? 'messages_by_channel' : 'messages_by_status_and_time';
  return { filter: { ...filter, channel: channel ?? { $in: [...CHANNELS] } }, hint, order };
}

interface Cut {
  offset: number;
  limit: number;
  /** Infinity: not all were counted. */
  total: number;
}

/** The ids of a page, newest first. */
async function pageIds({ db, moment }: Snapshot, { filter, hint, order }: List, cut: Cut): Promise<string[]> {
  const { offset, total } = cut;
  const limit = Math.min(cut.limit, total - offset);
  if (limit <= 0) return [];
  const behind = total - offset - limit;
  const forward = behind < offset;
  const found = await documents(db, 'messages')
    .find(filter, { ...moment, hint, projection: { _id: 1 } })
    .sort(Object.fromEntries(order.map((field) => [field, forward ? 1 : -1])))
    .skip(forward ? behind : offset)
    .limit(limit)
    .toArray();
  const ids = found.map(({ _id: id }) => id);
  return forward ? ids.reverse() : ids;
}
