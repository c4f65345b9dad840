import { DAY } from '../../lib/clock';
import { nextWibMidnight } from '../../domain/wib';
import { CAMPAIGN } from '../../operations/campaigns/campaign';
import { CONVERSION } from '../../operations/conversions/conversion';
import { MESSAGE } from '../../operations/messages/message';
import { WEBHOOK } from '../../operations/webhooks/webhook';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { filtersOf } from '../kit/filters';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { page, screen, type Screen, type Visit } from '../kit/screen';
import { RANGES, timesOf, type Stats } from './range';
import { overviewView } from './views';

/** The time that the address names: its beginning and end, or a number of days. */
function rangeOf({ query, services }: Visit): { since?: string; until?: string; by?: string } {
  const days = RANGES.find((one) => String(one) === query['days']);
  const since = new Date(nextWibMidnight(services.clock.now()) - (days ?? 7) * DAY).toISOString();
  const by = days === 1 ? { by: 'hour' } : {};
  return { ...by, ...(days !== undefined && { since }), ...filtersOf(query, ['since', 'until', 'by']) };
}

/** The time that is shown, or why it cannot be. */
async function statsOf(visit: Visit): Promise<{ stats: Stats; fault: string | null }> {
  const workspace = workspaceOf(visit);
  const done = await visit.perform(MESSAGE.stats, { workspace, ...rangeOf(visit) });
  if (done.ok) return { stats: done.json, fault: null };
  return { stats: await visit.read(MESSAGE.stats, { workspace }), fault: done.fault.message };
}

/** Campaigns that are shown: the newest, and those that wait for an owner. */
const LATEST = 5;
const MAX_ASKED = 20;

const overview = screen('', 'viewer', async (visit) => {
  const workspace = workspaceOf(visit);
  const [of, { stats, fault }, latest, asked, webhooks] = await Promise.all([
    visit.read(WORKSPACE.show, { workspace }),
    statsOf(visit),
    visit.read(CAMPAIGN.list, { workspace, limit: LATEST }),
    visit.read(CAMPAIGN.list, { workspace, limit: MAX_ASKED, asked: true }),
    mayHere(visit, 'developer') ? visit.read(WEBHOOK.list, { workspace }) : { data: [] },
  ]);
  const sales = await visit.read(CONVERSION.revenue, { workspace, by: 'day', ...timesOf(stats) });
  const main = overviewView(visit, {
    of,
    stats,
    sales,
    fault,
    latest: latest.data,
    asked: asked.data,
    webhooks: webhooks.data,
  });
  return { ...page(visit.t.overviewTitle, main, fault === null ? 200 : 422), script: 'chart.js' };
});

export const OVERVIEW: readonly Screen[] = [overview];
