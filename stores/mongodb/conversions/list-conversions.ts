import type { Filter } from 'mongodb';
import type { LinkedConversion } from '../../../domain/conversions/conversion';
import type { ConversionFilter, ConversionCursor, SalesSum } from '../../ports/conversion-store';
import type { Page, PageQuery } from '../../ports/page';
import { conditionsOf, type Conditions } from '../../shared/conditions';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { toLinked, type ConversionDocument } from './conversion-fields';

const CONDITIONS: Conditions<Omit<ConversionFilter, 'since' | 'until'>, Filter<ConversionDocument>> = {
  messageId: (id) => ({ 'link.messageId': id }),
  campaignId: (id) => ({ 'link.campaignId': id }),
  journeyId: (id) => ({ 'link.journeyId': id }),
  contactId: (contactId) => ({ contactId }),
};

/** The filter of a list, and the index that serves its order. */
function condition(workspaceId: number, filter: ConversionFilter): { which: Filter<ConversionDocument>; hint: string } {
  const { messageId, campaignId, journeyId, contactId, since, until } = filter;
  const times = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lte: until }) };
  const which = Object.assign(
    { workspaceId, 'link.clickId': { $exists: true }, ...(Object.keys(times).length > 0 && { occurredAt: times }) },
    ...conditionsOf(CONDITIONS, filter),
  ) as Filter<ConversionDocument>;
  if (messageId !== undefined) return { which, hint: 'conversions_of_message' };
  if (contactId !== undefined) return { which, hint: 'conversions_by_contact' };
  if (campaignId !== undefined) return { which, hint: 'conversions_of_campaign' };
  return { which, hint: journeyId === undefined ? 'conversions_linked' : 'conversions_of_journey' };
}

/** A page of the linked sales; see ConversionStore.list. */
export async function listConversions(
  { db }: Mongo,
  workspaceId: number,
  filter: ConversionFilter,
  { offset, limit }: PageQuery,
): Promise<Page<LinkedConversion>> {
  const conversions = documents(db, 'conversions');
  const { which, hint } = condition(workspaceId, filter);
  const total = await conversions.countDocuments(which, { hint });
  if (offset >= total || limit <= 0) return { total, items: [] };
  const found = conversions.find(which).sort({ occurredAt: -1, _id: -1 }).skip(offset).limit(limit).hint(hint);
  return { total, items: (await found.toArray()).map(toLinked) };
}

/** The sales of a journey added up, from an index alone; see ConversionStore.ofJourney. */
export async function sumOfJourney({ db }: Mongo, journeyId: number): Promise<SalesSum> {
  const [sum] = await documents(db, 'conversions')
    .aggregate<SalesSum>(
      [
        { $match: { 'link.journeyId': journeyId } },
        { $group: { _id: null, conversions: { $sum: 1 }, revenue: { $sum: '$amount' } } },
      ],
      { hint: 'conversions_of_journey' },
    )
    .toArray();
  return { conversions: sum?.conversions ?? 0, revenue: sum?.revenue ?? 0 };
}

/** The linked sales behind a cursor; see ConversionStore.listAfter. */
export async function listConversionsAfter(
  { db }: Mongo,
  workspaceId: number,
  filter: ConversionFilter,
  after: ConversionCursor | null,
  limit: number,
): Promise<LinkedConversion[]> {
  if (limit <= 0) return [];
  const { which, hint } = condition(workspaceId, filter);
  const behind = after && [
    { occurredAt: { $lte: after.occurredAt } },
    { $or: [{ occurredAt: { $lt: after.occurredAt } }, { _id: { $lt: after.id } }] },
  ];
  const found = documents(db, 'conversions')
    .find({ $and: [which, ...(behind ?? [])] })
    .sort({ occurredAt: -1, _id: -1 })
    .limit(limit)
    .hint(hint);
  return (await found.toArray()).map(toLinked);
}
