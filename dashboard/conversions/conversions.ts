import { filtersOf } from '../kit/filters';
import { readOwn, workspaceOf } from '../kit/own';
import { page, screen, type Screen } from '../kit/screen';
import { LIMIT, listView, saleView, type Listed, type Revenue, type Shown } from './views';

const list = screen('/conversions', 'viewer', async (visit) => {
  const { t, query } = visit;
  const workspace = workspaceOf(visit);
  const filters = filtersOf(query, ['since', 'until', 'campaign']);
  const sales = await visit.perform('conversion.list', {
    ...{ workspace, limit: LIMIT, ...filters },
    ...filtersOf(query, ['page']),
  });
  if (!sales.ok) return page(t.navConversions, listView(visit, null, sales.fault.message), 422);
  const revenue = await visit.perform('conversion.revenue', { workspace, ...filters, ...filtersOf(query, ['by']) });
  if (!revenue.ok) return page(t.navConversions, listView(visit, null, revenue.fault.message), 422);
  const found = { sales: sales.json as unknown as Listed, revenue: revenue.json as unknown as Revenue };
  return page(t.navConversions, listView(visit, found, null));
});

const show = screen('/conversions/:id', 'viewer', async (visit) => {
  const of = await readOwn<Shown>(visit, 'conversion.show', { id: visit.params['id'] ?? '' });
  return page(visit.t.navConversions, saleView(visit, of));
});

export const CONVERSIONS: readonly Screen[] = [list, show];
