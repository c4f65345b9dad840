import { CONVERSION } from '../../operations/conversions/conversion';
import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { ownOf, workspaceOf } from '../kit/workspace-scope';
import { page, screen, type Screen } from '../kit/screen';
import { LIMIT, listView, saleView } from './views';

const list = screen('/conversions', 'viewer', async (visit) => {
  const { t, query } = visit;
  const workspace = workspaceOf(visit);
  const filters = filtersOf(query, ['since', 'until', 'campaign']);
  const sales = await visit.perform(CONVERSION.list, {
    workspace,
    limit: LIMIT,
    ...filters,
    ...filtersOf(query, ['page']),
  });
  if (!sales.ok) return page(t.navConversions, listView(visit, null, sales.fault.message), 422);
  const revenue = await visit.perform(CONVERSION.revenue, { workspace, ...filters, ...filtersOf(query, ['by']) });
  if (!revenue.ok) return page(t.navConversions, listView(visit, null, revenue.fault.message), 422);
  return page(t.navConversions, listView(visit, { sales: sales.json, revenue: revenue.json }, null));
});

const show = screen('/conversions/:id', 'viewer', async (visit) => {
  const of = ownOf(visit, await visit.read(CONVERSION.show, { id: visit.id }));
  return page(visit.t.navConversions, saleView(visit, of));
});

const COLUMNS = [
  ...(['id', 'order_id', 'amount', 'occurred_at', 'received_at'] as const),
  ...(['contact_id', 'message_id', 'campaign_id', 'journey_id'] as const),
] as const;
/** Sales of a page of the file. */
const AT_ONCE = 1_000;

/** The sales that the filters leave; up to now, so that a new one moves no page while the file is made. */
const exported = screen('/conversions/export', 'viewer', async (visit) => {
  const until = new Date(visit.services.clock.now()).toISOString();
  const filters = { workspace: workspaceOf(visit), until, ...filtersOf(visit.query, ['since', 'until', 'campaign']) };
  await visit.note('conversion export', 'sales');
  return csvFile('conversions.csv', COLUMNS, async (after) => {
    const page = Number(after ?? 1);
    const { data, total } = await visit.read(CONVERSION.list, { ...filters, limit: AT_ONCE, page });
    return { data, next_after: page * AT_ONCE < total ? page + 1 : null };
  });
});

export const CONVERSIONS: readonly Screen[] = [list, exported, show];
