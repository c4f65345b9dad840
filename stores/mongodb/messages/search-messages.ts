import type { Filter, SortDirection } from 'mongodb';
import { MINUTE } from '../../../lib/clock';
import type { FoundMessages, MessageFinder, MessagePoint, MessageSearch } from '../../ports/message-finder';
import type { MessageFilter } from '../../ports/message-store';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import { scanMessages, metadataTexts, type SearchStep } from '../../shared/scan-messages';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { listOf } from './list-messages';
import { MESSAGE } from './message-fields';

/** Messages that are looked at in one step. */
const STEP = 1_000;

/** MongoDB driver of MessageFinder. */
export const messageFinder = (mongo: Mongo): MessageFinder =>
  guarded<MessageFinder>({ find: (workspaceId, search) => searchMessages(mongo, workspaceId, search) });

/**
 * See MessageFinder.find. Steps of `size` messages go along an index; those of a step are read one by one. A step of
 * the usual size takes some milliseconds.
 */
export async function searchMessages(
  mongo: Mongo,
  workspaceId: number,
  search: MessageSearch,
  size = STEP,
): Promise<FoundMessages> {
  const within = search.campaign ? await ofCampaign(mongo, workspaceId, search, search.campaign) : search;
  if (!within) return { items: [], next: null };
  return scanMessages(within, (after, limit) => lookAt(mongo, workspaceId, { ...within, after, limit, size }));
}

type Step = Omit<MessageSearch, 'after'> & { after: MessagePoint | undefined; size: number };
type Condition = Filter<MessageDocument>;

async function lookAt({ db, timeoutMS }: Mongo, workspaceId: number, { after, ...search }: Step): Promise<SearchStep> {
  const messages = documents(db, 'messages');
  const since = search.since ?? 0;
  const behind: Condition[] = after ? [beside(after, '$lt')] : [];
  // The bounds of time are those of the index; what lies at their edge is told apart by its id.
  const within = (from: number): { filter: Filter<MessageDocument>; options: object } => {
    const until = after ? Math.min(after.at, search.until ?? after.at) : search.until;
    const { filter, hint, order } = listOf(workspaceId, {
      ...search,
      since: from,
      ...(until !== undefined && { until }),
    });
    const sort = order.map((field): [string, SortDirection] => [field, -1]);
    return { filter, options: { hint, sort, maxTimeMS: timeoutMS } };
  };
  const all = within(since);
  const last = await messages.findOne(
    { $and: [all.filter, ...behind] },
    { ...all.options, skip: search.size - 1, projection: { createdAt: 1 } },
  );
  const of = last ? within(last.createdAt) : all;
  const edge: Condition[] = last ? [beside({ id: last._id, at: last.createdAt }, '$gte')] : [];
  const found = await messages
    .find(
      { $and: [of.filter, ...behind, ...edge, ...conditionsOf(CONDITIONS, search)] },
      { ...of.options, limit: search.limit, projection: MESSAGE.projection },
    )
    .toArray();
  return {
    items: found.map((document) => MESSAGE.decode(document)),
    last: last && { id: last._id, at: last.createdAt },
  };
}

/** Of those of this moment, only these. As `$or`, it would be searched for in the index, and sorted. */
const beside = ({ id, at }: MessagePoint, sign: '$lt' | '$gte'): Filter<MessageDocument> => ({
  $nor: [{ createdAt: at, _id: { [sign === '$lt' ? '$gte' : '$lt']: id } }],
});

/** The ids of a campaign's messages begin with its start, and are in the order of acceptance (campaignMessageId). */
async function ofCampaign(
  { db }: Mongo,
  workspaceId: number,
  search: MessageSearch,
  { id: campaignId, sentAt }: NonNullable<MessageSearch['campaign']>,
): Promise<MessageSearch | null> {
  const hex = sentAt.toString(16).padStart(12, '0');
  const prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-`;
  const end = async (direction: SortDirection): Promise<number | undefined> => {
    const filter = { workspaceId, _id: { $gte: prefix, $lt: `${prefix}~` }, campaignId, lane: 'campaign' } as const;
    const options = { hint: 'messages_of_workspace', projection: { createdAt: 1 } };
    return (await documents(db, 'messages').findOne(filter, { ...options, sort: { _id: direction } }))?.createdAt;
  };
  const [first, last] = await Promise.all([end(1), end(-1)]);
  if (first === undefined || last === undefined) return null;
  // The clocks of the processes that made them may differ a little.
  const bounds = { since: sentAt - MINUTE, until: Math.max(first, last) + MINUTE };
  const { since = bounds.since, until = bounds.until } = search;
  return { ...search, since: Math.max(since, bounds.since), until: Math.min(until, bounds.until) };
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** What is in no index. */
const CONDITIONS: Conditions<Omit<MessageSearch, keyof MessageFilter | 'after' | 'limit'>, Condition> = {
  campaign: ({ id: campaignId }) => ({ campaignId, lane: 'campaign' }),
  domainId: (domainId) => ({ domainId }),
  toDomain: (domain) => ({ to: { $regex: `@${escaped(domain)}$` } }),
  subject: (part) => ({ subject: { $regex: escaped(part), $options: 'i' } }),
  metadata: (wanted) => ({ metadata: { $regex: metadataTexts(wanted).map(escaped).join('|') } }),
};
