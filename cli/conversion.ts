import type { Command } from 'commander';
import { explainConversion, type Explanation, type ShownClick } from '../commands/conversions/explain';
import { REVENUE_BY, revenueBy, type Revenue, type RevenueBy } from '../commands/conversions/revenue';
import { LINKED_WITHIN } from '../domain/conversions/attribution';
import type { StoredConversion } from '../domain/conversions/conversion';
import { readUuid } from '../schemas/rules/ids';
import type { Commands, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { moment, oneOf, reference, whole, type Input } from './support/input';
import { findWorkspace } from './support/lookups';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const FILTERS = [
  ['--campaign <id>', 'only those of this campaign'],
  ['--journey <id>', 'only those of this journey'],
  ['--message <id>', 'only those of this message'],
  ['--since <time>', 'only sales at this time or later'],
  ['--until <time>', 'only sales at this time or earlier'],
] as const;

const uuid = (raw: string): string => {
  const id = readUuid(raw.trim());
  if (id === null) throw new RangeError('must be a UUID');
  return id;
};

function readFilter(input: Input) {
  const campaignId = input.option('campaign', whole(1, Number.MAX_SAFE_INTEGER));
  const journeyId = input.option('journey', whole(1, Number.MAX_SAFE_INTEGER));
  const messageId = input.option('message', uuid);
  const [since, until] = [input.option('since', moment), input.option('until', moment)];
  return {
    ...(campaignId !== undefined && { campaignId }),
    ...(journeyId !== undefined && { journeyId }),
    ...(messageId !== undefined && { messageId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

const present = ({ link, ...sale }: StoredConversion) => ({
  id: sale.id,
  amount: sale.amount,
  order_id: sale.orderId,
  message_id: link?.messageId ?? null,
  campaign_id: link?.campaignId ?? null,
  journey_id: link?.journeyId ?? null,
  occurred_at: jsonTime(sale.occurredAt),
  received_at: jsonTime(sale.receivedAt),
});

const list: VerbSpec = {
  name: 'list',
  summary: 'sales that are linked to emails, newest first',
  args: [WORKSPACE],
  options: [...FILTERS, ['--limit <n>', 'sales at most, 1 to 1000; default: 50']],
  examples: [
    ['conversion list melati', 'the newest fifty'],
    ['conversion list melati --campaign 31 --since 2026-09-01T00:00Z', 'of a campaign, from a time on'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const filter = readFilter(input);
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    return async ({ stores, paint }) => {
      const workspace = await findWorkspace(stores, ref);
      const { total, items } = await stores.conversions.list(workspace.id, filter, { offset: 0, limit });
      const columns = [{ title: 'sold' }, { title: 'amount' }, { title: 'order' }];
      return {
        text: table(
          paint,
          [...columns, { title: 'campaign' }, { title: 'journey' }, { title: 'message' }, { title: 'id' }],
          items.map(({ id, amount, orderId, occurredAt, link }) => [
            ...[showTime(occurredAt), amount, orderId],
            ...[link.campaignId, link.journeyId, link.messageId, id],
          ]),
          'No linked sales.',
        ),
        json: { total, data: items.map(present) },
      };
    };
  },
};

const clickOf = ({ at, messageId, url }: ShownClick) => ({ at: jsonTime(at), message_id: messageId, url });

const presentExplained = (sale: StoredConversion, { click, passedOver }: Explanation) => ({
  ...present(sale),
  click: click && clickOf(click),
  passed_over: passedOver.map(({ why, ...other }) => ({ ...clickOf(other), why })),
});

const stateOf = ({ link, receivedAt }: StoredConversion): string =>
  link ? 'linked' : `waits for its click, until ${showTime(receivedAt + LINKED_WITHIN)}`;

/** What named the buyer: the message of the caller, or a contact. */
const foundBy = ({ messageId, contactId }: StoredConversion): string => {
  if (messageId !== null) return `message ${messageId}`;
  return contactId === null ? 'an address without a contact, or of a deleted one' : `contact ${contactId}`;
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one sale: the click chosen, those passed over, and why',
  args: [['<id>', 'the id of the conversion']],
  examples: [['conversion show 01a05c30-11f0-7d2e-8c61-9a0c4d7e2b10', 'conversion list has the ids']],
  run: (input) => {
    const id = input.arg('id', uuid);
    return async ({ stores, paint }) => {
      const sale = await stores.conversions.get(id);
      if (!sale) {
        throw new CommandError(
          `<id>: no conversion ${id} found.`,
          'kurir conversion list <workspace> lists them.',
          '<id>',
        );
      }
      const explanation = await explainConversion(stores, sale);
      const { click, passedOver } = explanation;
      const head = fields(paint, [
        ['conversion', sale.id],
        ['workspace', sale.workspaceId],
        ['amount', sale.amount],
        ['order', sale.orderId],
        ['sold', showTime(sale.occurredAt)],
        ['received', showTime(sale.receivedAt)],
        ['found by', foundBy(sale)],
        ['state', stateOf(sale)],
        ['message', sale.link?.messageId ?? null],
        ['campaign', sale.link?.campaignId ?? null],
        ['journey', sale.link?.journeyId ?? null],
        ['clicked', showTime(click?.at ?? null)],
        ['link', click?.url ?? null],
      ]);
      const others = table(
        paint,
        [{ title: 'clicked' }, { title: 'why not' }, { title: 'message' }, { title: 'link', max: 80 }],
        passedOver.map(({ at, why, messageId, url }) => [showTime(at), why, messageId, url]),
        'none',
      );
      return {
        text: `${head}\n${paint('strong', 'Clicks passed over')}\n${others}`,
        json: presentExplained(sale, explanation),
      };
    };
  },
};

const titleOf = (by: RevenueBy, { of }: Revenue): string => of ?? `no ${by}`;

const revenue: VerbSpec = {
  name: 'revenue',
  summary: 'linked sales added up by campaign, journey, message or day',
  args: [WORKSPACE],
  options: [
    ['--by <what>', `${REVENUE_BY.join(', ')}; a day is one of WIB; default: campaign`],
    ...FILTERS,
    ['--limit <n>', 'lines at most, 1 to 1000; default: 50'],
  ],
  examples: [
    ['conversion revenue melati', 'by campaign'],
    ['conversion revenue melati --by day --campaign 31', 'the days of a campaign'],
    ['conversion revenue melati --by journey', 'what each journey made'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const by = input.option('by', oneOf(...REVENUE_BY)) ?? 'campaign';
    const filter = readFilter(input);
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    return async ({ stores, paint }) => {
      const workspace = await findWorkspace(stores, ref);
      const rows = await revenueBy(stores.conversions, workspace.id, by, filter);
      const conversions = rows.reduce((sum, row) => sum + row.conversions, 0);
      const sum = rows.reduce((total, row) => total + row.revenue, 0);
      const shown = rows.slice(0, limit);
      const lines = table(
        paint,
        [{ title: by }, { title: 'conversions' }, { title: 'revenue' }],
        shown.map((row) => [titleOf(by, row), row.conversions, row.revenue]),
        'No linked sales.',
      );
      return {
        text:
          rows.length === 0
            ? lines
            : `${lines}\n${conversions} ${conversions === 1 ? 'conversion' : 'conversions'}, ${sum} rupiah\n`,
        json: { by, conversions, revenue: sum, data: shown },
      };
    };
  },
};

/** The `kurir conversion` commands. */
export const conversionCommand = (commands: Commands): Command =>
  commands.group('conversion', 'sales, the clicks that led to them, and revenue', [list, show, revenue]);
