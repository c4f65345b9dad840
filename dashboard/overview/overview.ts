import { MESSAGE_STATUSES } from '../../domain/messages/message';
import { DAY, MINUTE } from '../../lib/clock';
import { workspaceOf } from '../kit/own';
import { page, screen, type Screen, type Visit } from '../kit/screen';
import { overviewView, type Campaigns, type Day, type Shown } from './views';

/** Counts the messages of the last day by the list that each figure leads to. */
async function lastDay(visit: Visit): Promise<Day> {
  // To the minute: a link that is followed a moment later shows the same list.
  const now = visit.services.clock.now();
  const since = new Date(now - DAY - (now % MINUTE)).toISOString();
  const totalOf = async (status?: string): Promise<number> => {
    const input = { workspace: workspaceOf(visit), since, limit: 1, ...(status && { status }) };
    return (await visit.read<{ total: number }>('message.list', input)).total;
  };
  const counted = await Promise.all(MESSAGE_STATUSES.map(async (status) => [status, await totalOf(status)] as const));
  const byStatus = Object.fromEntries(counted);
  // The sum, and not a count of its own: what moves on between two counts must not make them differ.
  return { since, total: counted.reduce((sum, [, n]) => sum + n, 0), byStatus };
}

/** Campaigns that are shown: the newest, and those that wait for an owner. */
const LATEST = 5;
const MOST_ASKED = 20;

const overview = screen('', 'viewer', async (visit) => {
  const workspace = workspaceOf(visit);
  const [of, day, latest, asked] = await Promise.all([
    visit.read<Shown>('workspace.show', { workspace }),
    lastDay(visit),
    visit.read<Campaigns>('campaign.list', { workspace, limit: LATEST }),
    visit.read<Campaigns>('campaign.list', { workspace, limit: MOST_ASKED, asked: true }),
  ]);
  return page(visit.t.overviewTitle, overviewView(visit, of, day, { latest: latest.data, asked: asked.data }));
});

export const OVERVIEW: readonly Screen[] = [overview];
