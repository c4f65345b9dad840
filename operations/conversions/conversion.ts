import { noun } from '../../schemas/rules/nouns';
import type { Explanation } from '../../domain/conversions/explanation';
import { explainConversion } from './explain';
import { REVENUE_BY, revenueBy } from './revenue';
import { LINKED_WITHIN } from '../../domain/conversions/attribution';
import type { StoredConversion } from '../../domain/conversions/conversion';
import { defined } from '../../lib/defined';
import { presentSale } from './conversion-view';
import {
  anyId,
  facts,
  found,
  limit,
  moment,
  oneOf,
  operation,
  option,
  upTo,
  uuid,
  type Values,
  type View,
  whole,
  workspace,
  unknownId,
} from '../definition';

const FILTERS = {
  campaign: option('<id>', 'only those of this campaign', anyId),
  journey: option('<id>', 'only those of this journey', anyId),
  message: option('<id>', 'only those of this message', uuid()),
  since: option('<time>', 'only sales at or after this time', moment),
  until: option('<time>', 'only sales at or before this time', moment),
};

const filterOf = ({ campaign, journey, message, since, until }: Values<typeof FILTERS>) =>
  defined({ campaignId: campaign, journeyId: journey, messageId: message, since, until });

const list = operation('conversion.list', 'viewer', {
  summary: 'list sales that were attributed to an email, newest first',
  arguments: { workspace },
  options: { ...FILTERS, limit: limit('sales'), page: option('<n>', 'which page; default: 1', whole(1, 1_000_000), 1) },
  examples: [
    ['conversion list melati', 'the newest 50'],
    ['conversion list melati --campaign 31 --since 2026-09-01T00:00Z', 'those of a campaign, from a given time'],
  ],
  handler: async ({ workspace: { id }, limit, page, ...filters }, { stores }) => {
    const offset = (page - 1) * limit;
    const { total, items } = await stores.conversions.list(id, filterOf(filters), { offset, limit });
    return { total, data: items.map(presentSale) };
  },
  columns: {
    sold: 'occurred_at',
    amount: 'amount',
    order: 'order_id',
    campaign: 'campaign_id',
    journey: 'journey_id',
    message: 'message_id',
    id: 'id',
  },
  none: 'No sales matched to an email.',
});

const stateOf = ({ link, receivedAt }: StoredConversion, view: View): string =>
  link ? 'linked' : `waiting for its click, until ${view.time(receivedAt + LINKED_WITHIN)}`;

/** What named the buyer: the message of the caller, or a contact. */
const foundBy = ({ messageId, contactId }: StoredConversion): string => {
  if (messageId !== null) return `message ${messageId}`;
  return contactId === null ? 'an address without a contact, or with a deleted one' : `contact ${contactId}`;
};

const saleText = (sale: StoredConversion, { click }: Explanation, view: View): string =>
  view.details(sale, {
    conversion: 'id',
    workspace: 'workspaceId',
    amount: 'amount',
    order: 'orderId',
    sold: 'occurredAt',
    received: 'receivedAt',
    'matched by': foundBy,
    state: stateOf,
    message: ({ link }) => link?.messageId ?? null,
    campaign: ({ link }) => link?.campaignId ?? null,
    journey: ({ link }) => link?.journeyId ?? null,
    clicked: () => view.time(click?.at ?? null),
    link: () => click?.url ?? null,
  });

const conversion = found('the id of the conversion', uuid(), async (id, finding): Promise<StoredConversion> => {
  const sale = await finding.stores.conversions.get(id);
  if (sale && finding.enter(sale.workspaceId)) return sale;
  const fix = 'kurir conversion list <workspace> lists them.';
  throw unknownId({ label: '<id>', what: noun('conversion'), id }, fix);
});

const show = operation('conversion.show', 'viewer', {
  summary: 'show a sale: the attributed click, other clicks, and why',
  arguments: { id: conversion },
  examples: [['conversion show 01a05c30-11f0-7d2e-8c61-9a0c4d7e2b10', 'with an id from conversion list']],
  handler: async ({ id: sale }, { stores }) => ({ sale, explanation: await explainConversion(stores, sale) }),
  json: ({ sale, explanation: { click, passedOver } }) => ({
    ...presentSale(sale),
    click: click && facts(click, 'at', 'messageId', 'url'),
    passed_over: passedOver.map((other) => facts(other, 'at', 'messageId', 'url', 'why')),
  }),
  text: ({ sale, explanation }, view) => {
    const others = view.table(
      explanation.passedOver,
      { clicked: 'at', reason: 'why', message: 'messageId', link: upTo(80, 'url') },
      'none',
    );
    return `${saleText(sale, explanation, view)}${view.title('Other clicks')}${others}`;
  },
});

const revenue = operation('conversion.revenue', 'viewer', {
  summary: 'show revenue by campaign, journey, message or day',
  arguments: { workspace },
  options: {
    by: option(
      '<what>',
      `${REVENUE_BY.join(', ')}; days are in WIB; default: campaign`,
      oneOf(...REVENUE_BY),
      'campaign' as const,
    ),
    ...FILTERS,
    limit: limit('lines'),
  },
  examples: [
    ['conversion revenue melati', 'by campaign'],
    ['conversion revenue melati --by day --campaign 31', 'each day of a campaign'],
    ['conversion revenue melati --by journey', 'revenue of each journey'],
  ],
  handler: async ({ workspace: { id }, by, limit, ...filters }, { stores }) => {
    const rows = await revenueBy(stores.conversions, id, by, filterOf(filters));
    const conversions = rows.reduce((sum, row) => sum + row.conversions, 0);
    const revenue = rows.reduce((sum, row) => sum + row.revenue, 0);
    return { by, conversions, revenue, data: rows.slice(0, limit) };
  },
  text: ({ by, conversions, revenue, data }, view) => {
    const columns = { [by]: ({ of }: { of: string | null }) => of ?? `no ${by}` };
    const lines = view.table(
      data,
      { ...columns, conversions: 'conversions', revenue: 'revenue' },
      'No sales matched to an email.',
    );
    if (data.length === 0) return lines;
    return `${lines}\n${conversions} ${conversions === 1 ? 'conversion' : 'conversions'}, ${revenue} rupiah\n`;
  },
});

export const CONVERSION = { list, show, revenue };
